import type { KeySet } from "../keys/key-set.ts";
import { inSlices } from "./normalized-texts.ts";
import type { UrlTexts } from "./url-texts.ts";

/** Says which rows of a row group are written. A row without a URL is compared as a whole. */
export interface NewRows {
  /** One byte for each row: 1 if it is written. */
  readonly isChosen: Uint8Array;
  readonly chosen: number;
  /** The rows that were merged with another. */
  readonly merged: number[];
  /** The new fingerprints, if they are kept. */
  readonly fresh: Uint8Array;
}

/**
 * Chooses the first row of each key. Looks up each text once. `failed`: the fingerprints of the rows without a URL, 16
 * bytes each, or null if these rows are left out.
 */
export async function newRows(
  urls: UrlTexts,
  keys: KeySet,
  failed: Uint8Array | null,
  pause: () => Promise<void>,
): Promise<NewRows> {
  const { rows } = urls.column;
  const firstRows = firstRowsOf(rows, urls.status.length);
  const { fingerprints, status } = inRowOrder(urls, firstRows);
  const isChosen = new Uint8Array(rows.length);
  const fresh: Uint8Array[] = [];
  await inSlices(firstRows.length, pause, (from, to) => {
    const part = fingerprints.subarray(16 * from, 16 * to);
    const answers = keys.insert(part, status.subarray(from, to));
    for (let at = from; at < to; at++) {
      if (answers.rows[at - from] === 1) isChosen[firstRows[at] as number] = 1;
    }
    fresh.push(answers.fresh);
  });
  const kept = failed === null ? null : keys.insert(failed, new Uint8Array(failed.length / 16));
  if (kept !== null) fresh.push(kept.fresh);
  const merged: number[] = [];
  let chosen = 0;
  let failedRows = 0;
  for (let row = 0; row < rows.length; row++) {
    const isFailed = urls.failed[row] === 1;
    if (isFailed) isChosen[row] = kept?.rows[failedRows++] ?? 0;
    if (isChosen[row] === 0 && !(isFailed && kept === null)) merged.push(row);
    chosen += isChosen[row] as number;
  }
  return { isChosen, chosen, merged, fresh: Buffer.concat(fresh) };
}

/** Returns the fingerprints and statuses of the texts of some rows. */
function inRowOrder(
  { column, fingerprints, status }: UrlTexts,
  rows: Int32Array,
): Pick<UrlTexts, "fingerprints" | "status"> {
  const texts = rows.map((row) => column.rows[row] as number);
  // Without a dictionary, each text has its own row, in order.
  if (texts.length === status.length && texts.every((text, at) => text === at)) {
    return { fingerprints, status };
  }
  const ordered = new Uint8Array(16 * texts.length);
  for (let at = 0; at < texts.length; at++) {
    const from = 16 * (texts[at] as number);
    for (let byte = 0; byte < 16; byte++) {
      ordered[16 * at + byte] = fingerprints[from + byte] as number;
    }
  }
  return {
    fingerprints: ordered,
    status: Uint8Array.from(texts, (text) => status[text] as number),
  };
}

/** Returns the first row of each text, in the order of the texts. */
function firstRowsOf(rows: Int32Array, texts: number): Int32Array {
  const isSeen = new Uint8Array(texts);
  const firstRows = new Int32Array(texts);
  let count = 0;
  for (let row = 0; row < rows.length; row++) {
    const text = rows[row] as number;
    if (text < 0 || isSeen[text] === 1) continue;
    isSeen[text] = 1;
    firstRows[count++] = row;
  }
  return firstRows.subarray(0, count);
}
