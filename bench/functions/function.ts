import type { NormalizerOptions } from "urlmill";
import { fresh } from "../fresh.ts";
import { each, lines, type MakePath } from "../path.ts";

const LINES = 20_000;

/** Makes a path of lines that keep one function of the kernel busy. */
export function busy(
  name: string,
  line: (row: number) => string,
  note: string,
  options: NormalizerOptions = {},
): MakePath {
  return () => {
    const urls = fresh(Array.from({ length: LINES }, (_, row) => line(row)));
    return {
      name,
      contestants: [
        ...lines(urls, options),
        each("new URL().href", urls, (url) => new URL(url).href),
      ],
      reference: "new URL().href",
      target: 1,
      note,
    };
  };
}
