import { isArchive } from "../../formats/archives/archive.ts";
import { Malformed } from "../../formats/row.ts";
import { type UrlField, urlField } from "../../formats/url-field.ts";
import { ArchiveReadings } from "./archive-records.ts";
import { lineReader, type RecordFormat, type RecordOptions } from "./format.ts";
import { LineSplitter } from "./line-splitter.ts";
import type { LearnRecord, LineReader, Reading, TakeReading } from "./record.ts";
import { WholeRecords } from "./whole-records.ts";

export { detectFormat } from "../../formats/detect-format.ts";
export { RECORD_FORMATS, type RecordFormat, type RecordOptions } from "./format.ts";

/** Describes a malformed line. */
export interface LineError {
  /** Gives the number of the line, or of the record of a web archive, from 1 on. */
  readonly line: number;
  /** Says, for people, what is wrong with the line. */
  readonly reason: string;
}

const KEPT_ERRORS = 100;

/**
 * Reads the records of one input from its bytes, UTF-8 with LF or CR LF. A malformed line is counted and skipped. The
 * strings of a record may keep the text of their chunk in memory: copy them if you keep few of many.
 *
 * @example
 * const reader = new RecordReader("tsv");
 * reader.push(Buffer.from("url\tfp\nhttp://a/\tcls:1\n"), true); // [{ url: "http://a/", fp: "cls:1" }]
 */
export class RecordReader {
  /** Lists the first hundred malformed lines. */
  readonly errors: LineError[] = [];
  readonly #readings: Readings;
  readonly #fpNames = new Set<string>();
  #records: LearnRecord[] = [];
  #failed = 0;

  /** Makes a reader for one input. Throws `BAD_OPTION` for an option that it does not know or cannot take. */
  constructor(format: RecordFormat, options: RecordOptions = {}) {
    const field = urlField(format, options);
    const take: TakeReading = (reading, line) => this.#take(reading, line);
    this.#readings = readingsOf(format, field, options, take, this.#fpNames);
  }

  /**
   * Names the columns or members that fingerprints were taken from so far. It stays empty for formats whose
   * fingerprints have one place, such as CDX.
   */
  get fpNames(): ReadonlySet<string> {
    return this.#fpNames;
  }

  /** Counts the lines so far, blank lines and headers too; the records of a web archive. */
  get lines(): number {
    return this.#readings.lines;
  }

  /** Counts the malformed lines so far, or the malformed rows of a line with several. */
  get failed(): number {
    return this.#failed;
  }

  /**
   * Returns the records that end in the next bytes, whose memory may be used again after the call. Give `final` with
   * the last bytes, which may be empty. Throws `BAD_OPTION` if a header lacks what is needed, or an access log without
   * hosts is read without an origin.
   */
  push(chunk: Uint8Array, final: boolean): LearnRecord[] {
    this.#records = [];
    this.#readings.push(chunk, final);
    const records = this.#records;
    this.#records = [];
    return records;
  }

  #take(reading: Reading, line: number): void {
    if (reading === null) return;
    if (!(reading instanceof Malformed)) {
      this.#records.push(reading);
      return;
    }
    this.#failed++;
    if (this.errors.length < KEPT_ERRORS) this.errors.push({ line, reason: reading.reason });
  }
}

function readingsOf(
  format: RecordFormat,
  field: UrlField,
  options: RecordOptions,
  take: TakeReading,
  fpNames: Set<string>,
): Readings {
  if (format === "sitemap") return WholeRecords.ofSitemap(take);
  if (isArchive(format)) return new ArchiveReadings(format, take);
  const read = lineReader(format, field, options, fpNames);
  if (format === "csv" || format === "TabSeparated")
    return WholeRecords.ofTable(format, read, take);
  return new LineReadings(read, take);
}

/** Cuts the bytes of an input into readings. */
interface Readings {
  readonly lines: number;
  push(chunk: Uint8Array, final: boolean): void;
}

/** Cuts an input into lines and reads each. */
class LineReadings implements Readings {
  lines = 0;
  readonly #splitter: LineSplitter;

  constructor(read: LineReader, take: TakeReading) {
    this.#splitter = new LineSplitter({
      line: (text) => {
        this.lines++;
        const reading = read(text);
        if (!isList(reading)) return take(reading, this.lines);
        for (const row of reading) take(row, this.lines);
      },
      badLine: (reason) => take(new Malformed(reason), ++this.lines),
    });
  }

  push(chunk: Uint8Array, final: boolean): void {
    this.#splitter.push(chunk, final);
  }
}

function isList(reading: Reading | readonly Reading[]): reading is readonly Reading[] {
  return Array.isArray(reading);
}
