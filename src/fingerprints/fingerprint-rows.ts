import { isError } from "../base/status.ts";
import { wordsOf } from "./table.ts";

/** Holds the rows of a batch that a set is asked about. */
export interface AskedRows {
  readonly fingerprints: Uint8Array;
  /**
   * Returns the answers by row of the batch. Rows that were left out keep their answers. If `answers` are
   * fewer than the fingerprints, the result has fewer rows.
   */
  spread(answers: Uint8Array): Uint8Array;
}

/**
 * Leaves out the rows whose status is an error; the status is their answer. Moves the fingerprints of the
 * other rows together, in place. `width`: bytes of a fingerprint.
 */
export function keyedRows(fingerprints: Uint8Array, status: Uint8Array, width: number): AskedRows {
  let row = 0;
  while (row < status.length && !isError(status[row] as number)) row++;
  if (row === status.length) return { fingerprints, spread: (answers) => answers };
  const words = wordsOf(fingerprints);
  const perRow = width >> 2;
  let length = row * perRow;
  for (; row < status.length; row++) {
    if (isError(status[row] as number)) continue;
    const from = row * perRow;
    for (let word = 0; word < perRow; word++) words[length++] = words[from + word] as number;
  }
  return {
    fingerprints: new Uint8Array(words.buffer, words.byteOffset, 4 * length),
    spread: (answers) =>
      spreadOver(new Uint8Array(status), (row) => isError(status[row] as number), answers),
  };
}

/** Leaves out the rows whose mark is 1; their answer is 0. */
export function unmarkedRows(fingerprints: Uint8Array, marks: Uint8Array): AskedRows {
  if (!marks.includes(1)) return { fingerprints, spread: (answers) => answers };
  const isLeftOut = (row: number): boolean => marks[row] === 1;
  const unmarked = marks.map((mark) => 1 - mark);
  return {
    fingerprints: chosenRows(fingerprints, unmarked),
    spread: (answers) => spreadOver(new Uint8Array(marks.length), isLeftOut, answers),
  };
}

/** Puts answers into the rows that were not left out. */
function spreadOver(
  rows: Uint8Array,
  isLeftOut: (row: number) => boolean,
  answers: Uint8Array,
): Uint8Array {
  let answered = 0;
  for (let row = 0; row < rows.length; row++) {
    if (isLeftOut(row)) continue;
    if (answered === answers.length) return rows.subarray(0, row);
    rows[row] = answers[answered++] as number;
  }
  return rows;
}

/** Returns the fingerprints whose answer is 1. */
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
