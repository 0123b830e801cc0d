import { RECORD_FORMATS, type RecordFormat } from "../../learn/records/read-records.ts";
import { CommandFailure } from "../failure.ts";
import { parseFlags } from "../options.ts";
import type { ReadOptions } from "./read-records.ts";

const TEXT = { type: "string" } as const;
const HELP = { help: { type: "boolean", short: "h" } } as const;
const READ = {
  format: TEXT,
  field: TEXT,
  header: { type: "boolean" },
  fp: TEXT,
  origin: TEXT,
  by: TEXT,
} as const;
const OUT = { out: { type: "string", short: "o" } } as const;
const SELECT = { "max-page-loss": TEXT, json: { type: "boolean" }, report: TEXT } as const;

/** Lists the flags of `urlmill learn` and of its parts, for `parseArgs`. */
export const LEARN_FLAGS = {
  learn: { ...READ, ...OUT, ...SELECT, ...HELP },
  mine: { ...READ, ...OUT, ...HELP },
  count: { ...READ, ...OUT, rules: TEXT, ...HELP },
  select: { ...OUT, ...SELECT, ...HELP },
  plan: { ...READ, ...OUT, rules: TEXT, pairs: TEXT, ...HELP },
  verdict: { ...OUT, json: { type: "boolean" }, ...HELP },
  evaluate: { "max-page-loss": TEXT, seed: TEXT, fold: TEXT, json: { type: "boolean" }, ...HELP },
  import: { from: TEXT, site: TEXT, ...OUT, ...HELP },
  export: { to: TEXT, rules: TEXT, ...OUT, ...HELP },
} as const;

/** Names `learn` or one of its parts. */
export type LearnCommand = keyof typeof LEARN_FLAGS;

/** Holds the arguments of `urlmill learn` or of one of its parts. */
export interface LearnArguments {
  readonly files: readonly string[];
  readonly read: ReadOptions;
  /** What pages are told apart by: with `sizes` no fingerprint counts, with `urls` no size either. */
  readonly by: "pages" | "sizes" | "urls";
  readonly out: string;
  readonly maxPageLoss: number | undefined;
  readonly isJson: boolean;
  readonly report: string | undefined;
  readonly help: boolean;
  /** A flag that must be there. */
  need(flag: string): string;
  get(flag: string): string | undefined;
}

/**
 * Reads the arguments of a part of `urlmill learn`. Throws `CommandFailure` for flags that it does
 * not have.
 */
export function readArguments(command: LearnCommand, args: string[]): LearnArguments {
  const name = command === "learn" ? command : `learn ${command}`;
  const { values, positionals } = parseFlags(name, LEARN_FLAGS[command], args);
  const get = (flag: string) => values[flag] as string | undefined;
  return {
    files: positionals.length === 0 ? ["-"] : positionals,
    read: {
      format: formatOf(get("format")),
      field: get("field"),
      header: values["header"] as boolean | undefined,
      fp: get("fp"),
      origin: get("origin"),
    },
    by: byOf(get("by")),
    out: get("out") ?? "-",
    maxPageLoss: shareOf(get("max-page-loss")),
    isJson: values["json"] === true,
    report: get("report"),
    help: values["help"] === true,
    get,
    need(flag) {
      const value = get(flag);
      if (value !== undefined) return value;
      throw new CommandFailure(`--${flag} is missing; see urlmill ${name} --help`, 2);
    },
  };
}

function formatOf(text: string | undefined): RecordFormat | undefined {
  if (text === undefined) return undefined;
  const found = RECORD_FORMATS.find((format) => format === text);
  if (found !== undefined) return found;
  throw new CommandFailure(`--format is one of ${RECORD_FORMATS.join(", ")}, not "${text}"`, 2);
}

function byOf(text = "pages"): LearnArguments["by"] {
  if (text === "pages" || text === "sizes" || text === "urls") return text;
  throw new CommandFailure(`--by is pages, sizes or urls, not "${text}"`, 2);
}

function shareOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const share = text.trim() === "" ? Number.NaN : Number(text);
  if (share >= 0 && share <= 1) return share;
  throw new CommandFailure(`--max-page-loss is a share from 0 to 1, not "${text}"`, 2);
}
