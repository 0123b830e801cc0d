import { setImmediate } from "node:timers/promises";
import { type FingerprintBits, wordsOf } from "../../../../fingerprints/table.ts";
import { PARTITIONS, type Partitions } from "./partitions.ts";

/** Names a part of the keys of a partition, which are dealt with in several passes if they do not fit in memory together. */
export interface Part {
  readonly partition: number;
  readonly pass: number;
  readonly passes: number;
}

/** Holds rows of a part. */
export interface PartRows {
  readonly fingerprints: Uint8Array;
  /** Says that they come before the rows of the inputs, and their keys are left out. */
  readonly isEarlier: boolean;
  /** The number of the first row among those of the partition that are not earlier. */
  readonly first: number;
  /** The numbers of all rows from `first` on; null if they are one after the other. */
  readonly others: readonly number[] | null;
}

/**
 * Yields all parts, those of a partition one after the other. `passesOf`: returns into how many a partition is divided. Signals
 * are handled between them. Throws the reason of `signal`.
 */
export async function* eachPart(
  passesOf: (partition: number) => number,
  signal: AbortSignal,
): AsyncGenerator<Part, void, undefined> {
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const passes = passesOf(partition);
    for (let pass = 0; pass < passes; pass++) {
      await setImmediate();
      signal.throwIfAborted();
      yield { partition, pass, passes };
    }
  }
}

/** Yields the rows of a part, in order. The views are valid until the next step. Throws an IoError. */
export function* partRows(
  partitions: Partitions,
  { partition, pass, passes }: Part,
  bits: FingerprintBits,
): Generator<PartRows> {
  const width = bits / 8;
  let first = -partitions.earlierRowsOf(partition);
  for (const block of partitions.blocksOf(partition)) {
    const rows = block.length / width;
    const earlier = Math.min(rows, Math.max(0, -first));
    for (const [from, to] of [
      [0, earlier],
      [earlier, rows],
    ] as const) {
      if (from === to) continue;
      const fingerprints = block.subarray(width * from, width * to);
      const isEarlier = to === earlier;
      const others = passes === 1 ? null : rowsOfPass(fingerprints, bits, pass, passes);
      yield {
        fingerprints: others === null ? fingerprints : rowsAt(fingerprints, others, bits),
        isEarlier,
        first: first + from,
        others,
      };
    }
    first += rows;
  }
}

/** Returns the rows of a pass, by bits of their first word that are the same in no partition. */
function rowsOfPass(
  fingerprints: Uint8Array,
  bits: FingerprintBits,
  pass: number,
  passes: number,
): number[] {
  const words = wordsOf(fingerprints);
  const perRow = bits / 32;
  const rows: number[] = [];
  for (let row = 0; row * perRow < words.length; row++) {
    const firstWord = words[row * perRow] as number;
    if (((firstWord >>> 8) & 0xffff) % passes === pass) rows.push(row);
  }
  return rows;
}

/** Returns some rows of fingerprints. */
function rowsAt(
  fingerprints: Uint8Array,
  rows: readonly number[],
  bits: FingerprintBits,
): Uint8Array {
  const width = bits / 8;
  const chosen = new Uint8Array(rows.length * width);
  for (const [to, row] of rows.entries()) {
    chosen.set(fingerprints.subarray(row * width, (row + 1) * width), to * width);
  }
  return chosen;
}
