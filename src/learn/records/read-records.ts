import { lineReader, type RecordFormat, type RecordOptions } from "./format.ts";
import { LineSplitter } from "./line-splitter.ts";
import { type LearnRecord, type LineReader, Malformed, type Reading } from "./record.ts";

export { detectFormat } from "./detect-format.ts";
export { RECORD_FORMATS, type RecordFormat, type RecordOptions } from "./format.ts";

/** Describes a malformed line. */
export interface LineError {
  /** Gives the number of the line, from 1 on. */
  readonly line: number;
  /** Says, for people, what is wrong with the line. */
  readonly reason: string;
}

const KEPT_ERRORS = 100;

/**
 * Reads the records of one input from its bytes, UTF-8 with LF or CR LF. A malformed line is
 * counted and skipped. The strings of a record may keep the text of their chunk in memory: copy
 * them if you keep few of many.
 *
 * @example
 * const reader = new RecordReader("tsv");
 * reader.push(Buffer.from("url\tfp\nhttp://a/\tcls:1\n"), true); // [{ url: "http://a/", fp: "cls:1" }]
 */
export class RecordReader {
  /** Lists the first hundred malformed lines. */
  readonly errors: LineError[] = [];
  readonly #read: LineReader;
  readonly #splitter: LineSplitter;
  #records: LearnRecord[] = [];
  #lines = 0;
  #failed = 0;

  /**
   * Makes a reader for one input. Throws `BAD_OPTION` for an option that it does not know or cannot
   * take.
   */
  constructor(format: RecordFormat, options: RecordOptions = {}) {
    this.#read = lineReader(format, options);
    this.#splitter = new LineSplitter({
      line: (text) => this.#line(text),
      badLine: (reason) => {
        this.#lines++;
        this.#fail(reason);
      },
    });
  }

  /** Counts the lines so far, blank lines and headers too. */
  get lines(): number {
    return this.#lines;
  }

  /** Counts the malformed lines so far, or the malformed rows of a line with several. */
  get failed(): number {
    return this.#failed;
  }

  /**
   * Returns the records that end in the next bytes, whose memory may be used again after the call.
   * Give `final` with the last bytes, which may be empty. Throws `BAD_OPTION` if a header lacks
   * what is needed, or an access log without hosts is read without an origin.
   */
  push(chunk: Uint8Array, final: boolean): LearnRecord[] {
    this.#records = [];
    this.#splitter.push(chunk, final);
    const records = this.#records;
    this.#records = [];
    return records;
  }

  #line(text: string): void {
    this.#lines++;
    const reading = this.#read(text);
    if (isList(reading)) for (const row of reading) this.#take(row);
    else this.#take(reading);
  }

  #take(reading: Reading): void {
    if (reading === null) return;
    if (reading instanceof Malformed) this.#fail(reading.reason);
    else this.#records.push(reading);
  }

  #fail(reason: string): void {
    this.#failed++;
    if (this.errors.length < KEPT_ERRORS) this.errors.push({ line: this.#lines, reason });
  }
}

function isList(reading: Reading | readonly Reading[]): reading is readonly Reading[] {
  return Array.isArray(reading);
}
