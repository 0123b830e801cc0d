import { INPUT_FORMATS } from "../../formats/index.ts";
import { type Command, type Flag, HELP_FLAG } from "./flag.ts";
import { BASE_FLAG, ENGINE_FLAG, OPTION_GROUPS } from "./option-flags.ts";

/** Lists how a normalized URL can be written. */
export const FORMS = ["url", "surt", "crawlee"] as const;

/** Flags for the sources and the destinations of records. */
const FILES: readonly Flag[] = [
  {
    name: "format",
    choices: [...INPUT_FORMATS, "parquet"],
    text: "the rest of a record stays as it is. ClickHouse's TabSeparated has escapes after a backslash; its TSVRaw is tsv, without escapes. A web archive gives URLs, one a line: warc those of HTTP responses, wat the http and https links of pages, resolved. parquet, for files that begin with PAR1 or end with .parquet, keeps all columns and their types",
  },
  {
    name: "field",
    value: "NAME|N",
    text: "where the URL is: a column of tsv and csv by its name in the header, or by its number if no header names it (default 1); a column of cdx by its letter or number (a); a member of jsonl and cdxj (url), or a path to one: page.url, links.0.url; a column of parquet by its path (url)",
  },
  {
    name: "header",
    text: "the first line of tsv or csv names the columns: it is kept, once for all files; the URL is in the column url, or --field",
  },
  BASE_FLAG,
  {
    name: "output",
    formerly: "out",
    short: "o",
    value: "FILE",
    text: "write FILE; compressed if it ends with .gz, or .zst (Node 22.15)",
  },
  {
    name: "form",
    choices: FORMS,
    text: "surt writes URLs as com,example)/path; crawlee makes the keys of Crawlee 3, with its options instead of a preset's",
  },
  {
    name: "unicode-hosts",
    text: "write xn-- labels in Unicode: for people, not as keys",
  },
];

const ERRORS: Flag = {
  name: "errors",
  value: "FILE",
  text: "write each line that is not a URL as: line number, code, text. There, in --map and in --shadow \\\\ is a backslash, and \\xHH is a byte of a hidden character, of a line end, or of what is not UTF-8",
};

/** Flags that say how a run goes and what it tells. */
const RUN: readonly Flag[] = [
  {
    name: "threads",
    value: "N",
    text: "1 to 9999 (default: as many as the machine has, if the input is large enough)",
  },
  ENGINE_FLAG,
  {
    name: "flush",
    text: "answer the lines of a pipe as soon as they are read, without waiting 10 ms for more: for a program that writes a line only after the answer to the last one",
  },
  {
    name: "stats",
    text: "counts as JSON on standard error at the end, by code and by step",
  },
  {
    name: "report",
    value: "FILE.html",
    text: "a page that shows what changed by step, merges, errors, with examples",
  },
  {
    name: "progress",
    text: "show progress on standard error (default on a terminal); --no-progress never does",
  },
  HELP_FLAG,
];

const NOTES = [
  "A line ends at LF or CR LF and is read as UTF-8; a byte order mark at the beginning of a file is not written. Other compression, archives and UTF-16 are refused with the command to use first.",
  "Exit code: 0 done, 1 failed, 2 wrong call, 129 after SIGHUP, 130 after SIGINT, 143 after SIGTERM.",
];

const BOTH =
  "both writes the record with its normalized URL: before a line with a tab between, after the other columns or members, where it is named normalized_url";

/** Describes `urlmill normalize`. */
export const NORMALIZE: Command = {
  name: "normalize",
  operands: "[FILE…]",
  summary: "one normalized line out per line in, in order",
  groups: [
    {
      title: "Records",
      flags: [
        ...FILES,
        emit(["normalized", "both"], `the normalized URL takes the place of the URL; ${BOTH}`),
      ],
    },
    {
      title: "Lines that are not URLs",
      flags: [
        onError("; empty leaves the line, or field, empty; fail stops at it with exit code 1"),
        ERRORS,
      ],
    },
    { title: "The run", flags: RUN },
    ...OPTION_GROUPS,
  ],
  notes: NOTES,
  examples: [
    "urlmill normalize --preset crawl --errors bad.tsv urls.txt > normalized.txt",
    "urlmill normalize --format jsonl --field link crawl.jsonl.gz -o keyed.gz",
  ],
};

/** Describes `urlmill dedupe`. */
export const DEDUPE: Command = {
  name: "dedupe",
  operands: "[FILE…]",
  summary: "the first line of each normalized URL, or other text, in order",
  groups: [
    {
      title: "Records",
      flags: [
        ...FILES,
        emit(
          ["original", "normalized", "both"],
          `lines as they were; normalized writes the normalized URL in the place of the URL; ${BOTH}`,
        ),
      ],
    },
    {
      title: "Keys",
      flags: [
        {
          name: "seen",
          value: "DIR",
          text: "leave out what earlier runs with DIR wrote. DIR is a directory of keys; it is made if it is missing. A key goes there after its line is written: a crash may repeat a line, and loses no line. One run at a time, always with the same options",
        },
        {
          name: "bits",
          choices: ["128", "64"],
          text: "bits of each key; 64 takes half the memory, and says how many lines can be expected to be lost to chance (default: what DIR has, else 128)",
        },
        {
          name: "map",
          value: "FILE",
          text: "write each line that was merged: key, tab, line; the key of a text that is not a URL is the text",
        },
        {
          name: "shadow",
          value: "FILE",
          text: "try the rules of --rules and --page-aliases: merge no line by them, and list each line that they would merge: key, line, key without rules, and each rule that changed it (3 columns), with tabs between",
        },
      ],
    },
    {
      title: "Lines that are not URLs",
      flags: [
        onError(
          ", and leaves out repeats: lines with the same bytes, records that are the same as a whole; empty leaves all of them out; fail stops at the first with exit code 1",
        ),
        ERRORS,
      ],
    },
    { title: "The run", flags: RUN },
    ...OPTION_GROUPS,
  ],
  notes: NOTES,
  examples: [
    "urlmill dedupe --preset crawl --stats urls.txt > unique.txt",
    "urlmill dedupe --format cdx crawl.cdx.gz -o unique.cdx.gz",
    "urlmill dedupe --format wat CC-*.warc.wat.gz > frontier.txt",
    "urlmill dedupe --field url crawl.parquet -o unique.parquet",
    "urlmill dedupe --preset crawl --seen crawl.seen links-2.txt >> frontier.txt",
  ],
};

function emit(choices: readonly string[], text: string): Flag {
  return { name: "emit", choices, text };
}

function onError(text: string): Flag {
  return {
    name: "on-error",
    choices: ["keep", "empty", "fail"],
    text: `keep leaves the line as it is${text}`,
  };
}
