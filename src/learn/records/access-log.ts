import { UrlmillError } from "../../base/errors.ts";
import {
  type AccessLogEntry,
  asksForPage,
  readAccessLogLine,
  requestedUrl,
  siteOf,
} from "../../formats/logs/access-log.ts";
import { Malformed } from "../../formats/row.ts";
import type { Draft, LineReader, Reading } from "./record.ts";
import { hasPayload, isHttpStatus, notNumber, notStatus, wholeNumber } from "./values.ts";

/**
 * Returns a reader for access logs. GET and HEAD requests are records, others are not. Bytes sent are the size, except for
 * HEAD, 304 and 206. `base`: names the site if lines do not; without a host the reader throws `BAD_OPTION`.
 */
export function accessLogReader(base?: string): LineReader {
  const site = siteOf(base);
  return (line) => {
    const entry = readAccessLogLine(line);
    return entry === null || entry instanceof Malformed ? entry : readEntry(entry, site);
  };
}

function readEntry(entry: AccessLogEntry, site: string | undefined): Reading {
  if (!asksForPage(entry)) return null;
  const status = wholeNumber(entry.status);
  if (status < 0) return notStatus(entry.status);
  const size = entry.size === "-" ? undefined : wholeNumber(entry.size);
  if (size !== undefined && size < 0) return notNumber("size", entry.size);
  const url = requestedUrl(entry, site);
  if (url instanceof Malformed) return url;
  if (url === undefined) {
    throw new UrlmillError(
      "BAD_OPTION",
      'the access log names no host; say base, like "http://example.org"',
    );
  }
  const record: Draft = { url };
  if (isHttpStatus(status)) record.status = status;
  if (size !== undefined && entry.method !== "HEAD" && hasPayload(status)) record.size = size;
  record.ts = entry.time;
  return record;
}
