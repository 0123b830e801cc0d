import { LF } from "../url/codes.ts";

/** Counts the bytes of input that go to a worker at a time: enough to make the message cheap. */
export const CHUNK = 1 << 19;
/** Limits the rows of a column, or strings, that go to a worker at a time. */
export const CHUNK_ROWS = 1 << 14;

/** Cuts lines into runs of whole lines, each of at most `size` bytes or one longer line. */
export function* cutLines(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const limit = start + size;
    let end = bytes.length;
    if (limit < end) {
      const newline = bytes.subarray(start, limit).lastIndexOf(LF);
      const next = newline < 0 ? bytes.indexOf(LF, limit) : start + newline;
      if (next >= 0) end = next + 1;
    }
    yield bytes.subarray(start, end);
    start = end;
  }
}
