import { SHARDS, type ShardSplitter, SPLIT_ROWS } from "./shard-splitter.ts";
import { type FingerprintBits, wordsOf } from "./table.ts";

/**
 * Divides fingerprints among tables, in JavaScript. The memory is used again for the next fingerprints, because
 * collecting it takes longer than dividing them.
 */
export class JsSplitter implements ShardSplitter {
  readonly #wordsPerRow: number;
  readonly #sorted: Uint32Array<ArrayBuffer>;
  /** The place of each sorted row among the fingerprints as they came. */
  readonly #rowAt = new Int32Array(SPLIT_ROWS);
  /** The first sorted row of each shard, and the end of the last. */
  readonly #starts = new Int32Array(SHARDS + 1);
  readonly #next = new Int32Array(SHARDS);
  readonly #answers = new Uint8Array(SPLIT_ROWS);
  #rows = 0;

  constructor(bits: FingerprintBits) {
    this.#wordsPerRow = bits >> 5;
    this.#sorted = new Uint32Array(SPLIT_ROWS * this.#wordsPerRow);
  }

  get bytes(): number {
    return this.#sorted.byteLength + this.#rowAt.byteLength + this.#answers.byteLength;
  }

  split(fingerprints: Uint8Array): void {
    const words = wordsOf(fingerprints);
    this.#rows = words.length / this.#wordsPerRow;
    this.#count(words);
    const [perRow, sorted, rowAt, next] = [
      this.#wordsPerRow,
      this.#sorted,
      this.#rowAt,
      this.#next,
    ];
    for (let from = 0, row = 0; from < words.length; from += perRow, row++) {
      const shard = (words[from] as number) & (SHARDS - 1);
      const at = next[shard] as number;
      next[shard] = at + 1;
      rowAt[at] = row;
      for (let word = 0; word < perRow; word++) {
        sorted[at * perRow + word] = words[from + word] as number;
      }
    }
  }

  /** Finds where the rows of each shard begin. */
  #count(words: Uint32Array): void {
    const [perRow, starts, next] = [this.#wordsPerRow, this.#starts, this.#next];
    starts.fill(0);
    for (let from = 0; from < words.length; from += perRow) {
      const end = ((words[from] as number) & (SHARDS - 1)) + 1;
      starts[end] = (starts[end] as number) + 1;
    }
    for (let shard = 0; shard < SHARDS; shard++) {
      next[shard] = starts[shard] as number;
      starts[shard + 1] = (starts[shard + 1] as number) + (starts[shard] as number);
    }
  }

  rowsOf(shard: number): Uint8Array {
    const bytesPerRow = 4 * this.#wordsPerRow;
    const start = this.#starts[shard] as number;
    const end = this.#starts[shard + 1] as number;
    return new Uint8Array(this.#sorted.buffer, start * bytesPerRow, (end - start) * bytesPerRow);
  }

  answer(shard: number, answers: Uint8Array): void {
    const start = this.#starts[shard] as number;
    for (let row = 0; row < answers.length; row++) {
      this.#answers[this.#rowAt[start + row] as number] = answers[row] as number;
    }
  }

  answers(): Uint8Array {
    return this.#answers.subarray(0, this.#rows);
  }
}
