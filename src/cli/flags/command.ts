import { type Flag, switchFlag } from "../../runs/call/flags/flag.ts";

/** Describes one command, or a subcommand such as `learn mine`. */
export interface Command {
  readonly name: string;
  /** Names the operands of the command, such as `[FILE…]`. */
  readonly operands: string;
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

export interface FlagGroup {
  readonly title?: string;
  readonly flags: readonly Flag[];
}

/** Gives every command its help. */
export const HELP_FLAG = switchFlag({ name: "help", short: "h", text: "show this help" });

/** Returns a group of flags without a title, with the help at its end. */
export function group(...flags: readonly Flag[]): FlagGroup {
  return { flags: [...flags, HELP_FLAG] };
}

/** Returns the beginning of a flag's text, for a list of many flags. */
export function shortText({ text }: Flag): string {
  return (text.split(/[;.:] | \(/)[0] as string).trim();
}

/** Lists the flags of a command, without their groups. */
export function flagsOf(command: Command): Flag[] {
  return command.groups.flatMap(({ flags }) => flags);
}

export function takesValue(flag: Flag): boolean {
  return flag.value !== undefined || flag.choices !== undefined;
}

/** Holds the data of the command line that completion needs, for all shells. */
export interface Completable {
  /** The commands, and their parts as `learn mine`. */
  readonly commands: readonly Command[];
  /** The words that can follow `urlmill`, with what they do. */
  readonly first: readonly Pick<Command, "name" | "summary">[];
  /** The parts of each command that has some, with what they do. */
  readonly parts: Readonly<Record<string, readonly Pick<Command, "name" | "summary">[]>>;
  /** The words that can follow a command, for those that take no file there. */
  readonly operands: Readonly<Record<string, readonly string[]>>;
  /** Each flag once, with the commands that have it in this form. */
  readonly flags: readonly { readonly flag: Flag; readonly commands: readonly string[] }[];
}

/** Returns a text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
