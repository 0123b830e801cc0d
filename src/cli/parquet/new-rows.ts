import type { OnError } from "../job.ts";
import type { KeySet } from "../key-set.ts";
import type { UrlTexts } from "./url-texts.ts";

/** Holds what of a row group is written. */
export interface NewRows {
  /** A byte a row: 1 where it is written. */
  readonly isChosen: Uint8Array;
  readonly chosen: number;
  /** The rows that were merged with another. */
  readonly merged: number[];
  /** The fingerprints that are new, where they are kept. */
  readonly fresh: Uint8Array;
}

/** Chooses the first row of each key, and rows without one where they are kept. Each text is asked for once. */
export function newRows(urls: UrlTexts, keys: KeySet, onError: OnError): NewRows {
  const { rows, texts } = urls.column;
  const firstRows = firstRowsOf(rows, texts.length);
  const fingerprints = new Uint8Array(16 * firstRows.length);
  const status = new Uint8Array(firstRows.length);
  for (const [at, row] of firstRows.entries()) {
    const text = rows[row] as number;
    fingerprints.set(urls.fingerprints.subarray(16 * text, 16 * text + 16), 16 * at);
    status[at] = urls.status[text] as number;
  }
  const answers = keys.insert(fingerprints, status);
  const isChosen = new Uint8Array(rows.length);
  for (const [at, row] of firstRows.entries()) if (answers.rows[at] === 1) isChosen[row] = 1;
  const merged: number[] = [];
  let chosen = 0;
  for (let row = 0; row < rows.length; row++) {
    if (urls.codeOf(row) !== null) isChosen[row] = onError === "keep" ? 1 : 0;
    else if (isChosen[row] === 0) merged.push(row);
    chosen += isChosen[row] as number;
  }
  return { isChosen, chosen, merged, fresh: answers.fresh };
}

/** The first row of each text, in their order. */
function firstRowsOf(rows: Int32Array, texts: number): number[] {
  const isSeen = new Uint8Array(texts);
  const firstRows: number[] = [];
  for (let row = 0; row < rows.length; row++) {
    const text = rows[row] as number;
    if (text < 0 || isSeen[text] === 1) continue;
    isSeen[text] = 1;
    firstRows.push(row);
  }
  return firstRows;
}
