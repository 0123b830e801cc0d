import { choiceFlag, switchFlag, textFlag } from "../../runs/call/flags/flag.ts";
import { MEMORY_FLAGS, RUN_FLAGS } from "../../runs/call/options.ts";
import { type Command, group, HELP_FLAG } from "../flags/command.ts";
import { CDX_SUMMARY } from "../flags/commands.ts";
import { ENGINE_FLAG, OPTION_GROUPS } from "../flags/option-flags.ts";

export const CDX_FLAGS = {
  output: textFlag({
    name: "output",
    short: "o",
    value: "FILE",
    text: "write FILE, not standard output; .gz and .zst are compressed",
  }),
  memory: {
    ...MEMORY_FLAGS.memory,
    text: "lines take so much memory at most: bytes, or a number with K, M or G, from 1M on (default 128M, or a quarter of what the process may have). Those that do not fit go to temporary files, once in full. The output is the same",
  },
  tmp: MEMORY_FLAGS.tmp,
  form: choiceFlag({
    name: "form",
    choices: ["urlkey", "urlkey-www", "surt", "url"],
    default: "urlkey",
    text: "urlkey is what the Internet Archive's tools and pywb make, urlkey-www keeps www., surt is com,example)/path of the normalized URL, url the normalized URL",
  }),
  quiet: switchFlag({ ...RUN_FLAGS.quiet, text: "write only errors on standard error" }),
  help: HELP_FLAG,
};
const { output, memory, tmp, form, quiet } = CDX_FLAGS;

/** What all parts do with headers and damage. */
const LINES =
  "Lines are CDX or CDXJ, as the first header or record shows. A CDX header is written once. A file with other fields is refused. A damaged line is named and kept.";

/** Describes `urlmill cdx` and its parts. */
export const CDX_COMMANDS = {
  cdx: {
    ...CDX_SUMMARY,
    groups: [group()],
    examples: ["urlmill cdx sort crawl-*.cdxj -o index.cdxj"],
  },
  sort: {
    name: "cdx sort",
    operands: "[FILE…]",
    summary: "the lines of all files, sorted by their bytes as LC_ALL=C sort does",
    groups: [group(output, memory, tmp, quiet)],
    notes: [LINES],
    examples: ["urlmill cdx sort crawl-*.cdx.gz -o index.cdx"],
  },
  merge: {
    name: "cdx merge",
    operands: "FILE…",
    summary: "sorted files as one, in one pass and without temporary files",
    groups: [group(output, memory, quiet)],
    notes: [`${LINES} So is a file that is not sorted: the first line that is not is named.`],
    examples: ["urlmill cdx merge 2025.cdxj 2026.cdxj -o index.cdxj"],
  },
  zipnum: {
    name: "cdx zipnum",
    operands: "[FILE…] -o NAME",
    summary: "sorted files as ZipNum: members of gzip with 3,000 lines, and an index of them",
    groups: [
      group(
        { ...output, value: "NAME", text: "write NAME.gz, NAME.idx and NAME.loc" },
        memory,
        quiet,
      ),
    ],
    notes: [
      `${LINES} So is a file that is not sorted. The header is the first line of the first member, which is there without records, too.`,
      "NAME.idx has a line for each member with records: its first key and timestamp, the name of the file, where the member is, its bytes, and its number, with tabs between. NAME.loc says where the file is. pywb reads NAME.idx.",
    ],
    examples: ["urlmill cdx zipnum index.cdxj -o index.cdxj"],
  },
  rekey: {
    name: "cdx rekey",
    operands: "[FILE…]",
    summary: "new keys of the original URLs by any options, sorted again",
    groups: [group(output, form, memory, tmp, quiet, ENGINE_FLAG), ...OPTION_GROUPS],
    notes: [
      `${LINES} So is a line without an original URL: it keeps its key.`,
      "Without options, urlkey is made of the URL as it is; with options or rules that can change a URL, of the normalized one.",
    ],
    examples: ["urlmill cdx rekey --preset crawl --rules rules.tsv index.cdxj -o keyed.cdxj"],
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CdxPart = Exclude<keyof typeof CDX_COMMANDS, "cdx">;
