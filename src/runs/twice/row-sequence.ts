import { TemporaryFile } from "../../io/files/temporary-file.ts";

/** Stands for a length that has no room in 16 bits. */
const LONG = 0xffff;

/** Says of the rows of a chunk where they go and how long they are. */
export interface SequenceRows {
  readonly partitions: Uint8Array;
  /** The bytes of each row with its end, or LONG. */
  readonly lengths: Uint16Array;
}

/** Keeps the partition and the length of each row in a temporary file, chunk by chunk: 3 bytes a row. */
export class RowSequence {
  readonly #file: TemporaryFile;
  /** The number of the rows of each chunk. */
  readonly #rows: number[] = [];
  /** The lengths that have no room in 16 bits, in order. */
  readonly #long: number[] = [];
  #lengths = new Uint16Array(0);
  #read = new Uint8Array(0);
  /** The bytes, the chunks and the long lengths that were read again. */
  #at = 0;
  #chunk = 0;
  #longAt = 0;

  /** `folder`: that of the temporary file. Throws an IoError. Call `close` afterwards. */
  constructor(folder: string | undefined) {
    this.#file = new TemporaryFile(folder);
  }

  /** Adds the rows of a chunk. `offsets`: where each begins, and where the last ends. Throws an IoError. */
  add(partitions: Uint8Array, offsets: Int32Array, needed: () => string): void {
    const rows = partitions.length;
    if (this.#lengths.length < rows) this.#lengths = new Uint16Array(2 * rows);
    const lengths = this.#lengths;
    let before = offsets[0] as number;
    for (let row = 0; row < rows; row++) {
      const end = offsets[row + 1] as number;
      const length = end - before;
      before = end;
      lengths[row] = length;
      if (length >= LONG) {
        lengths[row] = LONG;
        this.#long.push(length);
      }
    }
    this.#rows.push(rows);
    this.#file.append(partitions, needed);
    this.#file.append(new Uint8Array(lengths.buffer, 0, 2 * rows), needed);
  }

  /** Returns the rows of the next chunk, in order. They are valid until the next call. Throws an IoError. */
  next(): SequenceRows {
    const rows = this.#rows[this.#chunk++] as number;
    const begin = rows + (rows & 1); // lengths are aligned
    if (this.#read.length < begin + 2 * rows) this.#read = new Uint8Array(2 * (begin + 2 * rows));
    const partitions = this.#read.subarray(0, rows);
    const lengths = this.#read.subarray(begin, begin + 2 * rows);
    this.#file.read(this.#at, partitions);
    this.#file.read(this.#at + rows, lengths);
    this.#at += 3 * rows;
    return { partitions, lengths: new Uint16Array(lengths.buffer, begin, rows) };
  }

  /** Returns a length, of which `next` gave the 16 bits. Call it once for each row, in order. */
  lengthOf(bits: number): number {
    return bits === LONG ? (this.#long[this.#longAt++] as number) : bits;
  }

  get bytesOnDisk(): number {
    return this.#file.size;
  }

  close(): void {
    this.#file.close();
  }
}
