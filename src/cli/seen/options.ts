import { CommandFailure } from "../../runs/base/failure.ts";
import { readFlags, type ValuesOf } from "../../runs/call/flags/flag.ts";
import { type ParsedFlags, parseFlags, seeHelp } from "../flags/parse-flags.ts";
import { SEEN_COMMANDS, SEEN_FLAGS, type SeenPart } from "./commands.ts";

type SeenFlags = ValuesOf<typeof SEEN_FLAGS>;

export interface SeenArguments extends SeenFlags {
  /** DIR or OUT. */
  readonly directory: string;
  /** The operands after it. */
  readonly others: readonly string[];
  readonly call: ParsedFlags;
  /** Returns the value of a required flag. */
  need<Name extends keyof SeenFlags>(name: Name): NonNullable<SeenFlags[Name]>;
}

/** The parts that take more operands than a directory. */
const WITH_OTHERS: readonly SeenPart[] = ["import", "remove", "merge"];

/** Reads the arguments of a part of `urlmill seen`; null if help was requested. Throws a CommandFailure for a wrong call. */
export function readArguments(part: SeenPart, args: string[]): SeenArguments | null {
  const { name } = SEEN_COMMANDS[part];
  const call = parseFlags(SEEN_COMMANDS[part], args);
  const flags = readFlags(SEEN_FLAGS, call.values);
  if (flags.help) return null;
  const [directory, ...others] = call.positionals;
  if (directory === undefined) throw wrongCall(`${name} needs the directory of a set`, name);
  if (others.length > 0 && !WITH_OTHERS.includes(part)) {
    throw wrongCall(`${name} takes one directory`, name);
  }
  return {
    ...flags,
    directory,
    others,
    call,
    need(flag) {
      const value = flags[flag];
      if (value === undefined) throw wrongCall(`--${SEEN_FLAGS[flag].name} is missing`, name);
      return value;
    },
  };
}

function wrongCall(what: string, name: string): CommandFailure {
  return new CommandFailure(`${what}${seeHelp("", `${name} --help`)}`, 2);
}
