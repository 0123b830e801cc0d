import { BACKSLASH, COMMA, CR, LF, QUOTE } from "../../url/chars.ts";
import { type DoubtfulQuote, type EndSearch, LONGEST_RECORD, type Mended } from "../format.ts";
import { DOUBTFUL, type LastEnd } from "../scan/layout.ts";

/*
 * Where the records of CSV end (RFC 4180). A quote opens a field only as its first character; elsewhere it is data. Two
 * quotes in a field with quotes are one; with escapes, a backslash there makes data of the next character. After the quote that
 * closes a field come a separator, LF, CR LF, or the end. Otherwise the field goes on to the next separator or LF, and its row
 * is malformed, if the field has no line end yet. If it has one, its quote is not closed. Nor is it if the input ends before,
 * or LONGEST_RECORD bytes after the record began. Then the record ends with the line of the quote, and the next line is a
 * record again.
 */

/** Says how fields of CSV are told apart. */
export interface CsvMarks {
  /** The ASCII character between fields. */
  readonly separator: number;
  /** Says whether a backslash in quotes makes data of the next character. */
  readonly escapes: boolean;
}

/** The marks of RFC 4180. */
export const RFC_4180: CsvMarks = { separator: COMMA, escapes: false };

/** The most line ends of a field that is not doubtful: it has 1,000 lines. */
const MANY_LINES = 999;

/**
 * The states of a search for ends, as in assembly/records/csv.ts: where a quote opens a field, in a field without quotes,
 * in quotes, after a quote that may close, after the CR after it. In the last three, the line ends of the field are in
 * the bits above. ESCAPED follows a backslash in quotes, and is of this search alone.
 */
const BEGIN = 0;
const PLAIN = 1;
const OPEN = 2;
const CLOSED = 3;
const CLOSED_CR = 4;
const ESCAPED = 5;
const STATE_BITS = 3;

/** Makes the search for the end of the last record, which may hold line ends in quotes. */
export function csvEndSearch(marks: CsvMarks): EndSearch {
  return (bytes, state, scanner, isLast = false) => {
    const found =
      scanner === null || marks.escapes
        ? lastEnd(bytes, marks, state)
        : scanner.csvEnd(bytes, marks.separator, state);
    return isLast && isDoubtfulEnd(found.state) ? { end: found.end, state: DOUBTFUL } : found;
  };
}

/** Returns whether an input that ends in this state has a quote that is not closed, or closes a field of many lines. */
function isDoubtfulEnd(state: number): boolean {
  const kind = state & ((1 << STATE_BITS) - 1);
  return kind === OPEN || kind === ESCAPED || (kind >= CLOSED && state >> STATE_BITS > MANY_LINES);
}

function lastEnd(bytes: Uint8Array, { separator, escapes }: CsvMarks, state: number): LastEnd {
  let kind = state & ((1 << STATE_BITS) - 1);
  let lines = state >> STATE_BITS;
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] as number;
    if (kind === OPEN || kind === ESCAPED) {
      if (kind === ESCAPED) kind = OPEN;
      else if (code === QUOTE) kind = CLOSED;
      else if (code === BACKSLASH && escapes) kind = ESCAPED;
      if (code === LF) lines = Math.min(lines + 1, MANY_LINES + 1);
      continue;
    }
    if (code === QUOTE && (kind === CLOSED || kind === BEGIN)) {
      kind = OPEN;
      continue;
    }
    if (code === CR && kind === CLOSED) {
      kind = CLOSED_CR;
      continue;
    }
    const isEnd = code === separator || code === LF;
    if (kind >= CLOSED) {
      const isClosed = kind === CLOSED ? isEnd : code === LF;
      if (isClosed ? lines > MANY_LINES : lines > 0) return { end, state: DOUBTFUL };
      lines = 0;
    }
    kind = isEnd ? BEGIN : PLAIN;
    if (code === LF) end = at + 1;
  }
  return { end, state: kind | (lines << STATE_BITS) };
}

