import type { Rows } from "../engine/cut-column.ts";
import { LF } from "../url/codes.ts";

/** Counts the bytes of input that go to a worker at a time: enough to make the message cheap. */
export const CHUNK = 1 << 19;
/** Limits the rows of a column, or strings, that go to a worker at a time. */
export const CHUNK_ROWS = 1 << 14;

/**
 * Returns how many bytes of a batch go to a worker at a time, so that each worker gets some, and no chunk is
 * too small.
 */
export function chunkSize(bytes: number, threads: number): number {
  return Math.max(CHUNK >> 4, Math.min(CHUNK, Math.ceil(bytes / threads)));
}

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

/** Cuts strings into runs of at most `size` characters and CHUNK_ROWS strings, or one longer string. */
export function* cutStrings(urls: readonly string[], size: number): Generator<Rows> {
  for (let first = 0; first < urls.length; ) {
    const last = Math.min(first + CHUNK_ROWS, urls.length);
    let length = (urls[first] as string).length;
    let end = first + 1;
    while (end < last) {
      length += (urls[end] as string).length;
      if (length > size) break;
      end++;
    }
    yield { first, end };
    first = end;
  }
}
