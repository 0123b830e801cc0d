import { RECORD_FORMATS, type RecordFormat } from "../../learn/records/read-records.ts";
import { CommandFailure } from "../../runs/failure.ts";
import { MAX_THREADS } from "../../runs/options.ts";
import { choose, parseFlags, type Values, wholeNumber } from "../flags/parse-flags.ts";
import { LEARN_COMMANDS, type LearnCommand } from "./commands.ts";
import type { ReadOptions } from "./read-records.ts";

/** Holds the arguments of `urlmill learn` or of one of its parts. */
export interface LearnArguments {
  readonly files: readonly string[];
  readonly read: ReadOptions;
  /** How pages are compared: `sizes` ignores fingerprints, `urls` also ignores sizes. */
  readonly by: "pages" | "sizes" | "urls";
  readonly out: string;
  readonly maxPageLoss: number | undefined;
  readonly threads: number | undefined;
  readonly isJson: boolean;
  readonly report: string | undefined;
  readonly help: boolean;
  /** The values of all flags, by the names of the flags. */
  readonly values: Values;
  /** Returns the value of a required flag. */
  need(flag: string): string;
  get(flag: string): string | undefined;
}

/**
 * Reads the arguments of a part of `urlmill learn`. Throws a `CommandFailure` for an unknown flag.
 */
export function readArguments(command: LearnCommand, args: string[]): LearnArguments {
  const { name } = LEARN_COMMANDS[command];
  const { values, positionals } = parseFlags(LEARN_COMMANDS[command], args);
  const get = (flag: string) => values[flag] as string | undefined;
  return {
    files: positionals.length === 0 ? ["-"] : positionals,
    read: {
      format: formatOf(values),
      field: get("field"),
      header: values["header"] as boolean | undefined,
      fp: get("fp"),
      origin: get("origin"),
    },
    by: choose("by", values, ["pages", "sizes", "urls"]),
    out: get("output") ?? "-",
    maxPageLoss: shareOf(get("max-page-loss")),
    threads: wholeNumber("threads", values, undefined, MAX_THREADS),
    isJson: values["json"] === true,
    report: get("report"),
    help: values["help"] === true,
    values,
    get,
    need(flag) {
      const value = get(flag);
      if (value !== undefined) return value;
      throw new CommandFailure(`--${flag} is missing; see urlmill ${name} --help`, 2);
    },
  };
}

/** Returns the requested format, or undefined if none is given. Then the first line decides. */
function formatOf(values: Values): RecordFormat | undefined {
  return values["format"] === undefined ? undefined : choose("format", values, RECORD_FORMATS);
}

function shareOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const share = text.trim() === "" ? Number.NaN : Number(text);
  if (share >= 0 && share <= 1) return share;
  throw new CommandFailure(`--max-page-loss is a share from 0 to 1, not "${text}"`, 2);
}
