import { isCdxHeader, isCdxjHeader, jsonOf } from "./cdx-line.ts";
import { beforeLineEnd, type Format, HEADER, lineBoundary, MISSING, readLines } from "./format.ts";
import { appendToObject, quoteJson, readObject } from "./jsonl.ts";
import { nthField } from "./tsv.ts";

/** The field of the original URL where no header says another: ` CDX N b a m s k r M S V g`. */
const URL_FIELD = 3;

/**
 * Returns the format of CDX, a capture a line; `field` overrides what a header or the usual order
 * says.
 */
export function cdx(field: number | undefined): Format {
  return {
    boundary: () => lineBoundary,
    read: (text) =>
      readLines(text, (line, start) =>
        isCdxHeader(line) || line === "" ? HEADER : nthField(line, start, " ", field ?? URL_FIELD),
      ),
    quote: (key) => key,
    append: (record, key) => beforeLineEnd(record, ` ${key}`),
  };
}

/**
 * Returns the format of CDXJ: a SURT key, a timestamp, perhaps a record type, and a JSON object
 * with the URL in `field`. Lines that begin with `!` or `@` are headers.
 */
export function cdxj(field: string): Format {
  return {
    boundary: () => lineBoundary,
    read: (text) =>
      readLines(text, (line, start) => {
        if (isCdxjHeader(line)) return HEADER;
        const open = jsonOf(line);
        return open < 0 ? MISSING : readObject(line.slice(open), start + open, field);
      }),
    quote: quoteJson,
    append: (record, key) => appendToObject(record, jsonOf(record), key),
  };
}
