import { type Flag, switchFlag } from "../../runs/call/flags/flag.ts";

/** Describes one command, or a subcommand such as `learn mine`. */
export interface Command {
  readonly name: string;
  /** Names the operands of the command, such as `[FILE…]`. */
  readonly operands: string;
  /** Says in one line what the command does. */
  readonly summary: string;
  /** The text before the flags, by paragraphs. */
  readonly intro?: readonly string[];
  /** Lists the subcommands, which the help of the command names. */
  readonly subcommands?: readonly Pick<Command, "name" | "operands" | "summary">[];
  /** The flags that most calls need, for the short help. Left out if the help is short anyway. */
  readonly common?: readonly Flag[];
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
export const HELP_FLAG = switchFlag({ name: "help", short: "h", text: "show this help" });

/** Returns the beginning of a flag's text, for a list of many flags. */
export function shortText({ text }: Flag): string {
  return (text.split(/[;.:] | \(/)[0] as string).trim();
}

/** Lists the flags of a command, without their groups. */
export function flagsOf(command: Command): Flag[] {
  return command.groups.flatMap(({ flags }) => flags);
}

/** Returns whether a flag needs a value. */
export function takesValue(flag: Flag): boolean {
  return flag.value !== undefined || flag.choices !== undefined;
}
