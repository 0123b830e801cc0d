/** Describes one flag: the parser, the help, completion and the manual page are all made from it. */
export interface Flag {
  /** The name without its two dashes. */
  readonly name: string;
  /** The letter for the flag after one dash. */
  readonly short?: string;
  /** Names the value of the flag, such as `FILE`. A flag with neither a value nor choices takes nothing. */
  readonly value?: string;
  /** Lists the allowed values, the default first. */
  readonly choices?: readonly string[];
  /** Says whether every value counts if the flag is repeated. Otherwise the last value is used. */
  readonly isList?: boolean;
  /** Gives the name that the flag had, so that it is refused with the new one. */
  readonly formerly?: string;
  /** Describes the flag. The help shows this after the choices. */
  readonly text: string;
}

/** Describes one command, or a part of one such as `learn mine`. */
export interface Command {
  readonly name: string;
  /** Names the operands of the command, such as `[FILE…]`. */
  readonly operands: string;
  /** Says in one line what the command does. */
  readonly summary: string;
  /** The text before the flags, by paragraphs. */
  readonly intro?: readonly string[];
  /** Lists the parts of the command, which the help of the command names. */
  readonly parts?: readonly Pick<Command, "name" | "operands" | "summary">[];
  /** The flags, in groups; a group without a title is the first. */
  readonly groups: readonly FlagGroup[];
  /** The text after the flags, by paragraphs. */
  readonly notes?: readonly string[];
  /** Examples of complete calls. */
  readonly examples: readonly string[];
}

/** Holds flags under one title. */
export interface FlagGroup {
  readonly title?: string;
  readonly flags: readonly Flag[];
}

/** Gives every command its help. */
export const HELP_FLAG: Flag = { name: "help", short: "h", text: "show this help" };

/** Lists the flags of a command, without their groups. */
export function flagsOf(command: Command): Flag[] {
  return command.groups.flatMap(({ flags }) => flags);
}

/** Returns whether a flag needs a value. */
export function takesValue(flag: Flag): boolean {
  return flag.value !== undefined || flag.choices !== undefined;
}
