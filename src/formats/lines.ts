import { type Format, lineBoundary, readLines } from "./format.ts";

/** Reads one URL a line. */
export const lines: Format = {
  boundary: () => lineBoundary,
  read: (text) =>
    readLines(text, (line, start) => ({
      from: start,
      to: start + line.length,
      url: line,
      kind: "url",
    })),
  quote: (key) => key,
  append: (record, key) => `${key}\t${record}`,
};
