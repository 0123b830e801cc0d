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

/** Leaves out the rows whose status is none of a URL. `width`: bytes of a fingerprint. */
export function keyedRows(fingerprints: Uint8Array, status: Uint8Array, width: number): KeyedRows {
  const firstError = status.findIndex(isError);
  if (firstError < 0) return { fingerprints, spread: (answers) => answers };
  const kept = new Uint8Array(fingerprints);
  let length = firstError * width;
  for (let row = firstError; row < status.length; row++) {
    if (isError(status[row] as number)) continue;
    kept.copyWithin(length, row * width, (row + 1) * width);
    length += width;
  }
  return {
    fingerprints: kept.subarray(0, length),
    spread: (answers) => {
      const rows = new Uint8Array(status);
      let answered = 0;
      for (let row = 0; row < rows.length; row++) {
        if (isError(rows[row] as number)) continue;
        if (answered === answers.length) return rows.subarray(0, row);
        rows[row] = answers[answered++] as number;
      }
      return rows;
    },
  };
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
