import { PARTITIONS } from "./partitions.ts";

const BITS = 32;

/** Marks rows of partitions, with a bit for each, and tells them again in the order of all rows. */
export class PartitionMarks {
  /** The bits of all partitions. Those of one begin with a word of their own. */
  readonly #words: Uint32Array;
  /** Where the bits of each partition begin. */
  readonly #begins = new Float64Array(PARTITIONS);
  /** The next bit of each partition that is asked about. */
  readonly #next = new Float64Array(PARTITIONS);

  /** `rowsOf`: returns the number of rows of a partition. */
  constructor(rowsOf: (partition: number) => number) {
    let bits = 0;
    for (let at = 0; at < PARTITIONS; at++) {
      this.#begins[at] = bits;
      bits += BITS * Math.ceil(rowsOf(at) / BITS);
    }
    this.#next.set(this.#begins);
    this.#words = new Uint32Array(bits / BITS);
  }

  /** Marks a row of a partition by its number there. */
  mark(partition: number, row: number): void {
    const bit = (this.#begins[partition] as number) + row;
    this.#add((bit / BITS) | 0, 1 << (bit % BITS));
  }

  /** Marks those of the rows of a partition from `first` on whose answer is 1. */
  markAnswers(partition: number, first: number, answers: Uint8Array): void {
    const begin = (this.#begins[partition] as number) + first;
    let word = (begin / BITS) | 0;
    let bit = begin % BITS;
    let bits = 0;
    for (let at = 0; at < answers.length; at++) {
      bits |= (answers[at] as number) << bit++;
      if (bit < BITS) continue;
      this.#add(word++, bits);
      bits = 0;
      bit = 0;
    }
    if (bit > 0) this.#add(word, bits);
  }

  #add(word: number, bits: number): void {
    this.#words[word] = (this.#words[word] as number) | bits;
  }

  /** Returns 1 if the next row of a partition is marked, else 0. */
  next(partition: number): number {
    const bit = this.#next[partition] as number;
    this.#next[partition] = bit + 1;
    return ((this.#words[(bit / BITS) | 0] as number) >>> (bit % BITS)) & 1;
  }
}