/**
 * Returns the end of the record that begins at `start`, including its line end. Returns -1 if more text can say otherwise.
 * `isWhole`: says that no more text comes. `doubts` gets the doubtful quotes of the record.
 */
export function csvRecordEnd(
  text: string,
  start: number,
  marks: CsvMarks,
  isWhole: boolean,
  doubts: DoubtfulQuote[] | null,
): number {
  const { separator, escapes } = marks;
  for (let at = start; at < text.length; at++) {
    if (text.charCodeAt(at) === QUOTE) {
      const close = closingQuote(text, at, escapes);
      const isFar = Math.min(close, text.length) - start >= LONGEST_RECORD;
      if (!isWhole && !isFar && close >= text.length - 1) return -1;
      const isClosed = !isFar && close < text.length && closes(text, at, close, separator);
      if (!isClosed) return endOfLine(text, at, isWhole, doubts);
      if (doubts !== null && close - at > MANY_LINES) noteLines(text, at, close, doubts);
      at = close + 1;
    }
    while (at < text.length && text.charCodeAt(at) !== separator && text.charCodeAt(at) !== LF)
      at++;
    if (text.charCodeAt(at) === LF) return at + 1;
  }
  return isWhole ? text.length : -1;
}

/** Returns the position of the quote that closes the one at `at`, or the length of the text. */
export function closingQuote(text: string, at: number, escapes: boolean): number {
  if (escapes) return closingUnescaped(text, at);
  let quote = text.indexOf('"', at + 1);
  while (quote >= 0 && text.charCodeAt(quote + 1) === QUOTE) quote = text.indexOf('"', quote + 2);
  return quote < 0 ? text.length : quote;
}

/** Does the same where a backslash makes data of the next character. */
function closingUnescaped(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === BACKSLASH) next++;
    else if (code !== QUOTE) continue;
    else if (text.charCodeAt(next + 1) === QUOTE) next++;
    else return next;
  }
  return text.length;
}

/** Returns whether a quote closes a field, or the text after it shows no more than that the row is malformed. */
function closes(text: string, at: number, close: number, separator: number): boolean {
  const after = close + 1;
  const code = text.charCodeAt(after);
  if (after >= text.length || code === separator || code === LF) return true;
  if (code === CR && (after + 1 === text.length || text.charCodeAt(after + 1) === LF)) return true;
  return !text.slice(at, close).includes("\n");
}

/** Ends a record with the line of a quote that is not closed. */
function endOfLine(
  text: string,
  quote: number,
  isWhole: boolean,
  doubts: DoubtfulQuote[] | null,
): number {
  const newline = text.indexOf("\n", quote);
  if (newline < 0 && !isWhole) return -1;
  doubts?.push({ at: quote, lines: null });
  return newline < 0 ? text.length : newline + 1;
}

function noteLines(text: string, at: number, close: number, doubts: DoubtfulQuote[]): void {
  const lines = text.slice(at, close).split("\n").length;
  if (lines - 1 > MANY_LINES) doubts.push({ at, lines });
}

/**
 * Returns where a record ends in a text that begins with a record and has doubtful quotes. `isWhole`: says that no more
 * text comes; `most`: the bytes of the text in which records are wanted.
 */
export function mendCsv(text: string, marks: CsvMarks, isWhole: boolean, most: number): Mended {
  const quotes: DoubtfulQuote[] = [];
  let end = 0;
  let sound: number | null = null;
  while (end < Math.min(most, text.length)) {
    const before = quotes.length;
    const next = csvRecordEnd(text, end, marks, isWhole, quotes);
    if (next < 0) {
      quotes.length = before;
      break;
    }
    if (quotes.slice(before).some(({ lines }) => lines === null)) sound ??= end;
    end = next;
  }
  return { end, sound: sound ?? end, quotes };
}
