import { type Flag, switchFlag, textFlag } from "../../runs/flags/flag.ts";
import { MEMORY_FLAGS, RUN_FLAGS } from "../../runs/options.ts";
import { type Command, type FlagGroup, HELP_FLAG } from "../flags/command.ts";
import { CDX_SUMMARY } from "../flags/commands.ts";

/** Holds the flags of the parts of `urlmill cdx`. */
export const CDX_FLAGS = {
  output: textFlag({
    name: "output",
    short: "o",
    value: "FILE",
    text: "write FILE, not standard output; .gz and .zst are compressed",
  }),
  memory: {
    ...MEMORY_FLAGS.memory,
    text: "lines take so much memory at most: bytes, or a number with K, M or G, from 1M on (default 512M, or a quarter of what the process may have). Those that do not fit go to temporary files, once in full. The output is the same",
  },
  tmp: MEMORY_FLAGS.tmp,
  quiet: switchFlag({ ...RUN_FLAGS.quiet, text: "write only errors on standard error" }),
  help: HELP_FLAG,
};
const { output, memory, tmp, quiet } = CDX_FLAGS;

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
} as const satisfies Readonly<Record<string, Command>>;

/** Names a part of `cdx`. */
export type CdxPart = Exclude<keyof typeof CDX_COMMANDS, "cdx">;

function group(...flags: readonly Flag[]): FlagGroup {
  return { flags: [...flags, HELP_FLAG] };
}
