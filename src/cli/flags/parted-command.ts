import { suggestion } from "../../base/nearest.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { type Command, HELP_FLAG } from "./command.ts";
import { helpOf } from "./help-text.ts";
import { parseFlags, seeHelp } from "./parse-flags.ts";

export interface PartedCommand {
  readonly commands: readonly Command[];
  /** Returns the help of the command, or of a part. Throws a CommandFailure for a word that is not a part. */
  help(part: string): string;
  /** Runs the command, or one of its parts. Returns the help that was requested, or null. */
  run(args: string[]): Promise<string | null>;
}

/**
 * Returns a command that does nothing without a part. `all` has it and its parts. `run` runs a part, or returns true if its
 * help was requested.
 */
export function partedCommand<Name extends string, Part extends string>(
  name: Name,
  all: Readonly<Record<Name | Part, Command>>,
  run: (part: Exclude<Part, Name>, args: string[]) => Promise<boolean>,
): PartedCommand {
  const { [name]: command, ...parts } = all;
  const partOf = (word: string): Exclude<Part, Name> => {
    if (Object.hasOwn(parts, word)) return word as Exclude<Part, Name>;
    const names = Object.keys(parts);
    const what = word === "" ? `${name} needs a part` : `"${word}" is not a part of ${name}`;
    const hint = word === "" ? "" : suggestion(word, names);
    throw new CommandFailure(`${what}: ${names.join(", ")}${seeHelp(hint, `${name} --help`)}`, 2);
  };
  const help = (word: string): string =>
    word === "" ? helpWithParts(command, Object.values(parts)) : helpOf(all[partOf(word)]);
  return {
    commands: Object.values(all),
    help,
    async run(args) {
      const [word = "", ...rest] = args;
      const isFlag = word.startsWith("-");
      if (isFlag && HELP_FLAG.read(parseFlags(command, args).values)) return help("");
      const part = partOf(isFlag ? "" : word);
      return (await run(part, rest)) ? help(part) : null;
    },
  };
}

/** Returns the help of a command that lists its parts. */
export function helpWithParts(command: Command, parts: readonly Command[]): string {
  return helpOf({ ...command, subcommands: parts.map((part) => ({ ...part, operands: "" })) });
}
