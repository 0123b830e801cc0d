import { UrlmillError } from "../../base/errors.ts";
import { isError } from "../../base/status.ts";
import { ByteBuilder } from "../../engine/byte-builder.ts";
import { fieldsOfHeader, isCdxHeader } from "../../formats/archives/cdx.ts";
import { CdxjReader } from "../../formats/archives/cdxj.ts";
import { formatOf, urlField } from "../../formats/index.ts";
import { hasUrl, RecordKind, RecordReader, type Records } from "../../formats/records.ts";
import { BYTES, isBlank, Malformed } from "../../formats/row.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import { toByteString } from "../../url/bytes.ts";
import { codeOfStatus } from "../base/marks.ts";
import { InputHeaders } from "../call/input-headers.ts";
import { RowTexts } from "../rows/record-writer.ts";

const LF = 0x0a;
/** What CDX has in the place of a URL that is not known. */
const NOTHING = "-";

export interface NewKeys {
  readonly normalizer: Normalizer;
  /** Returns what is written of a result of the normalizer, both byte strings; null if that is the result itself. */
  readonly write: ((url: string) => string) | null;
}

/** Says where the keys of an input are, and reads its URLs. */
interface Reading {
  readonly reader: RecordReader;
  readonly headers: InputHeaders;
  readonly separator: string;
  readonly column: number;
}

/** Writes the lines of an input with new keys, chunk by chunk. */
export class RekeyedLines {
  readonly #keys: NewKeys;
  readonly #shown: string;
  /** Null before the first line that is not blank. */
  #reading: Reading | null = null;
  #urls = new Uint8Array(0);
  /** The lines of the last chunk. */
  rows = 0;

  constructor(keys: NewKeys, shown: string) {
    this.#keys = keys;
    this.#shown = shown;
  }

  /**
   * Returns whole lines with new keys. Calls `keep` with the number of each that gets none, from 0 on, and why. Throws
   * `BAD_OPTION` if the header has no key or no URL.
   */
  rekey(text: Uint8Array, keep: (row: number, reason: string) => void): Uint8Array {
    this.rows = 0;
    this.#reading ??= this.#read(text);
    if (this.#reading === null) {
      for (const byte of text) if (byte === LF) this.rows++;
      return text;
    }
    const { reader, headers } = this.#reading;
    const out = ByteBuilder.withRoom(text.length + (text.length >> 2));
    const place = headers.placeOf(text);
    try {
      for (const records of reader.read(text, place)) this.#write(text, records, out, keep);
    } catch (error) {
      // A header after records names other columns.
      if (!(error instanceof UrlmillError)) throw error;
      throw new UrlmillError(error.code, `${this.#shown}: ${error.message}`);
    }
    return out.bytes();
  }

  #write(
    text: Uint8Array,
    records: Records,
    out: ByteBuilder,
    keep: (row: number, reason: string) => void,
  ): void {
    const { normalizer, write } = this.#keys;
    const results = normalizer.columnResults(records.urls, { into: this.#urls });
    this.#urls = new Uint8Array(results.data.buffer);
    const keys = new RowTexts(results);
    const urls = new RowTexts(records.urls);
    /** What comes before this place is written. */
    let done = records.starts[0] as number;
    for (let row = 0; row < records.rows; row++) {
      const kind = records.kinds[row] as number;
      if (kind === RecordKind.HEADER || kind === RecordKind.REPEATED) continue;
      const reason = whyNone(kind, results.status[row] as number, () => urls.at(row));
      const start = records.starts[row] as number;
      const end = records.starts[row + 1] as number;
      const place = reason === null ? this.#keyOf(text.subarray(start, end)) : null;
      if (reason !== null || place === null) {
        keep(this.rows + row, reason ?? "it has too few fields");
        continue;
      }
      const key = write === null ? keys.at(row) : write(keys.at(row));
      out.append(text.subarray(done, start + place.from));
      out.append(Buffer.from(key, "latin1"));
      done = start + place.to;
    }
    out.append(text.subarray(done, records.starts[records.rows]));
    this.rows += records.rows;
  }

  /** Returns where the key of a line is, or null if the line ends before it does. */
  #keyOf(line: Uint8Array): { from: number; to: number } | null {
    const { separator, column } = this.#reading as Reading;
    const byte = separator.charCodeAt(0);
    let from = 0;
    let to = line.indexOf(byte);
    for (let left = column; left > 0 && to >= 0; left--) {
      from = to + 1;
      to = line.indexOf(byte, from);
    }
    return to < 0 ? null : { from, to };
  }

  /** Finds out what the lines are by the first one that is not blank. */
  #read(text: Uint8Array): Reading | null {
    const line = firstLine(text);
    if (line === null) return null;
    const isCdxj = /^[!@]/.test(line) || isCapture(line);
    const name = isCdxj ? "cdxj" : "cdx";
    const format = formatOf(name, urlField(name, {}));
    const headers = new InputHeaders(format, null);
    headers.start(this.#shown);
    const isScanned = this.#keys.normalizer.engine === "wasm";
    const reader = new RecordReader(format, isScanned);
    if (!isCdxHeader(line)) return { reader, headers, separator: " ", column: 0 };
    const { separator, letters } = fieldsOfHeader(line);
    const column = letters.indexOf("N");
    if (column >= 0) return { reader, headers, separator, column };
    throw new UrlmillError(
      "BAD_OPTION",
      `${this.#shown}: CDX lines have no column N, the key; the columns are ${letters.join(", ")}`,
    );
  }
}

/** Returns why a line gets no key, or null if it gets one. */
function whyNone(kind: number, status: number, url: () => string): string | null {
  if (kind === RecordKind.MALFORMED) return "it is damaged";
  if (!hasUrl(kind) || url() === NOTHING) return "it has no original URL";
  return isError(status) ? `its original URL is not a URL (${codeOfStatus(status)})` : null;
}

/** Returns the first line that is not blank, a byte string without its line end. */
function firstLine(text: Uint8Array): string | null {
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf(LF, from);
    const end = next < 0 ? text.length : next;
    const line = toByteString(text.subarray(from, end)).replace(/\r$/, "");
    if (!isBlank(line)) return line;
    from = end + 1;
  }
  return null;
}

function isCapture(line: string): boolean {
  const row = new CdxjReader([], BYTES).read(line);
  return row !== null && !(row instanceof Malformed);
}
