import {
  addKey,
  boundaryBy,
  contentEnd,
  type EndSearch,
  type Format,
  HEADER,
  lineBoundary,
  lineEnd,
  MALFORMED,
  MISSING,
  REPEATED,
  type RecordEnd,
  type RecordSpan,
  readLines,
} from "./format.ts";
import { Malformed, type Row, type RowReader } from "./row.ts";
import type { Addition } from "./scan/layout.ts";

/** The number of bytes to search first for a header. */
const HEAD = 1 << 14;

/** Defines how a format of lines is read and written. The first field of the reader is the URL. */
interface LineFormatSetup
  extends Pick<Format, "quote" | "layout">,
    Partial<Pick<Format, "appendToHeader" | "startsWithHeader" | "isPreface" | "mend">> {
  readonly addition: Addition;
  /** Finds ends of records that may have line ends inside. Absent if each record is a line. */
  readonly lastEnd?: EndSearch;
  /** Returns the end of the record that begins at `start`, including its line end. The default is the next LF. */
  readonly recordEnd?: RecordEnd;
  /** Creates a reader. `hasRows` says whether its input has earlier records. */
  readonly open: (hasRows: boolean) => RowReader;
}

/** Returns a format whose records are the rows of a reader, one per line. */
export function lineFormat({
  open,
  recordEnd = lineEnd,
  lastEnd,
  ...writing
}: LineFormatSetup): Format {
  return {
    append: (record, key) =>
      addKey(record, writing.addition, key === null ? null : writing.quote(key)),
    startsWithHeader: false,
    appendToHeader: (header) => header,
    boundary: (scanner) => (lastEnd === undefined ? lineBoundary : boundaryBy(lastEnd, scanner)),
    hasPlainLines: lastEnd === undefined,
    ...(lastEnd === undefined ? {} : { lastEnd }),
    ...writing,
    headerOf: (bytes) => headerOf(open(false), bytes, recordEnd),
    read(text, { header, isStart }) {
      const reader = open(!isStart && header === null);
      if (header !== null) reader.read(header);
      let isRepeated = isStart && header !== null;
      return readLines(text, recordEnd, (line, start) => {
        if (isRepeated && line !== "") {
          isRepeated = writing.isPreface?.(line) === true;
          return REPEATED;
        }
        return spanOf(reader.read(line), start);
      });
    },
  };
}

/**
 * Returns the header before the first record. Returns null if there is a record but no header, and undefined if there
 * is neither.
 */
function headerOf(
  reader: RowReader,
  { buffer, byteOffset, length }: Uint8Array,
  recordEnd: RecordEnd,
): string | null | undefined {
  // Converts only the first records to a string, unless more are needed.
  for (let size = Math.min(length, HEAD); ; size = Math.min(length, 16 * size)) {
    const text = Buffer.from(buffer, byteOffset, size).toString("latin1");
    for (let from = 0; from < text.length; ) {
      const isWhole = size === length;
      const next = recordEnd(text, from, isWhole);
      if (!isWhole && (next < 0 || next === text.length)) break;
      if (reader.read(text.slice(from, contentEnd(text, from, next))) !== null) return null;
      if (reader.header !== null) return reader.header;
      from = next;
    }
    if (size === length) return undefined;
  }
}

function spanOf(row: Row | Malformed | null, start: number): Omit<RecordSpan, "start" | "end"> {
  if (row === null) return HEADER;
  if (row instanceof Malformed) return MALFORMED;
  const url = row.encoded(0);
  if (url === undefined) return MISSING;
  const { from, to } = row.span(0);
  return { from: start + from, to: start + to, url, kind: "url" };
}
