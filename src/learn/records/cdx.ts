import { UrlmillError } from "../../errors.ts";
import { cdxLegend, isCdxHeader } from "../../formats/cdx-line.ts";
import { readCapture } from "./capture.ts";
import { type LineReader, Malformed } from "./record.ts";
import { listNames, splitFields } from "./values.ts";

/**
 * The columns by their number, where no header names them: the CDX server's plain text, and what the tools of
 * the Internet Archive and pywb write.
 */
const LEGENDS = new Map(
  ["N b a m s k S", "N b a m s k r V g", "N b a m s k r M V g", "N b a m s k r M S V g"]
    .map((legend) => legend.split(" "))
    .map((legend) => [legend.length, legend]),
);
const HEADER = /^(.?)CDX(?:\1[A-Za-z])+\1?$/;

/** Returns whether a CDX line without a header can have so many fields. */
export function isCdxWidth(fields: number): boolean {
  return LEGENDS.has(fields);
}

/**
 * Returns whether a line is a CDX header, ` CDX N b a m s k r M S V g`; its first character parts
 * the fields.
 */
export function isCdxHeader(line: string): boolean {
  return line.includes("CDX") && HEADER.test(line);
}

/**
 * Returns a reader for CDX (IIPC, The CDX File Format, 2006 and 2015): a capture a line, the
 * columns named by letters in a header or known by their number. `a` is the original URL, `b` the
 * timestamp, `m` the type, `s` the status, `k` the SHA-1 digest, `r` the redirect, `S` the
 * compressed record size, else `n` the document length. The reader throws `BAD_OPTION` for a header
 * without `a`.
 */
export function cdxReader(): LineReader {
  let separator = " ";
  let header: readonly string[] | undefined;
  return (line) => {
    if (line.trim() === "") return null;
    if (isCdxHeader(line)) {
      separator = line.startsWith("CDX") ? " " : line.slice(0, 1);
      header = line.split(separator).filter((letter) => letter.length === 1);
      if (!header.includes("a")) {
        throw new UrlmillError(
          "BAD_OPTION",
          `the CDX header has no column a, the original URL; the columns are ${listNames(header)}`,
        );
      }
      return null;
    }
    const fields = splitFields(line, separator, false);
    const legend = header ?? cdxLegend(fields.length);
    if (legend === undefined) {
      return new Malformed(`${fields.length} fields where CDX has 9 or 11`);
    }
    if (fields.length !== legend.length) {
      return new Malformed(`${fields.length} fields where the header has ${legend.length}`);
    }
    const field = (letter: string) => fields[legend.indexOf(letter)];
    return readCapture({
      url: field("a"),
      ts: field("b"),
      mime: field("m"),
      status: field("s"),
      digest: field("k"),
      redirect: field("r"),
      size: field("S") ?? field("n"),
    });
  };
}
