import { isPage } from "./capture.ts";
import { fingerprint } from "./fingerprint.ts";
import { type Draft, Malformed, type Reading } from "./record.ts";
import {
  hasPayload,
  isAbsent,
  isHttpStatus,
  noNumber,
  noStatus,
  splitFields,
  wholeNumber,
} from "./values.ts";

/** Up to the digest; source tag, annotations and JSON may follow. */
const FIELDS = 10;

/**
 * Reads a line of Heritrix's crawl.log (heritrix3 wiki, Logs): time of logging, fetch status, size
 * of the content, URL, discovery path, referrer, type, thread, begin and duration, digest, padded
 * with spaces. A status that is not HTTP's (negative: not fetched) leaves the URL alone; 304 and
 * 206 leave no size and no digest. Lines of `dns:` and the like are not records.
 */
export function readCrawlLogLine(line: string): Reading {
  if (line.trim() === "") return null;
  const fields = splitFields(line, " ", true, FIELDS);
  const [ts, statusText, sizeText, url, , , , , , digest] = fields;
  if (
    ts === undefined ||
    statusText === undefined ||
    sizeText === undefined ||
    url === undefined ||
    digest === undefined
  ) {
    return new Malformed(`${fields.length} fields where crawl.log has 12`);
  }
  const isFetched = !statusText.startsWith("-");
  const status = wholeNumber(statusText, isFetched ? 0 : 1);
  if (status < 0) return noStatus(statusText);
  const size = isAbsent(sizeText) ? undefined : wholeNumber(sizeText);
  if (size !== undefined && size < 0) return noNumber("size", sizeText);
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
