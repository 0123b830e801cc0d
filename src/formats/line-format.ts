import { LF } from "../url/chars.ts";
import {
  type Format,
  HEADER,
  lineBoundary,
  MISSING,
  REPEATED,
  type RecordSpan,
  readLines,
} from "./format.ts";
import { Malformed, type Row, type RowReader } from "./row.ts";

/** Says how a format of lines is read and written; the reader's first field is the URL. */
interface LineFormatParts
  extends Pick<Format, "quote" | "append">,
    Partial<Pick<Format, "appendToHeader" | "startsWithHeader">> {
  /** Makes a reader; `hasRows` says whether records of its input are before what it reads. */
  readonly open: (hasRows: boolean) => RowReader;
}

/** Returns the format whose records are the rows of a reader, a line each. */
export function lineFormat({ open, ...writing }: LineFormatParts): Format {
  return {
    startsWithHeader: false,
    appendToHeader: (header) => header,
    ...writing,
    boundary: () => lineBoundary,
    headerOf: (bytes) => headerOf(open(false), bytes),
    read(text, { header, isStart }) {
      const reader = open(!isStart && header === null);
      if (header !== null) reader.read(header);
      let isRepeated = isStart && header !== null;
      return readLines(text, (line, start) => {
        if (isRepeated && line !== "") {
          isRepeated = false;
          return REPEATED;
        }
        return spanOf(reader.read(line), start);
      });
    },
  };
}

/** The header before the first record in whole lines; null without one, undefined without either. */
function headerOf(reader: RowReader, bytes: Uint8Array): string | null | undefined {
  const { buffer, byteOffset, length } = bytes;
  const lines = Buffer.from(buffer, byteOffset, length);
  for (let from = 0; from < length; ) {
    const next = lines.indexOf(LF, from) + 1;
    const line = lines.toString("latin1", from, next).replace(/\r?\n$/, "");
    if (reader.read(line) !== null) return null;
    if (reader.header !== null) return reader.header;
    from = next;
  }
  return undefined;
}

function spanOf(row: Row | Malformed | null, start: number): Omit<RecordSpan, "start" | "end"> {
  if (row === null) return HEADER;
  const url = row instanceof Malformed ? undefined : row.encoded(0);
  if (url === undefined) return MISSING;
  const { from, to } = (row as Row).span(0);
  return { from: start + from, to: start + to, url, kind: "url" };
}
