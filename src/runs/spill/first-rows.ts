import type { FingerprintSet } from "../../seen/memory/fingerprint-set.ts";
import type { FingerprintBits } from "../../seen/memory/table.ts";
import { eachPart, partRows } from "./partitions/part-rows.ts";
import { PartitionMarks } from "./partitions/partition-marks.ts";
import type { Partitions } from "./partitions/partitions.ts";

/** How much more than its share of the keys of a partition one of several passes can get. */
export const UNEVEN = 1.1;

/** Says which rows are the first of their keys. */
export interface FirstRows {
  /** The number of keys, with those that came before. */
  readonly size: number;
  readonly marks: PartitionMarks;
}

/**
 * Finds the first row of each key, partition by partition, with a set that has room for a part of the keys. Throws the reason of
 * `signal`, an IoError, and `SET_FULL`.
 */
export async function findFirstRows(
  partitions: Partitions,
  set: FingerprintSet,
  bits: FingerprintBits,
  signal: AbortSignal,
): Promise<FirstRows> {
  const marks = new PartitionMarks((partition) => partitions.inputRowsOf(partition));
  const passesOf = (partition: number): number => {
    const rows = partitions.rowsOf(partition);
    return rows <= set.capacity ? 1 : Math.ceil((UNEVEN * rows) / set.capacity);
  };
  let size = 0;
  for await (const part of eachPart(passesOf, signal)) {
    for (const { fingerprints, isEarlier, first, others } of partRows(partitions, part, bits)) {
      const answers = set.add(fingerprints);
      if (isEarlier) continue;
      if (others === null) marks.markAnswers(part.partition, first, answers);
      for (const [at, row] of (others ?? []).entries()) {
        if (answers[at] === 1) marks.mark(part.partition, first + row);
      }
    }
    size += set.size;
    set.clear();
  }
  return { size, marks };
}
