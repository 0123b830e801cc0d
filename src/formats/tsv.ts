import { beforeLineEnd, type Format, lineBoundary, MISSING, readLines } from "./format.ts";

/**
 * Returns the format of fields with a separator between, with the URL in the `field`th, from 1 on.
 */
export function fields(separator: string, field: number): Format {
  return {
    boundary: () => lineBoundary,
    read: (text) => readLines(text, (line, start) => nthField(line, start, separator, field)),
    quote: (key) => key,
    append: (record, key) => beforeLineEnd(record, separator + key),
  };
}

/** Returns the `field`th field of a line that begins at `start`. */
export function nthField(
  line: string,
  start: number,
  separator: string,
  field: number,
): { from: number; to: number; url: string; kind: "url" | "missing" } {
  let from = 0;
  for (let number = 1; number < field; number++) {
    const next = line.indexOf(separator, from);
    if (next < 0) return MISSING;
    from = next + 1;
  }
  const next = line.indexOf(separator, from);
  const to = next < 0 ? line.length : next;
  return { from: start + from, to: start + to, url: line.slice(from, to), kind: "url" };
}
