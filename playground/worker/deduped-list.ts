import {
  type Explanation,
  explainStatus,
  isError,
  type LineWindow,
  type Normalizer,
  Status,
  statusName,
} from "urlmill";
import type { Group, LineResult, Progress, Summary } from "../messages.ts";
import { anyNumbers } from "./growing.ts";
import { MergedLines } from "./merged-lines.ts";
import { bytesOf, joined, PIECE_BYTES } from "./source.ts";
import { UniqueLines } from "./unique-lines.ts";
import type { UrlList } from "./url-list.ts";

/** Counts the lines on a page of the table of all lines. */
const PAGE_LINES = 100;
const MARK = [0xef, 0xbb, 0xbf];
const CR = 0x0d;
const decoder = new TextDecoder();

/** Holds the counts of a list, before two lines are compared. */
export type Counts = Omit<Summary, "comparison">;

/** Holds a list of URLs by their keys. To show lines, it reads them from the source again. */
export class DedupedList {
  readonly #list: UrlList;
  readonly #source: Blob;
  readonly #normalizer: Normalizer;
  readonly #key: Uint8Array;
  readonly #unique: UniqueLines;
  readonly #merged = new MergedLines();
  /** Holds the offset in the source of each page of the table. */
  readonly #pages = anyNumbers();
  /** Counts the lines so far, blank ones too. */
  #lines = 0;
  #blank = 0;
  #failed = 0;
  #seconds = 0;

  constructor(list: UrlList, normalizer: Normalizer) {
    this.#list = list;
    this.#source = list.lines;
    this.#normalizer = normalizer;
    this.#key = normalizer.fingerprintKey;
    this.#unique = new UniqueLines(list.lines.size);
  }

