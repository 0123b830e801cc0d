import { UrlmillError } from "../../errors.ts";
import { cdxLegend, isCdxHeader } from "../../formats/cdx-line.ts";
import { readCapture } from "./capture.ts";
import { type LineReader, Malformed } from "./record.ts";
import { listNames, splitFields } from "./values.ts";

/**
 * CDX (IIPC, The CDX File Format, 2006 and 2015): a capture a line, the columns named by letters in a header
 * or known by their number: `a` original URL, `b` timestamp, `m` type, `s` status, `k` SHA-1 digest,
 * `r` redirect, `S` compressed record size, else `n` document length. The reader throws `BAD_OPTION` for a
 * header without `a`.
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
