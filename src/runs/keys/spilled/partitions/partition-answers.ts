import { LEFT_OUT } from "../../../base/marks.ts";
import { partitionOf } from "../../partition-of.ts";
import type { RowAnswers } from "../../winners/chosen-rows.ts";
import type { PartitionCounts } from "./partition-counts.ts";
import type { PartitionMarks } from "./partition-marks.ts";
import { PARTITIONS } from "./partitions.ts";

/** Holds what is known of rows besides whether they are written. */
interface BesidesChosen {
  readonly lone: PartitionMarks | null;
  readonly counts: PartitionCounts | null;
  readonly places: PartitionCounts | null;
}

/** Tells what becomes of the rows of all partitions, in the order of the rows. */
export class PartitionAnswers implements RowAnswers {
  readonly #chosen: PartitionMarks;
  /** Marks rows that are the only ones of their key, if only repeated keys are written. Else null. */
  readonly #lone: PartitionMarks | null;
  /** Null if counts are not written. */
  readonly #counts: PartitionCounts | null;
  /** Null if one row of each key is written. */
  readonly #places: PartitionCounts | null;

  constructor(
    chosen: PartitionMarks,
    { lone = null, counts = null, places = null }: Partial<BesidesChosen>,
  ) {
    this.#chosen = chosen;
    this.#lone = lone;
    this.#counts = counts;
    this.#places = places;
  }

  get hasCounts(): boolean {
    return this.#counts !== null;
  }

  answer(_: number, firstWord: number): number {
    const partition = partitionOf(firstWord, PARTITIONS);
    const isLone = this.#lone?.next(partition) === 1;
    if (this.#chosen.next(partition) === 1) return 1;
    return isLone ? LEFT_OUT : 0;
  }

  count(firstWord: number): number {
    return this.#counts?.next(partitionOf(firstWord, PARTITIONS)) as number;
  }

  place(firstWord: number): number {
    return this.#places?.next(partitionOf(firstWord, PARTITIONS)) ?? 1;
  }
}
