import { type FingerprintBits, wordsOf } from "./table.ts";

/** Number of shards: a power of two. */
export const SHARDS = 32;
/** Limits the fingerprints that are sorted at a time. */
export const SORTED = 1 << 17;

/**
 * Sorts fingerprints by shard and keeps their order within a shard. The first byte of a fingerprint picks its
 * shard. The memory is used again for the next fingerprints, because collecting it takes longer than sorting.
 */
export class ShardedRows {
  readonly #wordsPerRow: number;
  readonly #sorted: Uint32Array<ArrayBuffer>;
  /** The place of each sorted row among the fingerprints as they came. */
  readonly #rowAt = new Int32Array(SORTED);
  /** The first sorted row of each shard, and the end of the last. */
  readonly #starts = new Int32Array(SHARDS + 1);
  readonly #next = new Int32Array(SHARDS);

  constructor(bits: FingerprintBits) {
    this.#wordsPerRow = bits >> 5;
    this.#sorted = new Uint32Array(SORTED * this.#wordsPerRow);
  }

  /** Sorts at most SORTED fingerprints. */
  sort(fingerprints: Uint8Array): void {
    const words = wordsOf(fingerprints);
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

  /** Returns a view of the sorted fingerprints of a shard. */
  rowsOf(shard: number): Uint8Array {
    const bytesPerRow = 4 * this.#wordsPerRow;
    const start = this.#starts[shard] as number;
    const end = this.#starts[shard + 1] as number;
    return new Uint8Array(this.#sorted.buffer, start * bytesPerRow, (end - start) * bytesPerRow);
  }

  /** Writes the answers for a shard's rows to `answers`, which are in the order in which the rows came. */
  spread(shard: number, given: Uint8Array, answers: Uint8Array): void {
    const start = this.#starts[shard] as number;
    for (let row = 0; row < given.length; row++) {
      answers[this.#rowAt[start + row] as number] = given[row] as number;
    }
  }
}