  /** Reads the source. Returns false if `isStopped` returned true before the end. */
  async read(report: (progress: Progress) => void, isStopped: () => boolean): Promise<boolean> {
    const start = performance.now();
    const { size } = this.#source;
    let rest: Uint8Array<ArrayBuffer> = new Uint8Array();
    let at = await this.#start();
    let length = PIECE_BYTES;
    for (let taken = at; at < size; ) {
      const piece = await bytesOf(this.#source, at, at + length);
      if (isStopped()) return false;
      at += piece.length;
      const bytes = joined(rest, piece);
      const options = { key: this.#key };
      const done = this.#normalizer.normalizeWindows(bytes, at >= size, options, (window) => {
        this.#take(window, taken);
        taken += window.inputOffsets[window.rows] as number;
      });
      // A line that does not end is read again with each piece, so pieces double.
      length = done === 0 ? 2 * length : PIECE_BYTES;
      rest = bytes.slice(done);
      report({ bytes: at, allBytes: size, lines: this.#lines });
    }
    this.#seconds = (performance.now() - start) / 1000;
    return !isStopped();
  }

  summary(): Counts {
    const { engine, engineReason } = this.#normalizer;
    const { format, malformed } = this.#list;
    return {
      format,
      malformed,
      lines: this.#lines - this.#blank,
      unique: this.#unique.length,
      merged: this.#merged.merged,
      repeated: this.#merged.repeated,
      failed: this.#failed,
      groups: this.#merged.order.length,
      pages: this.#pages.length,
      seconds: this.#seconds,
      engine,
      engineReason,
    };
  }

  /** Explains a URL under the options of the list. */
  explain(url: string): Explanation {
    return this.#normalizer.explain(url);
  }

  /** Returns groups of merged lines, the largest first. */
  groups(from: number, count: number): Promise<Group[]> {
    const keys = this.#merged.order.subarray(from, from + count);
    return Promise.all(Array.from(keys, (key) => this.#group(key)));
  }

  /** Returns the lines of a page of the table, by its number from 0 on. */
  async page(page: number): Promise<LineResult[]> {
    const from = this.#pages.at(page);
    const to = page + 1 < this.#pages.length ? this.#pages.at(page + 1) : this.#source.size;
    const results: LineResult[] = [];
    const options = { key: this.#key };
    const bytes = await bytesOf(this.#source, from, to);
    this.#normalizer.normalizeWindows(bytes, true, options, (window) => {
      for (let row = 0; row < window.rows; row++) {
        const line = page * PAGE_LINES + results.length + 1;
        results.push(this.#result(window, row, line));
      }
    });
    return results;
  }

  /** Returns the first line of each key, as it is in the list or in normal form. */
  unique(form: "original" | "normalized"): Blob {
    const { bytes } = this.#unique;
    if (form === "original") return new Blob([bytes]);
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    this.#normalizer.normalizeWindows(bytes, true, {}, ({ output, outputOffsets, rows }) => {
      pieces.push(output.slice(0, outputOffsets[rows]));
    });
    return new Blob(pieces);
  }

  /** Returns the offset of the first line, which is after a byte order mark. */
  async #start(): Promise<number> {
    const first = await bytesOf(this.#source, 0, MARK.length);
    return MARK.every((byte, index) => first[index] === byte) ? MARK.length : 0;
  }

  /** Takes a window whose lines begin at `at` in the source. */
  #take(window: LineWindow, at: number): void {
    const words = wordsOf(window.fingerprints);
    for (let row = 0; row < window.rows; row++) {
      const place = at + (window.inputOffsets[row] as number);
      if (this.#lines % PAGE_LINES === 0) this.#pages.push(place);
      this.#lines++;
      const status = window.status[row] as number;
      if (status === Status.EMPTY) this.#blank++;
      else if (isError(status)) this.#failed++;
      else this.#addLine(words, 4 * row, lineOf(window, row), place);
    }
  }

  #addLine(words: Uint32Array, at: number, line: Uint8Array, place: number): void {
    const key = this.#unique.find(words, at);
    if (key < 0) {
      this.#unique.add(words, at, line);
      this.#merged.addKey(this.#lines);
    } else if (this.#unique.isLine(key, line)) {
      this.#merged.addRepeated(key);
    } else {
      this.#merged.addMerged(key, { line: this.#lines, at: place, length: line.length });
    }
  }

  async #group(key: number): Promise<Group> {
    const bytes = this.#unique.line(key);
    const first = decoder.decode(bytes);
    const others = this.#merged.linesOf(key);
    const members = others.map(async ({ line, at, length }) => {
      return { line, text: decoder.decode(await bytesOf(this.#source, at, at + length)) };
    });
    return {
      // Of the bytes: the text shows those that are not UTF-8 as others.
      key: decoder.decode(this.#normalizer.normalizeLines(bytes).bytes).trimEnd(),
      members: [
        { line: this.#merged.firstLineOf(key), text: first },
        ...(await Promise.all(members)),
      ],
      more: this.#merged.mergedOf(key) - others.length,
      repeated: this.#merged.repeatedOf(key),
    };
  }

  #result(window: LineWindow, row: number, line: number): LineResult {
    const text = decoder.decode(lineOf(window, row));
    const status = statusName(window.status[row] as number);
    if (status !== "UNCHANGED" && status !== "CHANGED") {
      const error = status === "EMPTY" ? "blank" : `${explainStatus(status)} (${status})`;
      return { line, text, key: null, error, same: 0, isInGroup: false };
    }
    const { output, outputOffsets } = window;
    const from = outputOffsets[row] as number;
    const to = (outputOffsets[row + 1] as number) - 1;
    const first = this.#unique.find(wordsOf(window.fingerprints), 4 * row);
    const firstLine = this.#merged.firstLineOf(first);
    return {
      line,
      text,
      key: decoder.decode(output.subarray(from, to)),
      error: null,
      same: firstLine < line ? firstLine : 0,
      isInGroup: this.#merged.isShown(first, line),
    };
  }
}

/** Returns a line without its end. */
function lineOf({ input, inputOffsets }: LineWindow, row: number): Uint8Array {
  const start = inputOffsets[row] as number;
  let end = inputOffsets[row + 1] as number;
  if (input[end - 1] === 0x0a) end--;
  if (input[end - 1] === CR && end > start) end--;
  return input.subarray(start, end);
}

/** Returns fingerprints as words of 32 bits, in the engine's memory. */
function wordsOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  return byteOffset % 4 === 0
    ? new Uint32Array(buffer, byteOffset, byteLength >> 2)
    : new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
