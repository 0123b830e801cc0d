import { LF } from "../../url/codes.ts";
import type { UrlText } from "../engine.ts";
import { textsToJoin, writeUtf8 } from "../strings.ts";
import type { Kernel } from "./kernel.ts";

/**
 * Writes `rows` strings from `first` on to the input of a kernel as lines. Returns the bytes they take, or 0
 * if they must be written one by one: one is not a string, holds a CR or does not fit. A string that holds a
 * LF shows in the number of lines.
 */
export function writeLines(
  kernel: Kernel,
  urls: readonly UrlText[],
  first: number,
  rows: number,
): number {
  const { input, inputStart, capacity, strings } = kernel;
  const joined = textsToJoin(strings);
  if (joined === 0) return 0;
  const last = first + rows;
  let at = 0;
  for (let from = first; from < last; from += joined) {
    const some = urls.slice(from, Math.min(from + joined, last));
    let length = some.length;
    for (const url of some) {
      if (typeof url !== "string") return 0;
      length += url.length;
    }
    if (at + 3 * length > capacity) return 0;
    const text = some.join("\n");
    if (text.includes("\r")) return 0;
    at += writeUtf8(strings, text, inputStart + at);
    input[at++] = LF;
  }
  return at;
}
