import { suggestion } from "../../base/nearest.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { readFlags } from "../../runs/call/flags/flag.ts";
import type { Command } from "../flags/command.ts";
import { helpOf } from "../flags/help-text.ts";
import { parseFlags, seeHelp } from "../flags/parse-flags.ts";
import { runAudit } from "./audit.ts";
import { LISTS_COMMANDS, LISTS_FLAGS, type ListsPart } from "./commands.ts";
import { runDiff } from "./diff.ts";
import { runExport } from "./export.ts";
import { runImport } from "./import.ts";
import type { ListsArguments } from "./options.ts";

const RUNS: Readonly<Record<ListsPart, (args: ListsArguments) => Promise<void>>> = {
  import: runImport,
  export: runExport,
  audit: runAudit,
  diff: runDiff,
};

/** Runs `urlmill lists import | export | audit | diff`. Returns the requested help, or null. */
export async function runLists(args: string[]): Promise<string | null> {
  const [word = "", ...rest] = args;
  if (word.startsWith("-")) {
    const { values } = parseFlags(LISTS_COMMANDS.lists, args);
    if (LISTS_FLAGS.help.read(values)) return listsHelp("");
  }
  if (!isPart(word)) throw unknownPart(word.startsWith("-") ? "" : word);
  const { values, positionals } = parseFlags(LISTS_COMMANDS[word], rest);
  const flags = readFlags(LISTS_FLAGS, values);
  if (flags.help) return listsHelp(word);
  await RUNS[word]({ ...flags, files: positionals });
  return null;
}

function isPart(word: string): word is ListsPart {
  return word !== "lists" && Object.hasOwn(LISTS_COMMANDS, word);
}

function unknownPart(word: string): CommandFailure {
  const { lists: _, ...parts } = LISTS_COMMANDS;
  const names = Object.keys(parts);
  const what = word === "" ? "lists needs a part" : `"${word}" is not a part of lists`;
  const hint = word === "" ? "" : suggestion(word, names);
  return new CommandFailure(`${what}: ${names.join(", ")}${seeHelp(hint, "lists --help")}`, 2);
}

/** Returns the help of `urlmill lists`, or of the named part. */
export function listsHelp(word: string): string {
  if (isPart(word)) return helpOf(LISTS_COMMANDS[word]);
  if (word !== "") throw unknownPart(word);
  const { lists, ...parts } = LISTS_COMMANDS;
  return helpOf({
    ...lists,
    subcommands: Object.values(parts).map((command) => ({ ...command, operands: "" })),
  });
}

/** Returns `urlmill lists` and its parts. */
export function listsCommands(): Command[] {
  return Object.values(LISTS_COMMANDS);
}
