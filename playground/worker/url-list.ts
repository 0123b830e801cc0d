import { type RecordFormat, RecordReader } from "urlmill/learn";
import { MARK_LENGTH, mayBeginWithMark } from "../../src/base/byte-order-mark.ts";
import { guessField } from "../../src/cli/guess/guess-field.ts";
import {
  formatByName,
  guessFormat,
  isJsonArray,
  isTextArray,
  linesOfArray,
  semicolonOf,
} from "../../src/cli/guess/guess-format.ts";
import { isTable } from "../../src/formats/head/head.ts";
import { ArrayLines } from "../../src/io/sources/array-source.ts";
import { CommandFailure } from "../../src/runs/base/failure.ts";
import { toByteString } from "../../src/url/bytes.ts";
import { COMMA, SEMICOLON } from "../../src/url/chars.ts";
import type { ListFormat, Progress } from "../messages.ts";
import { bytesOf, PIECE_BYTES } from "./source.ts";

/** Counts the first bytes of a list, which tell its format and where its URLs are. */
const HEAD_BYTES = 1 << 16;
/** A call without flags. */
const WISHES = { header: undefined, escapeChar: undefined, onlyByName: null };

/** Holds a list with one URL per line, and what it was made of. */
export interface UrlList {
  readonly lines: Blob;
  readonly format: ListFormat;
  /** Counts the records that could not be read. */
  readonly malformed: number;
}

/**
 * Returns the URLs of a file as lines. Its format and the field of its URLs are those that the command line finds; a file of
 * lines comes back as it is. Returns null if `isStopped` returned true before the end. Throws an `Error` with a message
 * for people where the command line refuses the list.
 */
export async function urlList(
  source: Blob,
  name: string,
  report: (progress: Progress) => void,
  isStopped: () => boolean,
): Promise<UrlList | null> {
  const head = await bytesOf(source, 0, HEAD_BYTES);
  const { format, array, hasSemicolons, ...options } = readingOf(head, source.size, name);
  const { field = "" } = options;
  if (format === "lines") {
    const lines = array === null ? source : await textsOf(source, array);
    return { lines, format: { name: format, field }, malformed: 0 };
  }
  const swap = hasSemicolons ? swapped : (text: string): string => text;
  const reader = new RecordReader(format, field === "" ? {} : { ...options, field: swap(field) });
  const parts: string[] = [];
  const { size } = source;
  for (let at = 0; at < size || at === 0; at += PIECE_BYTES) {
    const piece = await bytesOf(source, at, at + PIECE_BYTES);
    if (isStopped()) return null;
    if (hasSemicolons) swapBytes(piece);
    const records = reader.push(array?.push(piece) ?? piece, at + PIECE_BYTES >= size);
    parts.push(records.map(({ url }) => `${swap(oneLine(url))}\n`).join(""));
    report({ bytes: Math.min(size, at + PIECE_BYTES), allBytes: size, lines: reader.lines });
  }
  return { lines: new Blob(parts), format: { name: format, field }, malformed: reader.failed };
}

/** Returns the texts of a JSON array as lines. Throws an `Error` where the command line does. */
async function textsOf(source: Blob, array: ArrayLines): Promise<Blob> {
  const parts: Blob[] = [];
  for (let at = 0; at < source.size; at += PIECE_BYTES) {
    parts.push(new Blob([array.push(await bytesOf(source, at, at + PIECE_BYTES)).slice()]));
  }
  if (array.fault !== null) throw new Error(`urlmill dedupe refuses this list: ${array.fault}`);
  return new Blob(parts);
}

/** Returns a URL without line ends, which mean nothing in it (URL Standard 4.4). */
function oneLine(url: string): string {
  return url.replaceAll(/[\r\n]/g, "");
}

/** Makes a table with semicolons one with commas: each is swapped for the other, also in its values. */
function swapBytes(bytes: Uint8Array): void {
  for (const [at, byte] of bytes.entries()) {
    if (byte === COMMA) bytes[at] = SEMICOLON;
    else if (byte === SEMICOLON) bytes[at] = COMMA;
  }
}

/** Swaps semicolons and commas of a value back. */
function swapped(text: string): string {
  return text.replaceAll(/[,;]/g, (mark) => (mark === "," ? ";" : ","));
}

/** Returns the format of a list and the field of its URLs by its first bytes and its name, as the command line does. */
function readingOf(bytes: Uint8Array, size: number, name: string) {
  const text = toByteString(mayBeginWithMark(bytes) ? bytes.subarray(MARK_LENGTH) : bytes);
  const head = { text, isWhole: bytes.length === size, isLast: true };
  try {
    const named = formatByName(name);
    const format = (named ?? guessFormat(head, name, false)) as RecordFormat;
    const isArray = named === null && format === "jsonl" && isJsonArray(head);
    const ofTexts = named === null && format === "lines" && isTextArray(head);
    const hasSemicolons = format === "csv" && semicolonOf(head) === ";";
    const wishes = { ...WISHES, delimiter: hasSemicolons ? ";" : undefined };
    const hasField = isTable(format) || format === "jsonl";
    const field = hasField ? guessField(isArray ? linesOfArray(head) : head, format, wishes) : {};
    const array = isArray || ofTexts ? new ArrayLines(ofTexts) : null;
    return { format, array, hasSemicolons, ...field };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    throw new Error(`urlmill dedupe refuses this list, and so does the page: ${error.message}`);
  }
}
