import { isError } from "../../base/status.ts";
import type { ColumnResults } from "../../engine/engine.ts";
import type { ChunkPlace, Format } from "../../formats/format.ts";
import { KEY_BEFORE_LINE } from "../../formats/lines.ts";
import { hasUrl, RecordKind, RecordReader, type Records } from "../../formats/records.ts";
import type { Scanner } from "../../formats/scan/scanner.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import { toByteString } from "../../url/bytes.ts";
import { LF } from "../../url/codes.ts";
import { mergedEntry } from "../base/error-list.ts";
import type { Job } from "../call/job.ts";
import { keyForm } from "../call/key-form.ts";
import { RowTexts } from "./record-writer.ts";

/** Lists merged records of a run: `key<TAB>record<LF>` each. */
export class MergedList {
  readonly #normalizer: Normalizer;
  readonly #job: Job;
  readonly #format: Format;
  readonly #reader: RecordReader;
  readonly #write: ((url: string) => string) | null;

  /** `scans`: says whether WebAssembly may run. */
  constructor(normalizer: Normalizer, job: Job, format: Format, scans: boolean) {
    this.#normalizer = normalizer;
    this.#job = job;
    this.#format = format;
    this.#reader = new RecordReader(format, scans, true);
    this.#write = keyForm(job.form)?.write ?? null;
  }

  /** Returns the entries of records. */
  of(merged: Uint8Array, place: ChunkPlace): Uint8Array {
    const pieces: Uint8Array[] = [];
    for (const records of this.#reader.read(merged, place)) {
      const results = this.#normalizer.columnResults(records.urls, { base: this.#job.base });
      this.#add(pieces, merged, records, results);
    }
    return Buffer.concat(pieces);
  }

  #add(pieces: Uint8Array[], merged: Uint8Array, records: Records, results: ColumnResults): void {
    const { starts, kinds, rows } = records;
    const keys = new RowTexts(results);
    const scanner = this.#interleaver(records, results);
    const isSpecial = scanner === null ? null : specialRows(scanner, merged, records, results);
    let interleaved = 0;
    for (let row = 0; row <= rows; row++) {
      if (row < rows && isSpecial?.[row] === 0) continue;
      if (scanner !== null && interleaved < row)
        pieces.push(scanner.interleave(interleaved, row).bytes.slice());
      interleaved = row + 1;
      if (row === rows) return;
      const whole = withoutEnd(toByteString(merged.subarray(starts[row], starts[row + 1])));
      const isUrl = hasUrl(kinds[row] as number) && !isError(results.status[row] as number);
      const key = isUrl ? (this.#write?.(keys.at(row)) ?? keys.at(row)) : whole;
      pieces.push(Buffer.from(mergedEntry(key, whole), "latin1"));
    }
  }

  /** Returns the scanner, with the keys, if it may write entries. */
  #interleaver({ scanner }: Records, results: ColumnResults): Scanner | null {
    // Records are one line each only if the scanner has found them, and their format says so.
    if (scanner === null || this.#format.hasPlainLines !== true || this.#write !== null)
      return null;
    return scanner.loadKeys(results, KEY_BEFORE_LINE) ? scanner : null;
  }
}

/** Marks the rows that need more than their key before them: escapes, another line end, a key of their own. */
function specialRows(
  scanner: Scanner,
  merged: Uint8Array,
  { rows, starts, kinds }: Records,
  results: ColumnResults,
): Uint8Array {
  const isSpecial = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    const isPlain = hasUrl(kinds[row] as number) && kinds[row] !== RecordKind.READ;
    if (!isPlain || isError(results.status[row] as number)) isSpecial[row] = 1;
  }
  for (
    let row = scanner.nextEscaped(0, rows);
    row < rows;
    row = scanner.nextEscaped(row + 1, rows)
  ) {
    isSpecial[row] = 1;
  }
  // A last record without LF gets one.
  if (rows > 0 && merged[(starts[rows] as number) - 1] !== LF) isSpecial[rows - 1] = 1;
  return isSpecial;
}

/** Returns a record without its LF, CR LF or NUL. */
export function withoutEnd(text: string): string {
  if (!text.endsWith("\n")) return text.endsWith("\0") ? text.slice(0, -1) : text;
  return text.slice(0, text.endsWith("\r\n") ? -2 : -1);
}
