import { isError, Status } from "../../base/status.ts";
import type { ParquetPeers } from "../../parquet/peers.ts";
import { PlainValues } from "../../parquet/plain-values.ts";
import type { TextColumn } from "../../parquet/text-reader.ts";
import { type ChunkError, type ErrorList, packErrors } from "../base/error-list.ts";
import { BLOCKED, codeOfStatus, NO_FIELD } from "../base/marks.ts";
import type { StepCounter } from "../rows/step-counter.ts";
import { NormalizedTexts, type TextWork } from "./normalized-texts.ts";

/** Says how to process the URLs of a row group. */
export interface UrlWork extends TextWork {
  /** Counts changes by step. It is null if they are not counted. */
  readonly steps: StepCounter | null;
  /** Says whether rows without a URL are listed. */
  readonly lists: boolean;
}

/** Holds the URLs of a row group. If the file has a dictionary, each different URL is normalized once. */
export class UrlTexts {
  readonly column: TextColumn;
  /** The number of rows with a URL that was not in normal form. */
  changed = 0;
  readonly errorsByCode: Record<string, number> = {};
  /** The first row without a URL, or null if all rows have one. */
  firstError: ChunkError | null = null;
  readonly errors: ErrorList;
  /** The number of rows that a list leaves out. */
  blocked = 0;
  /** Has a byte for each row: 1 if it has no URL. Rows that a list leaves out have one. */
  readonly failed: Uint8Array;
  readonly #normalized: NormalizedTexts;
  readonly #form: UrlWork["form"];

  private constructor(column: TextColumn, normalized: NormalizedTexts, work: UrlWork) {
    this.column = column;
    this.#normalized = normalized;
    this.#form = work.form;
    this.failed = new Uint8Array(column.rows.length);
    this.errors = this.#count(work);
    if (work.steps !== null) this.#countSteps(work.steps, normalized.reasons);
  }

  /** Normalizes the URLs of a column. Waits for `pause` at intervals. */
  static async of(
    column: TextColumn,
    work: UrlWork,
    pause: () => Promise<void>,
  ): Promise<UrlTexts> {
    const normalized = await NormalizedTexts.of(column, work, work.steps !== null, pause);
    return new UrlTexts(column, normalized, work);
  }

  /** Returns a fingerprint for each text, 16 bytes. The result is empty if fingerprints are not needed. */
  get fingerprints(): Uint8Array {
    return this.#normalized.fingerprints;
  }

  get status(): Uint8Array {
    return this.#normalized.status;
  }

  /** Returns why a row has no URL, or null if it has one. */
  codeOf(row: number): string | null {
    const text = this.column.rows[row] as number;
    if (text < 0) return NO_FIELD;
    const status = this.status[text] as number;
    return isError(status) ? codeOfStatus(status) : null;
  }

  /** Returns the bytes of a row's URL as in the file, or null if the row has no value. */
  textOf(row: number): Uint8Array | null {
    const text = this.column.rows[row] as number;
    return text < 0 ? null : this.column.textOf(text);
  }

  keyOf(text: number): Uint8Array {
    const url = this.#normalized.keyOf(text);
    return this.#form === null
      ? url
      : Buffer.from(this.#form.write(url.toString("latin1")), "latin1");
  }

  /**
   * Returns the key of each text. `otherwise` gives the key of a text that is not a URL. If it is null, the text is
   * not read.
   */
  keyTexts(
    otherwise: ((text: Uint8Array) => Uint8Array) | null,
    { ByteWriter }: ParquetPeers,
  ): PlainValues {
    const empty = new Uint8Array(0);
    const textOf = (text: number): Uint8Array => {
      if (!isError(this.status[text] as number)) return this.keyOf(text);
      return otherwise?.(this.column.textOf(text)) ?? empty;
    };
    return PlainValues.ofTexts(this.status.length, textOf, new ByteWriter());
  }

  isBlocked(row: number): boolean {
    return this.status[this.column.rows[row] as number] === BLOCKED;
  }

  #count({ lists, fingerprintKey }: UrlWork): ErrorList {
    const errors: ChunkError[] = [];
    const { rows } = this.column;
    const { status } = this;
    for (let row = 0; row < rows.length; row++) {
      const text = rows[row] as number;
      if (text >= 0 && status[text] === Status.UNCHANGED) continue;
      if (text >= 0 && status[text] === Status.CHANGED) {
        this.changed++;
        continue;
      }
      const isBlocked = this.isBlocked(row);
      if (isBlocked) this.blocked++;
      else this.failed[row] = 1;
      const code = this.codeOf(row) as string;
      this.errorsByCode[code] = (this.errorsByCode[code] ?? 0) + 1;
      if (!lists && this.firstError !== null) continue;
      const error = { row, code, text: byteString(this.textOf(row) ?? new Uint8Array(0)) };
      // To leave out what is blocked is no error of `dedupe`.
      if (!isBlocked || fingerprintKey === null) this.firstError ??= error;
      errors.push(error);
    }
    return packErrors(lists ? errors : []);
  }

  /** Counts rows, not texts. */
  #countSteps(steps: StepCounter, reasons: Uint32Array): void {
    const { rows } = this.column;
    const { status } = this;
    const words = reasons.length / Math.max(1, status.length);
    const rowStatus = new Uint8Array(rows.length);
    const rowReasons = new Uint32Array(words * rows.length);
    for (let row = 0; row < rows.length; row++) {
      const text = rows[row] as number;
      if (text < 0) continue; // a status of 0 would mean a URL that was not changed
      rowStatus[row] = status[text] as number;
      for (let word = 0; word < words; word++) {
        rowReasons[words * row + word] = reasons[words * text + word] as number;
      }
    }
    steps.add(rowStatus, rowReasons, (row) => byteString(this.textOf(row) ?? new Uint8Array(0)));
  }
}

/** Returns bytes as a string, one character a byte. */
export function byteString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
