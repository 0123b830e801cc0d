import { decodeUtf8, utf8ByteString } from "../url/bytes.ts";
import {
  type Format,
  HEADER,
  lineBoundary,
  MISSING,
  type RecordSpan,
  readLines,
} from "./format.ts";
import { findMember } from "./json-member.ts";
import { parseObject } from "./json-object.ts";

/** The member that a key is written to after the others. */
const KEY_MEMBER = "urlkey";

/**
 * Returns the format of JSON objects, one a line, with the URL in the member `field`. An empty line
 * passes as it is.
 */
export function jsonl(field: string): Format {
  return {
    boundary: () => lineBoundary,
    read: (text) =>
      readLines(text, (line, start) => (line === "" ? HEADER : readObject(line, start, field))),
    quote: quoteJson,
    append: (record, key) => appendToObject(record, 0, key),
  };
}

/** Returns the URL in the object that `text` is, which begins at `start`. */
export function readObject(
  text: string,
  start: number,
  field: string,
): Omit<RecordSpan, "start" | "end"> {
  const value = parseMember(text, field);
  if (value === null) return MISSING;
  const member = findMember(text, field);
  if (member === null) return MISSING;
  return {
    from: start + member.from,
    to: start + member.to,
    url: utf8ByteString(value),
    kind: "url",
  };
}

function parseMember(text: string, field: string): string | null {
  const object = objectIn(text);
  if (object === null || !Object.hasOwn(object, field)) return null;
  const value = object[field];
  return typeof value === "string" ? value : null;
}

/** The JSON object that a byte string is in UTF-8, or null where it is anything else. */
function objectIn(text: string): Record<string, unknown> | null {
  const decoded = decodeUtf8(text);
  const object = decoded === null ? null : parseObject(decoded);
  return typeof object === "string" ? null : object;
}

/** Writes a key as a JSON string. */
export function quoteJson(key: string): string {
  return JSON.stringify(key);
}

/**
 * Returns a record with its key as the last member of the object that begins at `open`. Returns
 * null if there is no object: a record without a URL, whose key is empty, may be anything.
 */
export function appendToObject(record: string, open: number, key: string): string | null {
  if (key === "" && (open < 0 || objectIn(record.slice(open)) === null)) return null;
  const close = record.lastIndexOf("}");
  const isEmpty = record.slice(open, close).trimEnd().endsWith("{");
  const member = `${isEmpty ? "" : ","}"${KEY_MEMBER}":${quoteJson(key)}`;
  return record.slice(0, close) + member + record.slice(close);
}
