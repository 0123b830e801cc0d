import { UrlmillError } from "../../base/errors.ts";
import { builtin, files } from "../../base/peer.ts";
import { FilledSource } from "../../io/files/filled-source.ts";
import { firstBytesOf, plainFile } from "../../io/files/plain-file.ts";
import { openSource } from "../../io/open-source.ts";
import { encodeIdentity, identityFrom, type SeenIdentity } from "../contract/identity.ts";
import type { StoredReader } from "../contract/reader.ts";
import { fields, parseShape, whole } from "../folder/shape.ts";

/*
 * A file of keys. docs/seen-sets.md describes it.
 *
 *   #urlmill-keys 1
 *   {"count":…,"bits":…,"identity":{"profileId":…,"key":…,"bits":…,"options":…}}
 *   count fingerprints of bits / 8 bytes, each once, in no certain order
 *   4 bytes: the CRC-32 of all bytes before, little-endian
 */

/** What the second line has besides the identity. */
const HEADER = fields({ count: whole(0), bits: whole(8) });
/** What begins a file of keys of any version. */
const BEGINS = "#urlmill-keys ";
/** The first line. Its number goes up with the format. */
const FIRST_LINE = `${BEGINS}1\n`;
/** The longest second line in bytes. */
const LONGEST = 1 << 20;

/** Counts the bytes of the checksum. */
const CHECKSUM = 4;

interface KeyFileHeader {
  readonly identity: SeenIdentity;
  /** Gives the bits of each fingerprint. */
  readonly bits: number;
  readonly count: number;
}

/** Holds a file that is open after its header. */
interface OpenKeyFile extends KeyFileHeader {
  readonly source: FilledSource;
  /** The checksum of the header. */
  readonly checksum: Checksum;
}

/** Returns whether a regular file, which may be compressed, is a file of keys. Throws an IoError. */
export async function isKeyFile(name: string): Promise<boolean> {
  const plain = plainFile(name);
  if (plain === null && !/\.(?:gz|zst)$/.test(name)) return false;
  const head = plain === null ? await headOf(name) : firstBytesOf(plain, BEGINS.length);
  return head.toString("latin1") === BEGINS;
}

async function headOf(name: string): Promise<Buffer> {
  const source = new FilledSource(await openSource(name));
  try {
    const head = Buffer.alloc(BEGINS.length);
    return head.subarray(0, await source.fill(head));
  } finally {
    await source.close();
  }
}

/** Returns the first two lines of a file. */
export function headerText({ identity, bits, count }: KeyFileHeader): string {
  const header = { count, bits, identity: JSON.parse(encodeIdentity(identity)) };
  return `${FIRST_LINE}${JSON.stringify(header)}\n`;
}

/** Opens a file after its header. Throws `SEEN_CORRUPT` if it is not a file of keys, and an IoError. */
async function openKeyFile(name: string): Promise<OpenKeyFile> {
  const source = new FilledSource(await openSource(name));
  try {
    const checksum = new Checksum();
    checksum.take(await firstLine(source, name));
    const line = await source.line(LONGEST);
    if (line === null) throw keysDamaged(name, "it ends in its header");
    return { source, checksum, ...parseHeader(checksum.take(line).toString(), name) };
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function firstLine(source: FilledSource, name: string): Promise<Buffer> {
  const line = await source.line(FIRST_LINE.length);
  if (line?.toString("latin1") === FIRST_LINE) return line;
  const isOther = line?.toString("latin1").startsWith(BEGINS) === true;
  const what = isOther ? "of another version of urlmill" : "not a file of keys";
  throw new UrlmillError("SEEN_CORRUPT", `${name} is ${what}`);
}

function parseHeader(text: string, name: string): KeyFileHeader {
  const header = parseShape<KeyFileHeader>(text, HEADER, name);
  const identity = identityFrom(header.identity, name);
  const { count, bits } = header;
  if (bits % 8 !== 0 || bits > identity.bits) {
    throw keysDamaged(name, "its keys cannot have these bits");
  }
  return { count, bits, identity };
}

/** Makes the error of a file of keys whose bytes are not those that were written. */
function keysDamaged(name: string, why: string): UrlmillError {
  return new UrlmillError("SEEN_CORRUPT", `${name} is damaged: ${why}`);
}

/** Sums up bytes in their order: CRC-32. */
export class Checksum {
  #sum = 0;

  take<T extends Uint8Array>(bytes: T): T {
    this.#sum = builtin("node:zlib").crc32(bytes, this.#sum);
    return bytes;
  }

  /** Returns the sum as it is written. */
  bytes(): Buffer {
    const bytes = Buffer.alloc(CHECKSUM);
    bytes.writeUInt32LE(this.#sum);
    return bytes;
  }
}

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
