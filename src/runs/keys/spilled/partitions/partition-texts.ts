import { TemporaryFile } from "../../../../io/files/temporary-file.ts";
import { PARTITIONS } from "./partitions.ts";

/** The bytes before a text: its length. */
const HEAD = 4;

/** Holds where texts are in the file. */
interface TextBlock {
  readonly at: number;
  readonly bytes: number;
}

/** Keeps the texts of the rows of partitions, those of each in their order, in a temporary file. */
export class PartitionTexts {
  readonly #file: TemporaryFile;
  /** The texts of each partition that are not in the file yet. */
  readonly #last: readonly Buffer[];
  readonly #lengths = new Uint32Array(PARTITIONS);
  readonly #blocks: readonly TextBlock[][] = Array.from({ length: PARTITIONS }, () => []);
  /** The bytes of the texts of each partition. */
  readonly #bytes = new Float64Array(PARTITIONS);

  /** `blockBytes`: what memory holds of each partition. Throws an IoError. Call `close` afterwards. */
  constructor(blockBytes: number, folder: string | undefined) {
    this.#last = Array.from({ length: PARTITIONS }, () => Buffer.alloc(blockBytes));
    this.#file = new TemporaryFile(folder);
  }

  /** Adds the text of the next row of a partition. Throws an IoError. */
  add(partition: number, text: Buffer, needed: () => string): void {
    const last = this.#last[partition] as Buffer;
    const bytes = HEAD + text.length;
    if ((this.#lengths[partition] as number) + bytes > last.length) this.#write(partition, needed);
    this.#bytes[partition] = (this.#bytes[partition] as number) + bytes;
    if (bytes > last.length) this.#append(partition, joined(text), needed);
    else {
      const at = this.#lengths[partition] as number;
      last.writeUInt32LE(text.length, at);
      text.copy(last, at + HEAD);
      this.#lengths[partition] = at + bytes;
    }
  }

  #write(partition: number, needed: () => string): void {
    const length = this.#lengths[partition] as number;
    if (length === 0) return;
    this.#append(partition, (this.#last[partition] as Buffer).subarray(0, length), needed);
    this.#lengths[partition] = 0;
  }

  #append(partition: number, bytes: Uint8Array, needed: () => string): void {
    this.#blocks[partition]?.push({ at: this.#file.size, bytes: bytes.length });
    this.#file.append(bytes, needed);
  }

  /** Returns the bytes of the texts of a partition, with their lengths. */
  bytesOf(partition: number): number {
    return this.#bytes[partition] as number;
  }

  /** Yields the texts of a partition, in order. Throws an IoError. */
  *textsOf(partition: number): Generator<Buffer, undefined, undefined> {
    for (const { at, bytes } of this.#blocks[partition] as TextBlock[]) {
      const block = Buffer.allocUnsafe(bytes);
      this.#file.read(at, block);
      yield* textsIn(block);
    }
    const length = this.#lengths[partition] as number;
    yield* textsIn((this.#last[partition] as Buffer).subarray(0, length));
  }

  /** The bytes that are in the file. */
  get bytesOnDisk(): number {
    return this.#file.size;
  }

  /** Removes the file. */
  close(): void {
    this.#file.close();
  }
}

function joined(text: Buffer): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(text.length);
  return Buffer.concat([head, text]);
}

function* textsIn(block: Buffer): Generator<Buffer, void, undefined> {
  for (let at = 0; at < block.length; ) {
    const end = at + HEAD + block.readUInt32LE(at);
    yield block.subarray(at + HEAD, end);
    at = end;
  }
}
