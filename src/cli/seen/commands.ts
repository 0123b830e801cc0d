import { choiceFlag, switchFlag, textFlag } from "../../runs/call/flags/flag.ts";
import {
  ERROR_FLAGS,
  KEY_FLAGS,
  LIST_FLAGS,
  RECORD_FLAGS,
  RUN_FLAGS,
} from "../../runs/call/options.ts";
import { STORE_NAMES } from "../../seen/folder/store-names.ts";
import { type Command, type FlagGroup, group, HELP_FLAG } from "../flags/command.ts";
import { SEEN_SUMMARY } from "../flags/commands.ts";
import { ENGINE_FLAG, OPTION_GROUPS } from "../flags/option-flags.ts";

/** Names the kind of a new set. */
const STORE_FLAG = choiceFlag({
  name: "store",
  choices: STORE_NAMES,
  default: undefined,
  text: "the kind of a new set (default: that of the first set, otherwise a journal)",
});

/** Holds the flags of the parts of `urlmill seen` that `dedupe` does not have. */
export const SEEN_FLAGS = {
  json: switchFlag({ name: "json", text: "write a JSON object" }),
  output: textFlag({
    name: "output",
    short: "o",
    value: "FILE",
    text: "write FILE, which must not exist, and which only its owner can read; .gz and .zst are compressed",
  }),
  store: STORE_FLAG,
  keyOf: textFlag({
    name: "key-of",
    value: "DIR",
    text: "make a new set with the key, the bits and the options of this one, or of a file that export wrote",
  }),
  help: HELP_FLAG,
};

/** The flags of lists, as `dedupe` has them, but those that are about what is written. */
const { format, recursive, field, header, delimiter, escapeChar, zero, base, form } = RECORD_FLAGS;
const { threads, stats, quiet, progress } = RUN_FLAGS;
const LIST_GROUPS: readonly FlagGroup[] = [
  {
    title: "Lists of URLs",
    flags: [
      format,
      recursive,
      field,
      header,
      delimiter,
      escapeChar,
      zero,
      base,
      form,
      ...Object.values(LIST_FLAGS),
      ...Object.values(ERROR_FLAGS),
    ],
  },
  { title: "The run", flags: [threads, ENGINE_FLAG, stats, quiet, progress] },
];

/** Describes `urlmill seen` and its parts. */
export const SEEN_COMMANDS = {
  seen: {
    ...SEEN_SUMMARY,
    intro: [
      "A set is a directory that dedupe --seen DIR or a program has made. Each part takes sets of any kind. A set that another process writes to is refused; a set in LMDB can be read while others use it.",
    ],
    groups: [group()],
    examples: ["urlmill seen info crawl.seen", "urlmill seen merge all.seen host-*.seen"],
  },
  info: {
    name: "seen info",
    operands: "DIR",
    summary: "prints kind, URLs, bits, options and size of a set, but not its key",
    groups: [group(SEEN_FLAGS.json)],
    notes: ["DIR may be a file that export wrote."],
    examples: ["urlmill seen info crawl.seen", "urlmill seen info --json crawl.seen"],
  },
  verify: {
    name: "seen verify",
    operands: "DIR",
    summary: "reads all of a set, and ends with exit code 1 if it is damaged",
    groups: [group()],
    notes: [
      "Journals, sets on disk and files that export wrote have checksums. LMDB does not: a changed bit in a fingerprint is not found.",
    ],
    examples: ["urlmill seen verify crawl.seen"],
  },
  convert: {
    name: "seen convert",
    operands: "DIR --store KIND",
    summary: "turns a set into one of another kind, with the same key and URLs",
    groups: [
      group(
        choiceFlag({
          name: "store",
          choices: STORE_NAMES,
          default: undefined,
          text: "the new kind of the set",
        }),
      ),
    ],
    notes: [
      "A set on disk keeps fewer bits of each fingerprint than the other kinds, so it cannot become one of them.",
      "The old set is removed only after the new one is complete on disk, and was read again. After a crash the directory has the old set or both; the same call then finishes the conversion.",
    ],
    examples: ["urlmill seen convert crawl.seen --store disk"],
  },
  export: {
    name: "seen export",
    operands: "DIR -o FILE",
    summary: "writes the key, the options and all fingerprints of a set to a file",
    groups: [group(SEEN_FLAGS.output)],
    notes: [
      "Keep the file secret: with its key, somebody can make a crawler miss pages. docs/seen-sets.md describes its bytes.",
    ],
    examples: ["urlmill seen export crawl.seen -o crawl.keys"],
  },
  import: {
    name: "seen import",
    operands: "DIR [FILE…]",
    summary: "adds lists of URLs, files that export wrote, and sets of the same key",
    groups: [
      group(SEEN_FLAGS.store, SEEN_FLAGS.keyOf, KEY_FLAGS.bits),
      ...LIST_GROUPS,
      ...OPTION_GROUPS,
    ],
    notes: [
      "A list is read as dedupe --seen reads it, but its lines are not written. Without options, a run takes those of the set.",
    ],
    examples: [
      "urlmill seen import crawl.seen done-*.txt",
      "urlmill seen import second.seen --key-of first.seen urls.txt",
    ],
  },
  remove: {
    name: "seen remove",
    operands: "DIR [LIST…]",
    summary: "removes the URLs of lists, of files that export wrote, and of sets of the same key",
    groups: [group(), ...LIST_GROUPS, ...OPTION_GROUPS],
    notes: [
      "A list is read as seen import reads it; without LIST, standard input is read. All other URLs stay, and so do rows that wait for an answer. It prints how many URLs were removed, and how many were not in the set.",
      "The new set replaces the old one only after it is complete on disk, and was read again, so there must be room for both. After a crash the directory has the old set or the new one.",
    ],
    examples: [
      "urlmill seen remove crawl.seen failed.txt",
      "urlmill seen remove crawl.seen --field url failed.csv",
    ],
  },
  merge: {
    name: "seen merge",
    operands: "OUT IN…",
    summary: "adds sets, or files that export wrote, to OUT, which is made if it is missing",
    groups: [group(SEEN_FLAGS.store)],
    notes: [
      "All sets must have the same key and options, and at least the bits of OUT. A journal and LMDB have 128 bits, or 64, and a set on disk 80. Give the sets of many crawlers one key from the start, with --key-of.",
    ],
    examples: ["urlmill seen merge all.seen first.seen second.seen"],
  },
} as const satisfies Readonly<Record<string, Command>>;

export type SeenPart = Exclude<keyof typeof SEEN_COMMANDS, "seen">;
