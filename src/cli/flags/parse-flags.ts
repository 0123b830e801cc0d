import { type ParseArgsConfig, parseArgs } from "node:util";
import { optionSuggestion } from "../../base/nearest.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import type { Flag, Values } from "../../runs/call/flags/flag.ts";
import { type Command, flagsOf, takesValue } from "./command.ts";
import { COMMANDS } from "./commands.ts";

export interface ParsedFlags {
  readonly values: Values;
  readonly positionals: readonly string[];
}

/** Parses the flags of a command. Throws a CommandFailure in one line that names the wrong one. */
export function parseFlags(command: Command, args: string[]): ParsedFlags {
  const options = Object.fromEntries(flagsOf(command).map((flag) => [flag.name, optionOf(flag)]));
  try {
    return parseArgs({ args, options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const sentence = message.split(". ", 1)[0] as string;
    const [, typed = ""] = /^Unknown option '--(?:no-)?([^']+)'/.exec(sentence) ?? [];
    const isUnknown = code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    const hint = isUnknown ? hintFor(typed, command) : "";
    throw new CommandFailure(`${sentence}${seeHelp(hint, `${command.name} --help`)}`, 2);
  }
}

function optionOf(flag: Flag): NonNullable<ParseArgsConfig["options"]>[string] {
  return {
    type: takesValue(flag) ? "string" : "boolean",
    ...(flag.short !== undefined && { short: flag.short }),
    ...(flag.isList === true && { multiple: true }),
  };
}

/** Returns a hint with the call that shows more. `help`: the arguments of that call. */
export function seeHelp(hint: string, help: string): string {
  return `${hint}${hint.endsWith("?") ? " See" : "; see"} urlmill ${help}`;
}

function hintFor(typed: string, command: Command): string {
  const now = flagsOf(command).find(({ formerly }) => formerly === typed);
  if (now !== undefined) return `; it is --${now.name} now`;
  const owners = ownersOf(typed);
  if (owners.length > 0) return `, which is for urlmill ${owners.join(", ")}`;
  const names = flagsOf(command).map(({ name }) => name);
  return optionSuggestion(typed, names, "--");
}

/** Returns the names of the commands that have a flag. */
export function ownersOf(flag: string): string[] {
  return COMMANDS.filter((command) => flagsOf(command).some(({ name }) => name === flag)).map(
    ({ name }) => name,
  );
}
