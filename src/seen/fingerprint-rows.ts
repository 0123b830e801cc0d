import { isError } from "../status.ts";
import { wordsOf } from "./memory/table.ts";

/** The rows of a batch that have a fingerprint, for a set to answer. */
export interface KeyedRows {
  readonly fingerprints: Uint8Array;
  /**
   * The answers by row of the batch, in the place of its status; rows without a fingerprint keep theirs.
   * Fewer answers than fingerprints give fewer rows.
   */
  spread(answers: Uint8Array): Uint8Array;
}

/**
 * Leaves out the rows whose status is none of a URL: moves the fingerprints of the others together,
 * where they are. `width`: bytes of a fingerprint.
 */
export function keyedRows(fingerprints: Uint8Array, status: Uint8Array, width: number): KeyedRows {
  const runs = runsOf(status);
  const isWhole = runs.length === 1 && runs[0]?.first === 0 && runs[0].end === status.length;
  if (isWhole) return { fingerprints, spread: (answers) => answers };
  let length = 0;
  for (const { first, end } of runs) {
    fingerprints.copyWithin(length, first * width, end * width);
    length += (end - first) * width;
  }
  return {
    fingerprints: fingerprints.subarray(0, length),
    spread: (answers) => {
      const rows = new Uint8Array(status);
      let answered = 0;
      for (const { first, end } of runs) {
        const given = answers.subarray(answered, answered + end - first);
        rows.set(given, first);
        answered += given.length;
        if (given.length < end - first) return rows.subarray(0, first + given.length);
      }
      return rows;
    },
  };
}

/** The runs of rows, `[first, end)`, whose status is that of a URL. */
function runsOf(status: Uint8Array): { readonly first: number; readonly end: number }[] {
  const runs: { first: number; end: number }[] = [];
  let first = 0;
  for (let row = 0; row <= status.length; row++) {
    if (row < status.length && !isError(status[row] as number)) continue;
    if (row > first) runs.push({ first, end: row });
    first = row + 1;
  }
  return runs;
}

/** The fingerprints whose answer is 1. */
export function chosenRows(fingerprints: Uint8Array, answers: Uint8Array): Uint8Array {
  const words = wordsOf(fingerprints);
  const perRow = words.length / answers.length;
  const chosen = new Uint32Array(words.length);
  let length = 0;
  for (let row = answers.indexOf(1); row >= 0; row = answers.indexOf(1, row + 1)) {
    for (let word = 0; word < perRow; word++) {
      chosen[length++] = words[row * perRow + word] as number;
    }
  }
  return new Uint8Array(chosen.buffer, 0, 4 * length);
}
