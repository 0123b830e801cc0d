import { isCdxjHeader, jsonOf } from "../../formats/cdx-line.ts";
import { readCapture } from "./capture.ts";
import { readJsonObject, textMember } from "./jsonl.ts";
import { Malformed, type Reading } from "./record.ts";
import { excerpt } from "./values.ts";

/**
 * Reads a line of CDXJ (pywb, Common Crawl): `surt timestamp {json}` with `url`, `mime`, `status`,
 * `digest`, `length` and `redirect`. Lines that begin with `!` or `@` are headers. A capture of
 * another `method` than GET is not a record: pywb gives it the URL without what was posted.
 */
export function readCdxjLine(line: string): Reading {
  if (isCdxjHeader(line.trim())) return null;
  const open = jsonOf(line);
  if (open < 0) return new Malformed(`no JSON object in ${excerpt(line)}`);
  const [key, ts, ...more] = line.slice(0, open).trim().split(" ");
  if (key === "" || ts === undefined || more.length > 1) {
    return new Malformed(`no key and timestamp before the JSON object in ${excerpt(line)}`);
  }
  const object = readJsonObject(line.slice(open));
  if (object instanceof Malformed) return object;
  const texts: (string | undefined)[] = [];
  for (const name of ["method", "url", "mime", "status", "digest", "length", "redirect"]) {
    const text = textMember(object, name, name === "status" || name === "length");
    if (text instanceof Malformed) return text;
    texts.push(text);
  }
  const [method, url, mime, status, digest, size, redirect] = texts;
  if (url === undefined) return new Malformed("no member url");
  if (method !== undefined && method !== "" && method !== "GET") return null;
  return readCapture({ url, ts, mime, status, digest, size, redirect });
}
