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
    { ...HELP_FLAG, text: "show all flags; -h shows those that most calls need" },
  ],
};

/** The flags of the short help, around those that a command has alone. */
const { format, field, output } = RECORD_FLAGS;
const FIRST = [format, field, output];
const LAST = [PRESET_FLAG, ERROR_FLAGS.errors, THREADS, OTHERS.stats, OTHERS.quiet];
const LISTS: FlagGroup = { title: "Lists of URLs", flags: Object.values(LIST_FLAGS) };

const NOTES = [
  "A line ends at LF or CR LF and is read as UTF-8; a byte order mark at the beginning of a file is not written. Other compression, archives and UTF-16 are refused with the command to use first.",
  "Exit code: 0 done, 1 failed, 2 wrong call, 129 after SIGHUP, 130 after SIGINT, 143 after SIGTERM.",
];

const BOTH =
  "both writes the record with its normalized URL: before a line with a tab between, after the other columns or members, where it is named normalized_url";

/** Says what `normalize` writes for a record. */
export const NORMALIZE_EMIT = choiceFlag({
  name: "emit",
  choices: ["normalized", "both"],
  default: "normalized",
  text: `the normalized URL takes the place of the URL; ${BOTH}`,
});

/** Says what `dedupe` writes for a record. */
export const DEDUPE_EMIT = choiceFlag({
  name: "emit",
  choices: ["original", "normalized", "both"],
  default: "original",
  text: `lines as they were; normalized writes the normalized URL in the place of the URL; ${BOTH}`,
});

export const NORMALIZE: Command = {
  name: "normalize",
  operands: "[FILE…]",
  summary: "one normalized line out per line in, in order",
  common: [...FIRST, NORMALIZE_EMIT, ...LAST],
  groups: [
    { title: "Records", flags: [...Object.values(RECORD_FLAGS), NORMALIZE_EMIT] },
    LISTS,
    notUrls("; empty leaves the line, or field, empty; fail stops at it with exit code 1"),
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
  summary: "the first line of each normalized URL, or other text, in order",
  common: [...FIRST, DEDUPE_EMIT, KEEP_FLAGS.keep, KEY_FLAGS.seen, ...LAST],
  groups: [
    { title: "Records", flags: [...Object.values(RECORD_FLAGS), DEDUPE_EMIT] },
    { title: "What is compared", flags: Object.values(KEY_FLAGS) },
    { title: "What is written of each URL", flags: Object.values(KEEP_FLAGS) },
    LISTS,
    notUrls(
      ", and leaves out repeats: lines with the same bytes, records that are the same as a whole; empty leaves all of them out; fail stops at the first with exit code 1",
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
