import type { Flag } from "../../runs/call/flags/flag.ts";
import type { Command } from "./command.ts";

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
