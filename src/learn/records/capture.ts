import { fingerprint } from "./fingerprint.ts";
import { type Draft, Malformed, type Reading } from "./record.ts";
import { hasPayload, isAbsent, isHttpStatus, noNumber, noStatus, wholeNumber } from "./values.ts";

/** Schemes of what a crawler writes beside pages. */
const NO_PAGES = ["dns:", "whois:", "filedesc:", "warcinfo:", "metadata:", "urn:"];

/**
 * Holds the fields of a capture in an archive's index, as text; undefined, "" and "-" are not
 * values.
 */
export interface CaptureFields {
  readonly url?: string | undefined;
  readonly ts?: string | undefined;
  readonly mime?: string | undefined;
  readonly status?: string | undefined;
  readonly digest?: string | undefined;
  /**
   * Counts the bytes of the compressed record with its headers: near the page's size, not equal for
   * equal pages.
   */
  readonly size?: string | undefined;
  readonly redirect?: string | undefined;
}

/** Returns whether a URL can be a page's: not `dns:` and what else a crawler writes down. */
export function isPage(url: string): boolean {
  return !NO_PAGES.some((scheme) => url.startsWith(scheme));
}

/**
 * Reads a capture as a record. A revisit (`warc/revisit`) keeps its digest, which is the payload's,
 * but not its size, which is its own; 304 and 206 have neither. A capture that is not a page is
 * null.
 */
export function readCapture(fields: CaptureFields): Reading {
  const { url, ts, status, digest, size, redirect } = fields;
  if (isAbsent(url)) return new Malformed("the url is empty");
  if (!isPage(url)) return null;
  const record: Draft = { url };
  if (!isAbsent(status)) {
    const value = wholeNumber(status);
    if (value < 0) return noStatus(status);
    if (isHttpStatus(value)) record.status = value;
  }
  const payload = hasPayload(record.status);
  const fp = isAbsent(digest) || !payload ? undefined : fingerprint("raw", digest);
  if (fp !== undefined) record.fp = fp;
  if (!isAbsent(size)) {
    const value = wholeNumber(size);
    if (value < 0) return noNumber("size", size);
    if (payload && fields.mime !== "warc/revisit") record.size = value;
  }
  if (!isAbsent(redirect)) record.redirect = redirect;
  if (!isAbsent(ts)) record.ts = ts;
  return record;
}
