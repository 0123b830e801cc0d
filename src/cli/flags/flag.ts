/** Describes one flag: the parser, the help, completion and the manual page are all made from it. */
export interface Flag {
  /** The name without its two dashes. */
  readonly name: string;
  /** The letter that stands for the flag after one dash. */
  readonly short?: string;
  /** Names what follows the flag, such as `FILE`; a flag with neither a value nor choices takes nothing. */
  readonly value?: string;
  /** Lists the values that can follow, the default first. */
  readonly choices?: readonly string[];
  /** Whether every value counts where the flag is given again; else the last one does. */
  readonly isList?: boolean;
  /** Says what the flag does, after the choices, if it has any. */
  readonly text: string;
}

/** Describes one command, or a part of one such as `learn mine`. */
export interface Command {
  readonly name: string;
  /** Names what stands after the command, such as `[FILE…]`. */
  readonly operands: string;
  /** Says in one line what the command does. */
  readonly summary: string;
  /** What is said before the flags, a paragraph each. */
  readonly intro?: readonly string[];
  /** Lists the parts of the command, which the help of the command names. */
  readonly parts?: readonly Pick<Command, "name" | "operands" | "summary">[];
  /** The flags, in groups; a group without a title is the first. */
  readonly groups: readonly FlagGroup[];
  /** What is said after the flags, a paragraph each. */
  readonly notes?: readonly string[];
  /** Whole calls of the command. */
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

/** Says whether something must follow a flag. */
export function takesValue(flag: Flag): boolean {
  return flag.value !== undefined || flag.choices !== undefined;
}
