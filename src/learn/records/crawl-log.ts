import { type FieldName, type Fields, Malformed } from "../../formats/row.ts";
import { isPage } from "./capture.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Draft, Reading } from "./record.ts";
import { hasPayload, isAbsent, isHttpStatus, notNumber, notStatus, wholeNumber } from "./values.ts";

/** Lists the fields of crawl.log that make a record. */
export const CRAWL_LOG_FIELDS: readonly FieldName[] = [
  { name: "url" },
  { name: "timestamp" },
  { name: "status" },
  { name: "size" },
  { name: "digest" },
];

/**
 * Reads a line of Heritrix's crawl.log as a record. A status that is not HTTP's (negative: not fetched) leaves the
 * URL alone; 304 and 206 leave no size and no digest. Lines of `dns:` and the like are not records.
 */
export function readCrawlLog(row: Fields): Reading {
  const texts: string[] = [];
  for (const field of CRAWL_LOG_FIELDS.keys()) {
    const text = row.text(field);
    if (text instanceof Malformed) return text;
    texts.push(text as string);
  }
  const [url, ts, statusText, sizeText, digest] = texts as [string, string, string, string, string];
  const isFetched = !statusText.startsWith("-");
  const status = wholeNumber(statusText, isFetched ? 0 : 1);
  if (status < 0) return notStatus(statusText);
  const size = isAbsent(sizeText) ? undefined : wholeNumber(sizeText);
  if (size !== undefined && size < 0) return notNumber("size", sizeText);
  if (!isPage(url)) return null;
  const record: Draft = { url };
  if (isFetched && isHttpStatus(status)) {
    record.status = status;
    const fp = hasPayload(status) ? fingerprint("raw", digest) : undefined;
    if (fp !== undefined) record.fp = fp;
    if (size !== undefined && hasPayload(status)) record.size = size;
  }
  record.ts = ts;
  return record;
}
