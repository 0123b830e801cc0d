import { LEFT_OUT } from "../../../base/marks.ts";
import { partitionOf } from "../../partition-of.ts";
import type { RowAnswers } from "../../winners/chosen-rows.ts";
import type { PartitionCounts } from "./partition-counts.ts";
import type { PartitionMarks } from "./partition-marks.ts";
import { PARTITIONS } from "./partitions.ts";

/** Tells what becomes of the rows of all partitions, in the order of the rows. */
export class PartitionAnswers implements RowAnswers {
  readonly #chosen: PartitionMarks;
  /** Marks rows that are the only ones of their key, if only repeated keys are written. Else null. */
  readonly #lone: PartitionMarks | null;
  /** Null if counts are not written. */
  readonly #counts: PartitionCounts | null;

  constructor(
    chosen: PartitionMarks,
    lone: PartitionMarks | null = null,
    counts: PartitionCounts | null = null,
  ) {
    this.#chosen = chosen;
    this.#lone = lone;
    this.#counts = counts;
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
}
