import type { FingerprintSet } from "../../../fingerprints/fingerprint-set.ts";
import type { FingerprintBits } from "../../../fingerprints/table.ts";
import { addRows, addRowsAfter, type EarlierKeys } from "../per-key.ts";
import { eachPart, partRows } from "./partitions/part-rows.ts";
import type { PartitionCounts } from "./partitions/partition-counts.ts";
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

/** Counts keys that a store does not have. */
export interface FoundRows {
  /** Those that came before the rows of the inputs. */
  readonly leftOut: number;
  /** Those of which a row is written. */
  readonly size: number;
}

/** Holds the rows of which the first ones are found, and what for. */
export interface FirstRowsSetup {
  readonly partitions: Partitions;
  /** Has room for a part of the keys. */
  readonly set: FingerprintSet;
  readonly bits: FingerprintBits;
  /** Is asked about keys of earlier runs; null if they are among the rows. */
  readonly earlier: EarlierKeys | null;
  /** The most rows of a key that are written. */
  readonly perKey: number;
  /** Takes the places of the written rows; null if nobody needs them. */
  readonly places: PartitionCounts | null;
  /** Says how many bytes of disk the keys need. */
  readonly needed: () => string;
}

/** Finds the first rows of each key, partition by partition. Throws the reason of `signal`, an IoError, and `SET_FULL`. */
export async function findFirstRows(
  { partitions, set, bits, earlier, perKey, places, needed }: FirstRowsSetup,
  signal: AbortSignal,
): Promise<FoundRows & Pick<FirstRows, "marks">> {
  const marks = new PartitionMarks((partition) => partitions.inputRowsOf(partition));
  const passesOf = (partition: number): number => {
    const rows = partitions.rowsOf(partition);
    return rows <= set.capacity ? 1 : Math.ceil((UNEVEN * rows) / set.capacity);
  };
  let [leftOut, size] = [0, 0];
  let placeOf = new Float64Array(0);
  for await (const part of eachPart(passesOf, signal)) {
    const { partition } = part;
    if (places !== null && part.pass === 0)
      placeOf = new Float64Array(partitions.inputRowsOf(partition));
    for (const { fingerprints, isEarlier, first, others } of partRows(partitions, part, bits)) {
      const before = set.size;
      const most = isEarlier ? 1 : perKey;
      const added =
        earlier === null
          ? addRows(set, fingerprints, most)
          : await addRowsAfter(earlier, set, fingerprints, most);
      const answers = added.rows;
      const fresh = earlier === null ? set.size - before : countOf(answers);
      if (isEarlier) {
        leftOut += fresh;
        continue;
      }
      size += fresh;
      if (others === null) marks.markAnswers(partition, first, answers);
      for (const [at, row] of (others ?? []).entries()) {
        if (answers[at] === 1) marks.mark(partition, first + row);
      }
      if (places === null) continue;
      for (const [at, place] of added.places?.entries() ?? []) {
        placeOf[first + (others === null ? at : (others[at] as number))] = place;
      }
    }
    set.clear();
    const isLast = part.pass === part.passes - 1;
    if (isLast)
      places?.put(
        partition,
        placeOf.filter((place) => place > 0),
        needed,
      );
  }
  return { leftOut, size, marks };
}

/** Counts the answers that are 1. */
export function countOf(answers: Uint8Array): number {
  let count = 0;
  for (const answer of answers) count += answer;
  return count;
}
