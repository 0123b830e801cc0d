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
    text: "the most memory for lines: bytes, or a number with K, M or G, at least 1M (default 128M, or a quarter of what the process may have). If the lines do not fit, all go to temporary files. The output is the same",
  },
  tmp: MEMORY_FLAGS.tmp,
  form: choiceFlag({
    name: "form",
    choices: ["urlkey", "urlkey-www", "surt", "url"],
    default: "urlkey",
    text: "the form of the keys; urlkey is what the Internet Archive's tools and pywb make, urlkey-www keeps www., surt is com,example)/path of the normalized URL, url the normalized URL",
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
    summary: "sorts the lines of all files by their bytes, as LC_ALL=C sort does",
    groups: [group(output, memory, tmp, quiet)],
    notes: [LINES],
    examples: ["urlmill cdx sort crawl-*.cdx.gz -o index.cdx"],
  },
  merge: {
    name: "cdx merge",
    operands: "FILE…",
    summary: "merges sorted files into one, without temporary files",
    groups: [group(output, memory, quiet)],
    notes: [
      `${LINES} A file that is not sorted is refused, too: the first line that is out of order is named.`,
    ],
    examples: ["urlmill cdx merge 2025.cdxj 2026.cdxj -o index.cdxj"],
  },
  zipnum: {
    name: "cdx zipnum",
    operands: "[FILE…] -o NAME",
    summary:
      "writes sorted files as ZipNum: members of gzip with 3,000 lines, and an index of them",
    groups: [
      group(
        { ...output, value: "NAME", text: "write NAME.gz, NAME.idx and NAME.loc" },
        memory,
        quiet,
      ),
    ],
    notes: [
      `${LINES} A file that is not sorted is refused, too. The header is the first line of the first member, even if there are no records.`,
      "NAME.idx has a line for each member with records: its first key and timestamp, the name of the file, where the member begins, its bytes, and its number, with tabs between. NAME.loc says where NAME.gz is. pywb reads NAME.idx.",
    ],
    examples: ["urlmill cdx zipnum index.cdxj -o index.cdxj"],
  },
  rekey: {
    name: "cdx rekey",
    operands: "[FILE…]",
    summary: "makes new keys from the original URLs by any options, and sorts again",
    groups: [group(output, form, memory, tmp, quiet, ENGINE_FLAG), ...OPTION_GROUPS],
    notes: [
      `${LINES} A line without an original URL keeps its key, and is named, too.`,
      "Without options, urlkey is made from the URL as it is. With options or rules it is made from the normalized URL.",
    ],
    examples: ["urlmill cdx rekey --preset crawl --rules rules.tsv index.cdxj -o keyed.cdxj"],
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CdxPart = Exclude<keyof typeof CDX_COMMANDS, "cdx">;
