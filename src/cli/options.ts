import { parseArgs } from "node:util";
import type { NormalizerOptions } from "../options/options.ts";
import { CommandFailure } from "./failure.ts";
import { NORMALIZER_FLAGS, normalizerOptions } from "./normalizer-options.ts";

/** What to do with a line that is no URL. */
export type OnError = "keep" | "empty" | "fail";
/** What `dedupe` writes for the first line of each key. */
export type Emit = "original" | "normalized" | "both";

export interface CommandOptions {
  /** FILE…, `-` for standard input. */
  readonly files: readonly string[];
  readonly normalizer: NormalizerOptions;
  readonly base: string | undefined;
  readonly onError: OnError;
  readonly errors: string | undefined;
  /** `normalize` only: whether to write SURT forms. */
  readonly surt: boolean;
  /** `normalize` only: whether to write hosts as people read them. */
  readonly unicodeHosts: boolean;
  /** `dedupe` only. */
  readonly emit: Emit;
  /** `dedupe` only: a file for the lines that were merged. */
  readonly map: string | undefined;
  readonly stats: boolean;
  readonly progress: boolean | undefined;
  readonly help: boolean;
}

const FILTER_FLAGS = {
  ...NORMALIZER_FLAGS,
  base: { type: "string" },
  errors: { type: "string" },
  "on-error": { type: "string" },
  stats: { type: "boolean" },
  progress: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

const FLAGS = {
  normalize: { ...FILTER_FLAGS, output: { type: "string" }, "unicode-hosts": { type: "boolean" } },
  dedupe: { ...FILTER_FLAGS, emit: { type: "string" }, map: { type: "string" } },
} as const;

type Values = Record<string, unknown>;

/** Reads the arguments behind a filter's name; throws a CommandFailure that names the wrong one. */
export function readOptions(command: "normalize" | "dedupe", args: string[]): CommandOptions {
  const { values, positionals } = parseFlags(command, FLAGS[command], args);
  return {
    files: positionals.length === 0 ? ["-"] : positionals,
    normalizer: normalizerOptions(values as Record<string, string[]>),
    base: values["base"] as string | undefined,
    onError: choose("on-error", values, ["keep", "empty", "fail"]),
    errors: values["errors"] as string | undefined,
    surt: choose("output", values, ["url", "surt"]) === "surt",
    unicodeHosts: values["unicode-hosts"] === true,
    emit: choose("emit", values, ["original", "normalized", "both"]),
    map: values["map"] as string | undefined,
    stats: values["stats"] === true,
    progress: values["progress"] as boolean | undefined,
    help: values["help"] === true,
  };
}

/** `parseArgs`, with its complaint in one line. */
export function parseFlags(
  command: string,
  options: NonNullable<Parameters<typeof parseArgs>[0]>["options"],
  args: string[],
): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args, options: options ?? {}, allowPositionals: true, allowNegative: true });
  } catch (error) {
    const sentence = (error as Error).message.split(". ", 1)[0];
    throw new CommandFailure(`${sentence}; see urlmill ${command} --help`, 2);
  }
}

function choose<T extends string>(flag: string, values: Values, choices: readonly [T, ...T[]]): T {
  const value = values[flag];
  if (value === undefined) return choices[0];
  const found = choices.find((choice) => choice === value);
  if (found === undefined) {
    throw new CommandFailure(`--${flag} is one of ${choices.join(", ")}, not "${value}"`, 2);
  }
  return found;
}
