import { RowBits } from "../keep/row-bits.ts";
import { PARTITIONS, partitionOf } from "./partitions.ts";

/** Marks rows of partitions, with a bit for each, and tells them again in the order of all rows. */
export class PartitionMarks {
  readonly #bits: readonly RowBits[];
  /** The number of rows of each partition that were asked about. */
  readonly #asked = new Float64Array(PARTITIONS);

  /** `rowsOf`: returns the number of rows of a partition. */
  constructor(rowsOf: (partition: number) => number) {
    this.#bits = Array.from({ length: PARTITIONS }, (_, at) => new RowBits(rowsOf(at)));
  }

  /** Marks a row of a partition by its number there. */
  mark(partition: number, row: number): void {
    this.#bits[partition]?.mark(row);
  }

  /** Returns whether the next row is marked. `firstWord`: the first word of its fingerprint. Ask once for each row, in order. */
  isMarked(_row: number, firstWord: number): boolean {
    const partition = partitionOf(firstWord);
    const row = this.#asked[partition] as number;
    this.#asked[partition] = row + 1;
    return (this.#bits[partition] as RowBits).isMarked(row);
  }
}
