import { type FieldName, type Fields, Malformed } from "../../formats/row.ts";
import { captureOf, textsOf } from "./capture.ts";
import type { Reading } from "./record.ts";
import { isHttpStatus, notStatus, wholeNumber } from "./values.ts";

/** Names the fields of crawl.log that make a record, as those of a capture are named; its `size` is their length. */
const NAMES = ["url", "timestamp", "status", "length", "digest"] as const;

/** Lists the fields of crawl.log that make a record. */
export const CRAWL_LOG_FIELDS: readonly FieldName[] = NAMES.map((name) => ({
  name: name === "length" ? "size" : name,
}));

/**
 * Reads a line of Heritrix's crawl.log as a record. A status that is not HTTP's (negative: not fetched) leaves the URL
 * alone; 304 and 206 leave no size and no digest. Lines of `dns:` and the like are not records.
 */
export function readCrawlLog(row: Fields): Reading {
  const texts = textsOf(row, NAMES);
  if (texts instanceof Malformed) return texts;
  const { url, timestamp, status = "" } = texts;
  const isFetched = !status.startsWith("-");
  const code = wholeNumber(status, isFetched ? 0 : 1);
  if (code < 0) return notStatus(status);
  return captureOf(isFetched && isHttpStatus(code) ? texts : { url, timestamp });
}
