import { type FieldName, type Fields, Malformed } from "../../formats/row.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Draft, Reading } from "./record.ts";
import { hasPayload, isAbsent, isHttpStatus, notNumber, notStatus, wholeNumber } from "./values.ts";

/** Lists the schemes of records that are not pages. */
const NO_PAGES = ["dns:", "whois:", "filedesc:", "warcinfo:", "metadata:", "urn:"];

const URL = 0;
const TIMESTAMP = 1;
const MIME = 2;
const STATUS = 3;
const DIGEST = 4;
/**
 * Counts the bytes of the compressed record with its headers: near the page's size, not equal for
 * equal pages.
 */
const LENGTH = 5;
const REDIRECT = 6;
const METHOD = 7;

/** Returns the fields to ask a reader of captures for, with the URL in one of them. */
export function captureFields(url: FieldName): readonly FieldName[] {
  return [
    url,
    { name: "timestamp" },
    { name: "mime" },
    { name: "status", mayBeNumber: true },
    { name: "digest" },
    { name: "length", mayBeNumber: true },
    { name: "redirect" },
    { name: "method" },
  ];
}

/** Returns whether a URL can be that of a page. `dns:` and other records of a crawler are not. */
export function isPage(url: string): boolean {
  return !NO_PAGES.some((scheme) => url.startsWith(scheme));
}

/**
 * Reads a capture in an archive's index as a record. A revisit (`warc/revisit`) keeps its digest, which is the
 * payload's, but not its size, which is its own; 304 and 206 have neither. A capture that is not a page is null, as
 * is one of another `method` than GET: pywb gives it the URL without what was posted.
 */
export function readCapture(row: Fields): Reading {
  const texts: (string | undefined)[] = [];
  for (let field = URL; field <= METHOD; field++) {
    const text = row.text(field);
    if (text instanceof Malformed) return text;
    texts.push(text);
  }
  const url = texts[URL];
  if (url === undefined) return new Malformed("no member url");
  if (isAbsent(url)) return new Malformed("the url is empty");
  const method = texts[METHOD];
  if (!isPage(url) || (!isAbsent(method) && method !== "GET")) return null;
  const record: Draft = { url };
  const status = texts[STATUS];
  if (!isAbsent(status)) {
    const value = wholeNumber(status);
    if (value < 0) return notStatus(status);
    if (isHttpStatus(value)) record.status = value;
  }
  const digest = texts[DIGEST];
  const payload = hasPayload(record.status);
  const fp = isAbsent(digest) || !payload ? undefined : fingerprint("raw", digest);
  if (fp !== undefined) record.fp = fp;
  const size = texts[LENGTH];
  if (!isAbsent(size)) {
    const value = wholeNumber(size);
    if (value < 0) return notNumber("size", size);
    if (payload && texts[MIME] !== "warc/revisit") record.size = value;
  }
  const redirect = texts[REDIRECT];
  if (!isAbsent(redirect)) record.redirect = redirect;
  const ts = texts[TIMESTAMP];
  if (!isAbsent(ts)) record.ts = ts;
  return record;
}
