import type { Normalizer } from "../../normalizer.ts";
import type { TextColumn } from "../../parquet/chosen-rows.ts";
import { PlainValues } from "../../parquet/plain-values.ts";
import { isError, Status, statusName } from "../../status.ts";
import { type ChunkError, type ErrorList, packErrors } from "../error-list.ts";
import { NO_FIELD } from "../job.ts";
import type { RuleCounter } from "../rule-counter.ts";

/** Says what to make of the URLs of a row group. */
export interface UrlWork {
  readonly normalizer: Normalizer;
  readonly base: string | undefined;
  /** Holds the key of fingerprints; null if they are not needed. */
  readonly fingerprintKey: Uint8Array | null;
  /** Says whether keys are written or listed. */
  readonly writesKeys: boolean;
  /** Makes the key of a normalized URL, both as byte strings; null where the URL is its key. */
  readonly form: ((url: string) => string) | null;
  /** Counts changes by rule; null where they are not counted. */
  readonly rules: RuleCounter | null;
  /** Says whether rows without a URL are listed. */
  readonly lists: boolean;
}

/** The normalized texts, one after the other. */
interface KeyTexts {
  readonly data: Buffer;
  readonly offsets: Int32Array;
}

/** Holds the URLs of a row group, each different one normalized once where the file has a dictionary. */
export class UrlTexts {
  readonly column: TextColumn;
  /** A fingerprint for each text, 16 bytes; empty if they are not needed. */
  readonly fingerprints: Uint8Array;
  /** The status of each text. */
  readonly status: Uint8Array;
  /** Rows with a URL that was not in normal form. */
  changed = 0;
  readonly errorsByCode: Record<string, number> = {};
  /** The first row without a URL; null where all have one. */
  firstError: ChunkError | null = null;
  readonly errors: ErrorList;
  readonly #keys: KeyTexts | null;
  readonly #form: UrlWork["form"];

  constructor(column: TextColumn, work: UrlWork) {
    const { normalizer, base, fingerprintKey, rules } = work;
    const packed = { data: column.data, offsets: column.offsets };
    const options = base === undefined ? {} : { base };
    const counted = rules === null ? null : normalizer.columnReasons(packed, options);
    const keys = counted ?? (work.writesKeys ? normalizer.normalizeColumn(packed, options) : null);
    const keyed =
      fingerprintKey === null
        ? null
        : normalizer.fingerprintBatch(packed, { ...options, key: fingerprintKey });
    this.column = column;
    this.fingerprints = keyed?.fingerprints ?? new Uint8Array(0);
    this.status = (keyed ?? keys ?? normalizer.normalizeColumn(packed, options)).status;
    this.#keys = keys && {
      data: Buffer.from(keys.data.buffer, keys.data.byteOffset, keys.data.length),
      offsets: keys.offsets,
    };
    this.#form = work.form;
    this.errors = this.#count(work.lists);
    if (rules !== null && counted !== null) this.#countRules(rules, counted.reasons);
  }

  /** Why a row has no URL; null where it has one. */
  codeOf(row: number): string | null {
    const text = this.column.rows[row] as number;
    if (text < 0) return NO_FIELD;
    const status = this.status[text] as number;
    return isError(status) ? statusName(status) : null;
  }

  /** The bytes of a row's URL as they are in the file; null if the row has no value. */
  textOf(row: number): Uint8Array | null {
    const text = this.column.rows[row] as number;
    if (text < 0) return null;
    const { data, offsets } = this.column;
    return data.subarray(offsets[text], offsets[text + 1]);
  }

  /** The key of a text that is a URL. */
  keyOf(text: number): Uint8Array {
    const { data, offsets } = this.#keys as KeyTexts;
    const url = data.subarray(offsets[text], offsets[text + 1]);
    return this.#form === null ? url : Buffer.from(this.#form(url.toString("latin1")), "latin1");
  }

  /** Returns the key of each text; `otherwise` gives what one that is not a URL gets, which is not read where it is null. */
  keyTexts(otherwise: ((text: Uint8Array) => Uint8Array) | null): PlainValues {
    const { data, offsets } = this.column;
    const empty = new Uint8Array(0);
    return PlainValues.ofTexts(this.status.length, (text) => {
      if (!isError(this.status[text] as number)) return this.keyOf(text);
      return otherwise?.(data.subarray(offsets[text], offsets[text + 1])) ?? empty;
    });
  }

  #count(lists: boolean): ErrorList {
    const errors: ChunkError[] = [];
    const { rows } = this.column;
    for (let row = 0; row < rows.length; row++) {
      const text = rows[row] as number;
      if (text >= 0 && this.status[text] === Status.UNCHANGED) continue;
      if (text >= 0 && this.status[text] === Status.CHANGED) {
        this.changed++;
        continue;
      }
      const code = this.codeOf(row) as string;
      this.errorsByCode[code] = (this.errorsByCode[code] ?? 0) + 1;
      if (!lists && this.firstError !== null) continue;
      const error = { row, code, text: byteString(this.textOf(row) ?? new Uint8Array(0)) };
      this.firstError ??= error;
      errors.push(error);
    }
    return packErrors(lists ? errors : []);
  }

  /** Rows count, not texts. */
  #countRules(rules: RuleCounter, reasons: Uint32Array): void {
    const { rows } = this.column;
    const words = reasons.length / Math.max(1, this.status.length);
    const rowStatus = new Uint8Array(rows.length);
    const rowReasons = new Uint32Array(words * rows.length);
    for (let row = 0; row < rows.length; row++) {
      const text = rows[row] as number;
      if (text < 0) continue; // a status of 0 is that of a URL that was not changed
      rowStatus[row] = this.status[text] as number;
      for (let word = 0; word < words; word++) {
        rowReasons[words * row + word] = reasons[words * text + word] as number;
      }
    }
    rules.add(rowStatus, rowReasons, (row) => byteString(this.textOf(row) ?? new Uint8Array(0)));
  }
}

/** Returns bytes as a string, a character a byte. */
export function byteString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
