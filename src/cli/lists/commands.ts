import { LIST_NAMES } from "../../exchange/lists/import-list.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import {
  checkedFlag,
  choiceFlag,
  switchFlag,
  textFlag,
  type ValuesOf,
} from "../../runs/call/flags/flag.ts";
import { type Command, group, HELP_FLAG } from "../flags/command.ts";
import { LISTS_SUMMARY } from "../flags/commands.ts";
import { LEARN_FLAGS } from "../learn/commands.ts";

/** Flags for reading a list of pages, as `learn` has them. */
const { format, field, header, fp } = LEARN_FLAGS;
const READ = { format, field, header, fp };

export const LISTS_FLAGS = {
  from: choiceFlag({
    name: "from",
    choices: LIST_NAMES,
    default: undefined,
    text: "who keeps the list, which tells its form",
  }),
  to: choiceFlag({
    name: "to",
    choices: ["pywb"],
    default: undefined,
    text: "the form to write: rules.yaml of pywb",
  }),
  day: checkedFlag(
    {
      name: "day",
      value: "YYYY-MM-DD",
      text: "the day of the list, for the evidence of its rules (default: the date of the file)",
    },
    checkDay,
  ),
  loseExceptions: switchFlag({
    name: "lose-exceptions",
    text: "also take rules with an exception that cannot be expressed; such exceptions are listed",
  }),
  output: textFlag({
    name: "output",
    short: "o",
    value: "FILE",
    text: "write FILE, not standard output; .gz and .zst are compressed",
  }),
  ...READ,
  help: HELP_FLAG,
};

/** Describes `urlmill lists` and its parts. */
export const LISTS_COMMANDS = {
  lists: {
    ...LISTS_SUMMARY,
    groups: [group()],
    examples: ["urlmill lists import --from brave query-filter.json -o brave.tsv"],
  },
  import: {
    name: "lists import",
    operands: "--from NAME [FILE]",
    summary: "makes rules from a list of ClearURLs, AdGuard, Brave, Firefox or pywb",
    groups: [
      group(LISTS_FLAGS.from, LISTS_FLAGS.day, LISTS_FLAGS.loseExceptions, LISTS_FLAGS.output),
    ],
    notes: [
      "The rules are proposals: --accept list applies them. What a rule cannot express is listed on standard error, with its line and the reason. A rule never covers more URLs than its entry in the list.",
    ],
    examples: ["urlmill lists import --from clearurls data.min.json -o clearurls.tsv"],
  },
  export: {
    name: "lists export",
    operands: "--to NAME [RULES]",
    summary: "writes rules in the form of pywb",
    groups: [group(LISTS_FLAGS.to, LISTS_FLAGS.output)],
    notes: [
      "keep, drop and dropif are written, also proposals. Rules that pywb cannot express are listed on standard error, with the reason.",
    ],
    examples: ["urlmill lists export --to pywb kept.tsv -o rules.yaml"],
  },
  audit: {
    name: "lists audit",
    operands: "RULES [FILE…]",
    summary: "says what each rule of a list does to the pages of your crawl, with a verdict",
    groups: [group(...Object.values(READ), LISTS_FLAGS.output)],
    notes: [
      "FILE has URLs with fingerprints of their pages, as learn reads them: learn fingerprint writes it from WARC files. Each name is judged alone. keep: nine of ten merges are right, for five pages or more. harmful: fewer are right, and at least three are wrong. Both are bounds at 95 %; with less, there is no evidence.",
      "-o writes the rules to keep with their evidence, so they are applied without --accept. They exclude the sites on which they are harmful.",
    ],
    examples: ["urlmill lists audit brave.tsv crawl.jsonl.gz -o kept.tsv"],
  },
  diff: {
    name: "lists diff",
    operands: "OLD NEW [FILE]",
    summary:
      "says what changed between two files of rules, and which URLs of a list get other keys",
    groups: [group(LISTS_FLAGS.output)],
    notes: [
      "A line is - or +, a TAB, and the rule without its evidence, one for each name. With FILE, each URL whose normalized form changes comes next: =, the URL, and both forms. All rules of both files count, also proposals.",
    ],
    examples: ["urlmill lists diff clearurls-old.tsv clearurls.tsv urls.txt"],
  },
} as const satisfies Readonly<Record<string, Command>>;

export type ListsPart = Exclude<keyof typeof LISTS_COMMANDS, "lists">;

function checkDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new CommandFailure(`--day is a day such as 2026-11-26, not "${text}"`, 2);
}

export interface ListsArguments extends ValuesOf<typeof LISTS_FLAGS> {
  readonly files: readonly string[];
}
