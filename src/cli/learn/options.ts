import { CommandFailure } from "../../runs/base/failure.ts";
import { readFlags, type ValuesOf } from "../../runs/call/flags/flag.ts";
import { parseFlags } from "../flags/parse-flags.ts";
import { LEARN_COMMANDS, LEARN_FLAGS, type LearnCommand } from "./commands.ts";

type LearnFlags = ValuesOf<typeof LEARN_FLAGS>;

export interface LearnArguments extends Omit<LearnFlags, "output"> {
  readonly files: readonly string[];
  readonly out: string;
  /** Returns the value of a required flag. */
  need<Name extends keyof LearnFlags>(name: Name): NonNullable<LearnFlags[Name]>;
}

/** Reads the arguments of `urlmill learn` or of a subcommand. Throws a `CommandFailure` for an unknown flag. */
export function readArguments(command: LearnCommand, args: string[]): LearnArguments {
  const { values, positionals } = parseFlags(LEARN_COMMANDS[command], args);
  const flags = readFlags(LEARN_FLAGS, values);
  const { output: out = "-", ...others } = flags;
  return {
    ...others,
    files: positionals.length === 0 ? ["-"] : positionals,
    out,
    need(name) {
      const value = flags[name];
      if (value !== undefined) return value;
      const { name: call } = LEARN_COMMANDS[command];
      const flag = LEARN_FLAGS[name].name;
      throw new CommandFailure(`--${flag} is missing; see urlmill ${call} --help`, 2);
    },
  };
}
