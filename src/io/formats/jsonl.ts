import { decodeUtf8, utf8ByteString } from "../../engine/js/bytes.ts";
import {
  type Format,
  HEADER,
  lineBoundary,
  MISSING,
  type RecordSpan,
  readLines,
} from "./format.ts";
import { findMember } from "./json-member.ts";

/** The member that a key is written to behind the others. */
const KEY_MEMBER = "urlkey";

/** JSON objects, one a line, the URL in the member `field`. An empty line passes as it is. */
export function jsonl(field: string): Format {
  return {
    boundary: lineBoundary,
    read: (text) =>
      readLines(text, (line, start) => (line === "" ? HEADER : readObject(line, start, field))),
    quote: quoteJson,
    append: (record, key) => appendToObject(record, key),
  };
}

/** The URL in the object that `text` is, which begins at `start`. */
export function readObject(
  text: string,
  start: number,
  field: string,
): Omit<RecordSpan, "start" | "end"> {
  const value = parseMember(text, field);
  if (value === null) return MISSING;
  const member = findMember(text, utf8ByteString(field));
  if (member === null) return MISSING;
  return {
    from: start + member.from,
    to: start + member.to,
    url: utf8ByteString(value),
    kind: "url",
  };
}

function parseMember(text: string, field: string): string | null {
  const decoded = decodeUtf8(text);
  if (decoded === null) return null;
  try {
    const object: unknown = JSON.parse(decoded);
    if (typeof object !== "object" || object === null || !Object.hasOwn(object, field)) return null;
    const value = (object as Record<string, unknown>)[field];
    return typeof value === "string" ? value : null;
  } catch {
    return null; // what is no JSON has no URL, and is reported as that
  }
}

export function quoteJson(key: string): string {
  return JSON.stringify(key);
}

export function appendToObject(record: string, key: string): string {
  const close = record.lastIndexOf("}");
  const isEmpty = record.slice(0, close).trimEnd().endsWith("{");
  const member = `${isEmpty ? "" : ","}"${KEY_MEMBER}":${quoteJson(key)}`;
  return record.slice(0, close) + member + record.slice(close);
}
