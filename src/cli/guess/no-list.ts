import type { Head } from "../../formats/head/head.ts";
import { shellWord } from "../../io/compression/foreign-format.ts";
import { shownInput } from "../../io/io-error.ts";
import { CommandFailure } from "../../runs/base/failure.ts";

/** A kind of files that are not lists, and would pass as lines. */
interface NoList {
  /** Names it, to follow "is". */
  readonly is: string;
  /** Matches its first bytes as a byte string. */
  readonly begins: RegExp;
  /** Returns what the user can do. `file`: the file's name for a shell, or an empty text if it cannot be named. */
  readonly way: (file: string) => string;
}

const takeUrls = (): string => "take the URLs out of it first";
const jq =
  (filter: string) =>
  (file: string): string =>
    `run: ${`jq ${filter} ${file}`.trimEnd()} | urlmill …`;

const NO_LISTS: readonly NoList[] = [
  { is: "a JSON array", begins: /^\s*\[\s*\{/, way: jq("-c '.[]'") },
  { is: "a JSON array", begins: /^\s*\[\s*"/, way: jq("-r '.[]'") },
  { is: "a JSON array of arrays", begins: /^\s*\[\s*\[\s*"/, way: jq("-r '.[] | @csv'") },
  { is: "an HTML page", begins: /^\s*<(?:!doctype html|html[\s>])/i, way: takeUrls },
  { is: "a PDF file", begins: /^%PDF-/, way: takeUrls },
  { is: "a PNG image", begins: /^\x89PNG\r\n/, way: takeUrls },
  { is: "a program (ELF)", begins: /^\x7fELF/, way: takeUrls },
  {
    is: "a binary file (its first line has a NUL byte)",
    begins: /^[^\n]*\0/,
    way: () => "-z reads lines that end at NUL",
  },
];

/** Matches the beginning of what may still become a JSON array. */
const OPEN_ARRAY = /^\s*\[[\s[]*$/;

/**
 * Throws if the first bytes of an input say for certain that it is not a list. Returns whether more of it must be read to tell.
 */
export function refuseNoList({ text, isLast }: Head, fileName: string): boolean {
  const found = NO_LISTS.find(({ begins }) => begins.test(text));
  if (found === undefined) return !isLast && OPEN_ARRAY.test(text);
  const canBeNamed = fileName !== "-" && !/\.(?:gz|zst)$/.test(fileName);
  throw new CommandFailure(
    `${shownInput(fileName)} is ${found.is}, not a list; ${found.way(canBeNamed ? shellWord(fileName) : "")}, or give --format lines to read it as lines`,
    2,
  );
}
