import { files } from "../../base/peer.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import type { StoredReader } from "../contract/reader.ts";
import {
  CHECKSUM,
  type KeyFileHeader,
  keysDamaged,
  type OpenKeyFile,
  openKeyFile,
} from "./key-file.ts";

/** Bytes that are read at a time. A multiple of every width. */
const READ = 80 << 12;

/** Opens a file of keys to read it. Throws `SEEN_CORRUPT` if it is not one, and an IoError. */
export async function readKeys(name: string): Promise<StoredReader> {
  const { source, ...header } = await openKeyFile(name);
  await source.close();
  return new KeysReader(name, (await files().stat(name)).size, header);
}

class KeysReader implements StoredReader {
  readonly where: string;
  readonly identity: SeenIdentity;
  readonly bits: number;
  readonly store = "keys";
  readonly hasChecksums = true;
  readonly storedBytes: number;
  readonly left = null;
  readonly #count: number;

  constructor(where: string, storedBytes: number, { identity, bits, count }: KeyFileHeader) {
    this.where = where;
    this.storedBytes = storedBytes;
    this.identity = identity;
    this.bits = bits;
    this.#count = count;
  }

  async size(): Promise<number> {
    return this.#count;
  }

  async *fingerprints(): AsyncGenerator<Uint8Array, void, undefined> {
    const file = await openKeyFile(this.where);
    try {
      const piece = new Uint8Array(READ);
      let missing = this.#count * (this.bits / 8);
      while (missing > 0) {
        const rows = piece.subarray(0, Math.min(READ, missing));
        if ((await file.source.fill(rows)) < rows.length) {
          throw keysDamaged(this.where, `it does not have all of its ${this.#count} keys`);
        }
        missing -= rows.length;
        yield file.checksum.take(rows);
      }
      await this.#checkEnd(file);
    } finally {
      await file.source.close();
    }
  }

  async #checkEnd({ source, checksum }: OpenKeyFile): Promise<void> {
    const end = Buffer.alloc(CHECKSUM + 1);
    const length = await source.fill(end);
    if (length !== CHECKSUM || !end.subarray(0, CHECKSUM).equals(checksum.bytes())) {
      throw keysDamaged(this.where, "its checksum does not match its contents");
    }
  }

  async close(): Promise<void> {}
}
