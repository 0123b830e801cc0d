import { isError } from "../../base/status.ts";
import type { Column } from "../../engine/engine.ts";
import { KEYED, LEFT_OUT } from "../base/marks.ts";
import type { Answers, RowDecider } from "../keys/row-decider.ts";
import { inSlices } from "./normalized-texts.ts";
import type { UrlTexts } from "./url-texts.ts";

/** Bytes of a fingerprint. */
const FINGERPRINT = 16;

/** Holds what the set of keys is asked of a row group, each text once. */
export interface Lookups {
  /** The fingerprints of texts that are URLs, 16 bytes each, in the order of their first rows. */
  readonly fingerprints: Uint8Array;
  /** The fingerprints of the rows without a URL, 16 bytes each, or null if these rows are left out. */
  readonly failed: Uint8Array | null;
}

/** Says which rows of a row group are written. A row without a URL is compared as a whole. */
export interface NewRows {
  /** One byte for each row: 1 if it is written. */
  readonly isChosen: Uint8Array;
  readonly chosen: number;
  /** The number of rows of the key of each row that is written, in order, or null if they are not written. */
  readonly counts: Float64Array | null;
}

/** Holds what is asked about all rows of a row group, if each of them may be the one that is written. */
export interface GroupRows {
  /** 16 bytes for each row. */
  readonly fingerprints: Uint8Array;
  /** A status for each row: of a row that is left out, one that is an error. */
  readonly status: Uint8Array;
  /** The values by which rows are chosen, if they are. */
  readonly values: Column | undefined;
}

/**
 * Returns what is asked about all rows. `failed`: the fingerprints of the rows without a URL, or null if these are left out.
 */
export function groupRows(
  urls: UrlTexts,
  failed: Uint8Array | null,
  values: Column | undefined,
): GroupRows {
  const { failed: isFailed, fingerprints } = urls;
  const { rows } = urls.column;
  const all = Buffer.alloc(FINGERPRINT * rows.length);
  const status = new Uint8Array(rows.length).fill(KEYED);
  let failedRows = 0;
  for (let row = 0; row < rows.length; row++) {
    const source = isFailed[row] === 1 ? failed : fingerprints;
    if (source === null || urls.isBlocked(row)) {
      status[row] = LEFT_OUT;
      continue;
    }
    const from = FINGERPRINT * (source === failed ? failedRows++ : (rows[row] as number));
    all.set(source.subarray(from, from + FINGERPRINT), FINGERPRINT * row);
  }
  return { fingerprints: all, status, values };
}

/** Asks about all rows of a row group, in order. Waits for `pause` at intervals. */
export async function answerRows(
  { fingerprints, status, values }: GroupRows,
  keys: RowDecider,
  pause: () => Promise<void>,
): Promise<Answers> {
  const rows = new Uint8Array(status.length);
  const counts: number[] = [];
  const fresh: Uint8Array[] = [];
  let merged = 0;
  let unrepeated = 0;
  let hasCounts = false;
  await inSlices(status.length, pause, async (from, to) => {
    const part = fingerprints.slice(FINGERPRINT * from, FINGERPRINT * to);
    const answers = await keys.insert(part, status.subarray(from, to), slice(values, from, to));
    rows.set(answers.rows, from);
    merged += answers.merged;
    unrepeated += answers.unrepeated;
    fresh.push(answers.fresh);
    hasCounts ||= answers.counts !== null;
    for (const count of answers.counts ?? []) counts.push(count);
  });
  return {
    rows,
    merged,
    unrepeated,
    counts: hasCounts ? Float64Array.from(counts) : null,
    fresh: Buffer.concat(fresh),
  };
}

function slice(values: Column | undefined, from: number, to: number): Column | undefined {
  return values && { data: values.data, offsets: values.offsets.subarray(from, to + 1) };
}

/** Returns the lookups of the URLs of a row group, whose first rows are `firstRows`. */
export function lookupsOf(
  urls: UrlTexts,
  firstRows: Int32Array,
  failed: Uint8Array | null,
): Lookups {
  return { fingerprints: inRowOrder(urls, firstRows), failed };
}

export function answerBytes({ fingerprints, failed }: Lookups): number {
  return (fingerprints.length + (failed?.length ?? 0)) / FINGERPRINT;
}

/** Asks the set. Returns a byte for each URL and then for each row without a URL: 1 if it is new. */
export async function answerLookups(
  lookups: Lookups,
  keys: RowDecider,
  pause: () => Promise<void>,
): Promise<Pick<Answers, "rows" | "fresh">> {
  const rows = new Uint8Array(answerBytes(lookups));
  const fresh: Uint8Array[] = [];
  let answered = 0;
  for (const asked of [lookups.fingerprints, lookups.failed ?? new Uint8Array(0)]) {
    await inSlices(asked.length / FINGERPRINT, pause, async (from, to) => {
      const part = asked.subarray(FINGERPRINT * from, FINGERPRINT * to);
      const answers = await keys.insert(part, new Uint8Array(to - from));
      rows.set(answers.rows, answered);
      answered += to - from;
      fresh.push(answers.fresh);
    });
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
  const { failed } = urls;
  const isChosen = new Uint8Array(failed.length);
  let chosen = 0;
  let answered = 0;
  for (; answered < firstRows.length; answered++) {
    const answer = answers[answered] as number;
    isChosen[firstRows[answered] as number] = answer;
    chosen += answer;
  }
  if (!keepsFailed) return { isChosen, chosen, counts: null };
  for (let row = failed.indexOf(1); row >= 0; row = failed.indexOf(1, row + 1)) {
    const answer = answers[answered++] as number;
    isChosen[row] = answer;
    chosen += answer;
  }
  return { isChosen, chosen, counts: null };
}

/** Returns the fingerprints of the texts of some rows. */
function inRowOrder({ column, fingerprints }: UrlTexts, rows: Int32Array): Uint8Array {
  const words = new Int32Array(
    fingerprints.buffer,
    fingerprints.byteOffset,
    fingerprints.length / 4,
  );
  const ordered = new Int32Array(4 * rows.length);
  let length = 0;
  for (let at = 0; at < rows.length; at++) {
    const from = 4 * (column.rows[rows[at] as number] as number);
    ordered[length++] = words[from] as number;
    ordered[length++] = words[from + 1] as number;
    ordered[length++] = words[from + 2] as number;
    ordered[length++] = words[from + 3] as number;
  }
  return new Uint8Array(ordered.buffer);
}

/** Returns the first row of each text that is a URL, in the order of the rows. */
export function firstRowsOf({ column: { rows }, status }: UrlTexts): Int32Array {
  // A text is left out if it is not a URL or was seen.
  const isLeftOut = new Uint8Array(status.length);
  for (let text = 0; text < status.length; text++) {
    if (isError(status[text] as number)) isLeftOut[text] = 1;
  }
  const firstRows = new Int32Array(status.length);
  let count = 0;
  for (let row = 0; row < rows.length; row++) {
    const text = rows[row] as number;
    if (text < 0 || isLeftOut[text] === 1) continue;
    isLeftOut[text] = 1;
    firstRows[count++] = row;
  }
  return firstRows.subarray(0, count);
}
