import { parseArgs } from "node:util";
import type { NormalizerOptions } from "../options/options.ts";
import { CommandFailure } from "./failure.ts";

/** What to do with a line that is no URL. */
export type OnError = "keep" | "empty" | "fail";
/** What `dedupe` writes for the first line of each key. */
export type Emit = "original" | "normalized" | "both";

export interface CommandOptions {
  readonly files: readonly string[];
  readonly normalizer: NormalizerOptions;
  readonly base: string | undefined;
  readonly onError: OnError;
  readonly errors: string | undefined;
  readonly emit: Emit;
  readonly stats: boolean;
  readonly progress: boolean | undefined;
  readonly help: boolean;
}

const SHARED = {
  preset: { type: "string" },
  engine: { type: "string" },
  "default-scheme": { type: "string" },
  "max-length": { type: "string" },
  base: { type: "string" },
  errors: { type: "string" },
  "on-error": { type: "string" },
  stats: { type: "boolean" },
  progress: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;
const DEDUPE = { ...SHARED, emit: { type: "string" } } as const;

/** Reads the arguments behind the command's name; throws a CommandFailure that names the wrong one. */
export function readOptions(command: "normalize" | "dedupe", args: string[]): CommandOptions {
  const { values, positionals } = parse(command, args);
  return {
    files: positionals.length === 0 ? ["-"] : positionals,
    normalizer: normalizerOptions(values),
    base: values.base,
    onError: choose("on-error", values["on-error"], ["keep", "empty", "fail"]),
    errors: values.errors,
    emit: choose("emit", values.emit, ["original", "normalized", "both"]),
    stats: values.stats === true,
    progress: values.progress,
    help: values.help === true,
  };
}

type Values = ReturnType<typeof parseArgs<{ options: typeof DEDUPE }>>["values"];

function parse(command: string, args: string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({
      args,
      options: (command === "dedupe" ? DEDUPE : SHARED) as typeof DEDUPE,
      allowPositionals: true,
      allowNegative: true,
    });
  } catch (error) {
    const sentence = (error as Error).message.split(". ", 1)[0];
    throw new CommandFailure(`${sentence}; see urlmill ${command} --help`, 2);
  }
}

/** The options as the API has them; it checks the values. */
function normalizerOptions(values: Values): NormalizerOptions {
  const options = {
    preset: values.preset,
    engine: values.engine,
    defaultScheme: values["default-scheme"],
    maxLength: values["max-length"] === undefined ? undefined : Number(values["max-length"]),
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as NormalizerOptions;
}

function choose<T extends string>(
  flag: string,
  value: string | undefined,
  choices: readonly [T, ...T[]],
): T {
  if (value === undefined) return choices[0];
  const found = choices.find((choice) => choice === value);
  if (found === undefined) {
    throw new CommandFailure(`--${flag} is one of ${choices.join(", ")}, not "${value}"`, 2);
  }
  return found;
}
