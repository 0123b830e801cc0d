import type { Answers, KeySet } from "../keys/key-set.ts";
import { inSlices } from "./normalized-texts.ts";
import type { UrlTexts } from "./url-texts.ts";

/** Holds what the set of keys is asked of a row group, each text once. */
export interface Lookups {
  /** The fingerprints of texts, 16 bytes each, in the order of their first rows. */
  readonly fingerprints: Uint8Array;
  /** The statuses of these texts. */
  readonly status: Uint8Array;
  /** The fingerprints of the rows without a URL, 16 bytes each, or null if these rows are left out. */
  readonly failed: Uint8Array | null;
}

/** Says which rows of a row group are written. A row without a URL is compared as a whole. */
export interface NewRows {
  /** One byte for each row: 1 if it is written. */
  readonly isChosen: Uint8Array;
  readonly chosen: number;
  /** The rows that were merged with another. */
  readonly merged: number[];
}

/** Returns the lookups of the texts of a row group, whose first rows are `firstRows`. */
export function lookupsOf(
  urls: UrlTexts,
  firstRows: Int32Array,
  failed: Uint8Array | null,
): Lookups {
  return { ...inRowOrder(urls, firstRows), failed };
}

/** Counts the bytes of the answer to lookups. */
export function answerBytes({ status, failed }: Lookups): number {
  return status.length + (failed?.length ?? 0) / 16;
}

/** Asks the set. Returns a byte for each text and then for each row without a URL: 1 if it is new. */
export async function answerLookups(
  lookups: Lookups,
  keys: KeySet,
  pause: () => Promise<void>,
): Promise<Answers> {
  const { fingerprints, status, failed } = lookups;
  const rows = new Uint8Array(answerBytes(lookups));
  const fresh: Uint8Array[] = [];
  await inSlices(status.length, pause, (from, to) => {
    const part = fingerprints.subarray(16 * from, 16 * to);
    const answers = keys.insert(part, status.subarray(from, to));
    rows.set(answers.rows, from);
    fresh.push(answers.fresh);
  });
  if (failed !== null) {
    const answers = keys.insert(failed, new Uint8Array(failed.length / 16));
    rows.set(answers.rows, status.length);
    fresh.push(answers.fresh);
  }
  return { rows, fresh: Buffer.concat(fresh) };
}

/** Chooses the first row of each key by the answers to lookups. `keepsFailed`: whether rows without a URL were looked up. */
export function newRows(
  urls: UrlTexts,
  firstRows: Int32Array,
  answers: Uint8Array,
  keepsFailed: boolean,
): NewRows {
  const { rows } = urls.column;
  const isChosen = new Uint8Array(rows.length);
  for (let at = 0; at < firstRows.length; at++) {
    if (answers[at] === 1) isChosen[firstRows[at] as number] = 1;
  }
  const merged: number[] = [];
  let chosen = 0;
  let failedAt = firstRows.length;
  for (let row = 0; row < rows.length; row++) {
    const isFailed = urls.failed[row] === 1;
    if (isFailed) isChosen[row] = keepsFailed ? (answers[failedAt++] as number) : 0;
    if (isChosen[row] === 0 && (!isFailed || keepsFailed)) merged.push(row);
    chosen += isChosen[row] as number;
  }
  return { isChosen, chosen, merged };
}

/** Returns the fingerprints and statuses of the texts of some rows. */
function inRowOrder(
  { column, fingerprints, status }: UrlTexts,
  rows: Int32Array,
): Pick<Lookups, "fingerprints" | "status"> {
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
export function firstRowsOf({ column: { rows }, status }: UrlTexts): Int32Array {
  const isSeen = new Uint8Array(status.length);
  const firstRows = new Int32Array(status.length);
  let count = 0;
  for (let row = 0; row < rows.length; row++) {
    const text = rows[row] as number;
    if (text < 0 || isSeen[text] === 1) continue;
    isSeen[text] = 1;
    firstRows[count++] = row;
  }
  return firstRows.subarray(0, count);
}
