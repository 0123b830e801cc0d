import { choiceFlag } from "../../runs/call/flags/flag.ts";
import {
  ERROR_FLAGS,
  KEEP_FLAGS,
  KEY_FLAGS,
  LIST_FLAGS,
  MEMORY_FLAGS,
  RECORD_FLAGS,
  RUN_FLAGS,
} from "../../runs/call/options.ts";
import { type Command, type FlagGroup, HELP_FLAG } from "./command.ts";
import { ENGINE_FLAG, OPTION_GROUPS, PRESET_FLAG } from "./option-flags.ts";

const { threads: THREADS, ...OTHERS } = RUN_FLAGS;
const THE_RUN: FlagGroup = {
  title: "The run",
  flags: [
    THREADS,
    ENGINE_FLAG,
    ...Object.values(OTHERS),
    { ...HELP_FLAG, text: "show all flags; -h shows only those that most calls need" },
  ],
};

/** The flags of the short help, around those that a command has alone. */
const { format, field, output } = RECORD_FLAGS;
const FIRST = [format, field, output];
const LAST = [PRESET_FLAG, ERROR_FLAGS.errors, THREADS, OTHERS.stats, OTHERS.quiet];
const LISTS: FlagGroup = { title: "Lists of URLs", flags: Object.values(LIST_FLAGS) };

const NOTES = [
  "A line ends at LF or CR LF and is read as UTF-8; a byte order mark at the beginning of a file is not written. UTF-16 with such a mark is read, too. For other compression and archives, the error names the command to use first.",
  "Exit code: 0 done, 1 failed, 2 wrong call, 129 after SIGHUP, 130 after SIGINT, 143 after SIGTERM.",
];

const BOTH =
  "both writes the record and its normalized URL: before a line with a tab between, in tables and JSON as the last column or member, normalized_url";

const ALONE =
  "normalized-url writes only the normalized URL, a line for each record, and url only the URL as it was";

/** Says what `normalize` writes for a record. */
export const NORMALIZE_EMIT = choiceFlag({
  name: "emit",
  choices: ["normalized", "both", "url", "normalized-url"],
  default: "normalized",
  text: `the record with its URL normalized; ${BOTH}; ${ALONE}`,
});

/** Says what `dedupe` writes for a record. */
export const DEDUPE_EMIT = choiceFlag({
  name: "emit",
  choices: ["original", "normalized", "both", "url", "normalized-url"],
  default: "original",
  text: `records as they were; normalized writes the normalized URL in place of the URL; ${BOTH}; ${ALONE}`,
});

export const NORMALIZE: Command = {
  name: "normalize",
  operands: "[FILE…]",
  summary: "writes one normalized line for each line of the input, in order",
  common: [...FIRST, NORMALIZE_EMIT, ...LAST],
  groups: [
    { title: "Records", flags: [...Object.values(RECORD_FLAGS), NORMALIZE_EMIT] },
    LISTS,
    notUrls("; empty writes an empty line, or field; fail stops at it with exit code 1"),
    THE_RUN,
    ...OPTION_GROUPS,
  ],
  notes: NOTES,
  examples: [
    "urlmill normalize --preset crawl --errors bad.tsv urls.txt -o normalized.txt",
    "urlmill normalize --field link crawl.jsonl.gz -o keyed.gz",
  ],
};

export const DEDUPE: Command = {
  name: "dedupe",
  operands: "[FILE…]",
  summary: "writes the first line of each normalized URL, and of each other text",
  common: [...FIRST, DEDUPE_EMIT, KEEP_FLAGS.keep, KEY_FLAGS.seen, ...LAST],
  groups: [
    { title: "Records", flags: [...Object.values(RECORD_FLAGS), DEDUPE_EMIT] },
    { title: "What is compared", flags: Object.values(KEY_FLAGS) },
    { title: "What is written of each URL", flags: Object.values(KEEP_FLAGS) },
    LISTS,
    notUrls(
      ", and leaves out its repeats: lines with the same bytes, or records that are the same as a whole; empty leaves out all of them; fail stops at the first with exit code 1",
    ),
    { title: "Memory", flags: Object.values(MEMORY_FLAGS) },
    THE_RUN,
    ...OPTION_GROUPS,
  ],
  notes: NOTES,
  examples: [
    "urlmill dedupe --preset crawl --stats urls.txt -o unique.txt",
    "urlmill dedupe --preset crawl --keep max:date crawl.csv.gz -o newest.csv.gz",
    "urlmill dedupe --format wat CC-*.warc.wat.gz -o frontier.txt",
    "urlmill dedupe --field url crawl.parquet -o unique.parquet",
    "urlmill dedupe --preset crawl --seen crawl.seen links.txt --append new.txt",
  ],
};

/** Returns the flags for lines that are not URLs. `more`: what a command says of `--on-error`. */
function notUrls(more: string): FlagGroup {
  const { onError, ...others } = ERROR_FLAGS;
  const said = { ...onError, text: onError.text + more };
  return { title: "Lines that are not URLs", flags: [said, ...Object.values(others)] };
}
