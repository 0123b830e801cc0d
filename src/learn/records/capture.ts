import { type FieldName, type Fields, Malformed } from "../../formats/row.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Draft, Reading } from "./record.ts";
import { hasPayload, isAbsent, isHttpStatus, notNumber, notStatus, wholeNumber } from "./values.ts";

/** Lists the schemes of records that are not pages. */
const NO_PAGES = ["dns:", "whois:", "filedesc:", "warcinfo:", "metadata:", "urn:"];

/**
 * Names the fields of a capture. Its length counts the bytes of the compressed record with its headers: near the page's
 * size, not equal for equal pages.
 */
const NAMES = [
  "url",
  "timestamp",
  "mime",
  "status",
  "digest",
  "length",
  "redirect",
  "method",
] as const;
type Name = (typeof NAMES)[number];

/** Holds the fields of a capture that are known, as text. */
export type CaptureTexts = { readonly [Each in Name]?: string | undefined };

/** Returns the fields to ask a reader of captures for, with the URL in one of them. */
export function captureFields(url: FieldName): readonly FieldName[] {
  return NAMES.map((name) =>
    name === "url" ? url : { name, mayBeNumber: name === "status" || name === "length" },
  );
}

/** Returns the texts of a row by the names of its fields, in their order. */
export function textsOf(row: Fields, names: readonly Name[]): CaptureTexts | Malformed {
  const texts: { [Each in Name]?: string | undefined } = {};
  for (const [field, name] of names.entries()) {
    const text = row.text(field);
    if (text instanceof Malformed) return text;
    texts[name] = text;
  }
  return texts;
}

/** Returns whether a URL can be that of a page. `dns:` and other records of a crawler are not. */
export function isPage(url: string): boolean {
  return !NO_PAGES.some((scheme) => url.startsWith(scheme));
}

/** Reads a capture in an archive's index as a record. */
export function readCapture(row: Fields): Reading {
  const texts = textsOf(row, NAMES);
  return texts instanceof Malformed ? texts : captureOf(texts);
}

/**
 * Returns the record of a capture. A revisit (`warc/revisit`) keeps its digest, which is the payload's, but not its
 * size, which is its own; 304 and 206 have neither. A capture that is not a page is null, as is one of another `method`
 * than GET: pywb gives it the URL without what was posted.
 */
export function captureOf(texts: CaptureTexts): Reading {
  const { url, timestamp, mime, status, digest, length, redirect, method } = texts;
  if (url === undefined) return new Malformed("no member url");
  if (isAbsent(url)) return new Malformed("the url is empty");
  if (!isPage(url) || (!isAbsent(method) && method !== "GET")) return null;
  const record: Draft = { url };
  if (!isAbsent(status)) {
    const value = wholeNumber(status);
    if (value < 0) return notStatus(status);
    if (isHttpStatus(value)) record.status = value;
  }
  const payload = hasPayload(record.status);
  const fp = isAbsent(digest) || !payload ? undefined : fingerprint("raw", digest);
  if (fp !== undefined) record.fp = fp;
  if (!isAbsent(length)) {
    const value = wholeNumber(length);
    if (value < 0) return notNumber("size", length);
    if (payload && mime !== "warc/revisit") record.size = value;
  }
  if (!isAbsent(redirect)) record.redirect = redirect;
  if (!isAbsent(timestamp)) record.ts = timestamp;
  return record;
}

/** Names the fields of crawl.log that make a record, as those of a capture are named; its `size` is their length. */
const CRAWL_LOG_NAMES = ["url", "timestamp", "status", "length", "digest"] as const;

export const CRAWL_LOG_FIELDS: readonly FieldName[] = CRAWL_LOG_NAMES.map((name) => ({
  name: name === "length" ? "size" : name,
}));

/**
 * Reads a line of Heritrix's crawl.log as a record. A status that is not HTTP's (negative: not fetched) leaves the URL
 * alone; 304 and 206 leave no size and no digest. Lines of `dns:` and the like are not records.
 */
export function readCrawlLog(row: Fields): Reading {
  const texts = textsOf(row, CRAWL_LOG_NAMES);
  if (texts instanceof Malformed) return texts;
  const { url, timestamp, status = "" } = texts;
  const isFetched = !status.startsWith("-");
  const code = wholeNumber(isFetched ? status : status.slice(1));
  if (code < 0) return notStatus(status);
  return captureOf(isFetched && isHttpStatus(code) ? texts : { url, timestamp });
}
