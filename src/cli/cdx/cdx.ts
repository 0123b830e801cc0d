import { suggestion } from "../../base/nearest.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { readFlags } from "../../runs/call/flags/flag.ts";
import type { Command } from "../flags/command.ts";
import { helpOf } from "../flags/help-text.ts";
import { parseFlags, seeHelp } from "../flags/parse-flags.ts";
import { CDX_COMMANDS, CDX_FLAGS, type CdxPart } from "./commands.ts";
import { runMerge } from "./merge.ts";
import type { CdxArguments } from "./options.ts";
import { runRekey } from "./rekey.ts";
import { runSort } from "./sort.ts";
import { runZipnum } from "./zipnum.ts";

const RUNS: Readonly<Record<CdxPart, (args: CdxArguments) => Promise<void>>> = {
  sort: runSort,
  merge: runMerge,
  zipnum: runZipnum,
  rekey: runRekey,
};

/** Runs `urlmill cdx sort | merge | …`. Returns the requested help, or null. */
export async function runCdx(args: string[]): Promise<string | null> {
  const [word = "", ...rest] = args;
  if (word.startsWith("-")) {
    const { values } = parseFlags(CDX_COMMANDS.cdx, args);
    if (CDX_FLAGS.help.read(values)) return cdxHelp("");
  }
  if (!isPart(word)) throw unknownPart(word.startsWith("-") ? "" : word);
  const { values, positionals } = parseFlags(CDX_COMMANDS[word], rest);
  const flags = readFlags(CDX_FLAGS, values);
  if (flags.help) return cdxHelp(word);
  await RUNS[word]({ ...flags, files: positionals, values });
  return null;
}

function isPart(word: string): word is CdxPart {
  return word !== "cdx" && Object.hasOwn(CDX_COMMANDS, word);
}

function unknownPart(word: string): CommandFailure {
  const { cdx: _, ...parts } = CDX_COMMANDS;
  const names = Object.keys(parts);
  const what = word === "" ? "cdx needs a part" : `"${word}" is not a part of cdx`;
  const hint = word === "" ? "" : suggestion(word, names);
  return new CommandFailure(`${what}: ${names.join(", ")}${seeHelp(hint, "cdx --help")}`, 2);
}

/** Returns the help of `urlmill cdx`, or of the named part. */
export function cdxHelp(word: string): string {
  if (isPart(word)) return helpOf(CDX_COMMANDS[word]);
  if (word !== "") throw unknownPart(word);
  const { cdx, ...parts } = CDX_COMMANDS;
  return helpOf({
    ...cdx,
    subcommands: Object.values(parts).map((command) => ({ ...command, operands: "" })),
  });
}

/** Returns `urlmill cdx` and its parts. */
export function cdxCommands(): Command[] {
  return Object.values(CDX_COMMANDS);
}
