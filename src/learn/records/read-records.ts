import { lineReader, type RecordFormat, type RecordOptions } from "./format.ts";
import { LineSplitter } from "./line-splitter.ts";
import { type LearnRecord, type LineReader, Malformed, type Reading } from "./record.ts";

export { detectFormat } from "./detect-format.ts";
export { RECORD_FORMATS, type RecordFormat, type RecordOptions } from "./format.ts";

/** A malformed line: its number, from 1 on, and what is wrong with it. */
export interface LineError {
  readonly line: number;
  readonly reason: string;
}

const KEPT_ERRORS = 100;

/**
 * Reads the records of one input from its bytes, UTF-8 with LF or CR LF. A malformed line is counted and
 * passed over. The strings of a record may hold the text of their chunk in memory: who keeps few of many
 * should copy them.
 */
export class RecordReader {
  /** The first hundred malformed lines. */
  readonly errors: LineError[] = [];
  readonly #read: LineReader;
  readonly #splitter: LineSplitter;
  #records: LearnRecord[] = [];
  #lines = 0;
  #failed = 0;

  /** Throws `BAD_OPTION` for an option that it does not know or cannot take. */
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

  /** Lines so far, blank ones and headers too. */
  get lines(): number {
    return this.#lines;
  }

  /** Malformed lines so far; of a line with several rows, malformed rows. */
  get failed(): number {
    return this.#failed;
  }

  /**
   * The records that end in the next bytes, whose memory may be used again after the call; `final` with the
   * last, which may be empty. Throws `BAD_OPTION` where a header lacks what is needed, or an access log
   * without hosts is read without an origin.
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
