import { setImmediate } from "node:timers/promises";
import type { FingerprintSet } from "../../seen/memory/fingerprint-set.ts";
import { type FingerprintBits, wordsOf } from "../../seen/memory/table.ts";
import { PartitionMarks } from "./partition-marks.ts";
import { PARTITIONS, type Partitions } from "./partitions.ts";

/** How much more than its share of the keys of a partition one of several passes can get. */
const UNEVEN = 1.1;

/** Finds the first row of each key, partition by partition, with a set that has room for a part of the keys. */
export class FirstRows {
  readonly #partitions: Partitions;
  readonly #set: FingerprintSet;
  readonly #wordsPerRow: number;
  readonly marks: PartitionMarks;
  /** The number of keys so far. */
  size = 0;

  constructor(partitions: Partitions, set: FingerprintSet, bits: FingerprintBits) {
    this.#partitions = partitions;
    this.#set = set;
    this.#wordsPerRow = bits / 32;
    this.marks = new PartitionMarks((partition) => partitions.rowsOf(partition));
  }

  /** Marks the first rows of all partitions. Throws the reason of `signal`, an IoError, and `SET_FULL`. */
  async find(signal: AbortSignal): Promise<void> {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const rows = this.#partitions.rowsOf(partition);
      const { capacity } = this.#set;
      const passes = rows <= capacity ? 1 : Math.ceil((UNEVEN * rows) / capacity);
      for (let pass = 0; pass < passes; pass++) {
        await setImmediate(); // signals are handled here
        signal.throwIfAborted();
        if (passes === 1) this.#findIn(partition);
        else this.#findInPass(partition, pass, passes);
        this.size += this.#set.size;
        this.#set.clear();
      }
    }
  }

  #findIn(partition: number): void {
    let row = 0;
    for (const block of this.#partitions.blocksOf(partition)) {
      const answers = this.#set.add(block);
      this.marks.markAnswers(partition, row, answers);
      row += answers.length;
    }
  }

  /** Does the same for one of several parts of the keys of a partition. */
  #findInPass(partition: number, pass: number, passes: number): void {
    const perRow = this.#wordsPerRow;
    let row = 0;
    for (const block of this.#partitions.blocksOf(partition)) {
      const words = wordsOf(block);
      const count = words.length / perRow;
      const chosen: number[] = [];
      for (let at = 0; at < count; at++) {
        if (passOf(words[at * perRow] as number, passes) === pass) chosen.push(at);
      }
      const answers = this.#set.add(rowsAt(words, chosen, perRow));
      for (const [at, isNew] of answers.entries()) {
        if (isNew === 1) this.marks.mark(partition, row + (chosen[at] as number));
      }
      row += count;
    }
  }
}

/** Returns the pass of a fingerprint whose first word is given, by bits that are the same in no partition. */
function passOf(firstWord: number, passes: number): number {
  return ((firstWord >>> 8) & 0xffff) % passes;
}

/** Returns some rows of fingerprints. */
function rowsAt(words: Uint32Array, rows: readonly number[], perRow: number): Uint8Array {
  const chosen = new Uint32Array(rows.length * perRow);
  for (const [to, row] of rows.entries()) {
    chosen.set(words.subarray(row * perRow, (row + 1) * perRow), to * perRow);
  }
  return new Uint8Array(chosen.buffer);
}
