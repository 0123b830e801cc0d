import type { FingerprintBits } from "../../../../fingerprints/table.ts";
import { TemporaryFile } from "../../../../io/files/temporary-file.ts";
import { partitionOf } from "../../partition-of.ts";

/**
 * The number of partitions: the most that the kernel divides rows among (assembly/set/partitions.ts). Sets in memory divide
 * fingerprints by other bits.
 */
export const PARTITIONS = 128;

/**
 * Divides fingerprints among partitions, and keeps those of each in the order in which they came. Memory holds a block of each
 * partition; a block that is full goes to a temporary file.
 */
export class Partitions {
  readonly #wordsPerRow: number;
  readonly #wordsPerBlock: number;
  readonly #file: TemporaryFile;
  /** The last block of each partition. */
  readonly #words: Uint32Array<ArrayBuffer>;
  /** Where the next word of each partition goes among all words. */
  readonly #next = new Uint32Array(PARTITIONS);
  /** The places of the blocks of each partition in the file. */
  readonly #blocks: readonly number[][] = Array.from({ length: PARTITIONS }, () => []);

  readonly #earlier = new Float64Array(PARTITIONS);

  /** `blockBytes`: a power of two. `folder`: that of the temporary file. Throws an IoError. Call `close` afterwards. */
  constructor(bits: FingerprintBits, blockBytes: number, folder: string | undefined) {
    this.#wordsPerRow = bits / 32;
    this.#wordsPerBlock = blockBytes / 4;
    this.#words = new Uint32Array(PARTITIONS * this.#wordsPerBlock);
    for (let at = 0; at < PARTITIONS; at++) this.#next[at] = at * this.#wordsPerBlock;
    this.#file = new TemporaryFile(folder);
  }

  /** Adds the fingerprints of rows. `needed`: says how many bytes the file will have. Throws an IoError. */
  add(rows: Uint32Array, needed: () => string): void {
    const [words, next, perRow] = [this.#words, this.#next, this.#wordsPerRow];
    const isWide = perRow === 4;
    const last = this.#wordsPerBlock - 1;
    for (let row = 0; row < rows.length; row += perRow) {
      const partition = partitionOf(rows[row] as number, PARTITIONS);
      const at = next[partition] as number;
      words[at] = rows[row] as number;
      words[at + 1] = rows[row + 1] as number;
      if (isWide) {
        words[at + 2] = rows[row + 2] as number;
        words[at + 3] = rows[row + 3] as number;
      }
      next[partition] = at + perRow;
      // The size of a block is a power of two.
      if (((at + perRow) & last) === 0) this.#write(partition, needed);
    }
  }

  /** Does the same for rows that are divided already. `ends`: the number of rows up to the end of each partition. */
  addDivided(rows: Uint32Array, ends: Int32Array, needed: () => string): void {
    let from = 0;
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const to = (ends[partition] as number) * this.#wordsPerRow;
      while (from < to) from += this.#append(partition, rows.subarray(from, to), needed);
    }
  }

  /** Appends words to a partition, as far as its block has room, and returns their number. */
  #append(partition: number, words: Uint32Array, needed: () => string): number {
    const at = this.#next[partition] as number;
    const end = (partition + 1) * this.#wordsPerBlock;
    const taken = words.length <= end - at ? words : words.subarray(0, end - at);
    this.#words.set(taken, at);
    this.#next[partition] = at + taken.length;
    if (at + taken.length === end) this.#write(partition, needed);
    return taken.length;
  }

  #write(partition: number, needed: () => string): void {
    const begin = partition * this.#wordsPerBlock;
    this.#blocks[partition]?.push(this.#file.size);
    this.#file.append(this.#bytesOf(begin, begin + this.#wordsPerBlock), needed);
    this.#next[partition] = begin;
  }

  #bytesOf(begin: number, end: number): Uint8Array {
    return new Uint8Array(this.#words.buffer, 4 * begin, 4 * (end - begin));
  }

  /** Returns the number of rows of a partition. */
  rowsOf(partition: number): number {
    const begin = partition * this.#wordsPerBlock;
    const written = (this.#blocks[partition] as number[]).length * this.#wordsPerBlock;
    return (written + (this.#next[partition] as number) - begin) / this.#wordsPerRow;
  }

  /** Says that the rows so far come before those of the inputs, and that their keys are left out. */
  endEarlier(): void {
    for (let at = 0; at < PARTITIONS; at++) this.#earlier[at] = this.rowsOf(at);
  }

  /** Returns the number of the rows of a partition that come before those of the inputs. */
  earlierRowsOf(partition: number): number {
    return this.#earlier[partition] as number;
  }

  /** Returns the number of the other rows of a partition. */
  inputRowsOf(partition: number): number {
    return this.rowsOf(partition) - this.earlierRowsOf(partition);
  }

  /** Returns whether there are rows that come before those of the inputs. */
  get hasEarlier(): boolean {
    return this.#earlier.some((rows) => rows > 0);
  }

  /** The number of rows of all partitions. */
  get rows(): number {
    let rows = 0;
    for (let at = 0; at < PARTITIONS; at++) rows += this.rowsOf(at);
    return rows;
  }

  /** Yields the fingerprints of a partition. The views are valid until the next step. Throws an IoError. */
  *blocksOf(partition: number): Generator<Uint8Array> {
    const block = new Uint8Array(4 * this.#wordsPerBlock);
    for (const at of this.#blocks[partition] as number[]) {
      this.#file.read(at, block);
      yield block;
    }
    yield this.#bytesOf(partition * this.#wordsPerBlock, this.#next[partition] as number);
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
