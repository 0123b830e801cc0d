import { UrlmillError } from "../base/errors.ts";
import type { Column, UrlText } from "../engine/engine.ts";
import { textOf } from "../engine/strings.ts";
import { tagOf } from "../options/options.ts";
import { checkBytes, checkColumn, isView } from "./check-calls.ts";

/**
 * Holds strings or `URL` objects in anything that can be iterated, such as an array or a `Set`. One string is not a
 * list: its items would be characters.
 */
export type UrlList<T = UrlText> = Iterable<T> & object;

/** Holds the URLs of one call: a list, a column, or lines of bytes as UTF-8. */
export type UrlBatch = UrlList | Column | Uint8Array;

/** Holds a batch of a known kind. The items of an array are not checked yet. */
export type ReadBatch = readonly UrlText[] | Column | Uint8Array;

/**
 * Returns a batch by its kind; reads an iterable into an array. Throws `BAD_COLUMN` for a column whose
 * offsets do not fit. Throws `BAD_INPUT` for anything that is not a batch, or not a batch of strings if
 * `kind` asks for one.
 */
export function readBatch(batch: UrlList, kind: "strings"): readonly UrlText[];
export function readBatch(batch: UrlBatch): ReadBatch;
export function readBatch(batch: unknown, kind?: "strings"): ReadBatch {
  // Methods of a subclass make arrays by its constructor, which may take anything.
  if (Array.isArray(batch) && batch.constructor === Array) return batch;
  if (kind === undefined && typeof batch === "object" && batch !== null) {
    if (isView(batch, "Uint8Array")) {
      checkBytes(batch);
      return ofThisRealm(batch as Uint8Array);
    }
    if ("offsets" in batch) return checkColumn(batch);
  }
  if (!isIterable(batch, Symbol.iterator)) throw badBatch(batch);
  // A generator may change a URL object and give it again.
  return Array.from(batch as Iterable<UrlText>, (url) => textOf(url) ?? url);
}

/**
 * Throws `BAD_INPUT` for one string, for a value that is neither iterable nor async iterable, and for a stream of Node that
 * gives pieces of text.
 */
export function checkIterable(urls: unknown): void {
  if (givesPiecesOfText(urls)) throw new UrlmillError("BAD_INPUT", PIECES_OF_TEXT);
  if (isIterable(urls, Symbol.iterator) || isIterable(urls, Symbol.asyncIterator)) return;
  throw badBatch(urls);
}

const PIECES_OF_TEXT =
  "urls is a stream of text, whose pieces are not URLs: read its lines with node:readline";

function givesPiecesOfText(urls: unknown): boolean {
  const stream = (urls ?? {}) as { readableObjectMode?: unknown; readableEncoding?: unknown };
  return stream.readableObjectMode === false && typeof stream.readableEncoding === "string";
}

/** Returns the same bytes as a Uint8Array of this realm, which `instanceof` recognizes. */
function ofThisRealm(bytes: Uint8Array): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  const { buffer, byteOffset, byteLength } = bytes as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Returns whether a value yields items. Text would yield its characters, and memory numbers, so they do not
 * count.
 */
export function isIterable(value: unknown, method: symbol): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (ArrayBuffer.isView(value) || isText(value)) return false;
  return typeof (value as Record<symbol, unknown>)[method] === "function";
}

/** Returns whether a value is a string, or a String object. */
function isText(value: unknown): boolean {
  return typeof value === "string" || tagOf(value) === "String";
}

function badBatch(batch: unknown): UrlmillError {
  const isOne = isText(batch) || textOf(batch) !== null;
  const problem = isOne
    ? "urls is one URL: put it into an array, as in normalizeBatch([url]), or call normalize(url)"
    : isIterable(batch, Symbol.asyncIterator)
      ? "urls come asynchronously: collect them in an array, or call normalizeEach of a pool"
      : `urls is ${tagOf(batch)}: give an array or another iterable of strings and URL objects, or a column or bytes where the method takes them`;
  return new UrlmillError("BAD_INPUT", problem);
}

/** Holds the texts of a batch of strings and URL objects. */
export interface BatchTexts {
  /** Holds the text of each row, or "" for a row that is neither a string nor a URL object. */
  readonly texts: readonly string[];
  /** Counts the UTF-16 units of all texts. */
  readonly length: number;
  /** Lists the numbers of the rows that are neither. */
  readonly notStrings: readonly number[];
}

/** Reads the texts of a batch; an array of strings is not copied. */
export function readTexts(urls: readonly UrlText[]): BatchTexts {
  let length = 0;
  for (let row = 0; row < urls.length; row++) {
    const url = urls[row];
    if (typeof url !== "string") return copyTexts(urls);
    length += url.length;
  }
  return { texts: urls as readonly string[], length, notStrings: [] };
}

function copyTexts(urls: readonly UrlText[]): BatchTexts {
  let length = 0;
  const notStrings: number[] = [];
  const texts = Array.from(urls, (url, row) => {
    const text = textOf(url);
    if (text === null) notStrings.push(row);
    length += text?.length ?? 0;
    return text ?? "";
  });
  return { texts, length, notStrings };
}
