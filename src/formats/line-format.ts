import {
  contentEnd,
  type Format,
  HEADER,
  lineBoundary,
  lineEnd,
  MISSING,
  REPEATED,
  type RecordEnd,
  type RecordSpan,
  readLines,
} from "./format.ts";
import { Malformed, type Row, type RowReader } from "./row.ts";

/** Bytes in which a header is looked for first. */
const HEAD = 1 << 14;

/** Says how a format of lines is read and written; the reader's first field is the URL. */
interface LineFormatParts
  extends Pick<Format, "quote" | "append">,
    Partial<Pick<Format, "appendToHeader" | "startsWithHeader" | "boundary">> {
  /** Where a record ends that begins at `start`, after its line end; by itself at the next LF. */
  readonly recordEnd?: RecordEnd;
  /** Makes a reader; `hasRows` says whether records of its input are before what it reads. */
  readonly open: (hasRows: boolean) => RowReader;
}

/** Returns the format whose records are the rows of a reader, a line each. */
export function lineFormat({ open, recordEnd = lineEnd, ...writing }: LineFormatParts): Format {
  return {
    startsWithHeader: false,
    appendToHeader: (header) => header,
    boundary: () => lineBoundary,
    ...writing,
    headerOf: (bytes) => headerOf(open(false), bytes, recordEnd),
    read(text, { header, isStart }) {
      const reader = open(!isStart && header === null);
      if (header !== null) reader.read(header);
      let isRepeated = isStart && header !== null;
      return readLines(text, recordEnd, (line, start) => {
        if (isRepeated && line !== "") {
          isRepeated = false;
          return REPEATED;
        }
        return spanOf(reader.read(line), start);
      });
    },
  };
}

/** The header before the first record in whole records; null without one, undefined without either. */
function headerOf(
  reader: RowReader,
  { buffer, byteOffset, length }: Uint8Array,
  recordEnd: RecordEnd,
): string | null | undefined {
  // More than the first records is not made a string unless it must be.
  for (let size = Math.min(length, HEAD); ; size = Math.min(length, 16 * size)) {
    const text = Buffer.from(buffer, byteOffset, size).toString("latin1");
    for (let from = 0; from < text.length; ) {
      const next = recordEnd(text, from);
      if (next === text.length && size < length) break;
      if (reader.read(text.slice(from, contentEnd(text, from, next))) !== null) return null;
      if (reader.header !== null) return reader.header;
      from = next;
    }
    if (size === length) return undefined;
  }
}

function spanOf(row: Row | Malformed | null, start: number): Omit<RecordSpan, "start" | "end"> {
  if (row === null) return HEADER;
  const url = row instanceof Malformed ? undefined : row.encoded(0);
  if (url === undefined) return MISSING;
  const { from, to } = (row as Row).span(0);
  return { from: start + from, to: start + to, url, kind: "url" };
}
