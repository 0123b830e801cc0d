import { suggestion } from "../../base/nearest.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import type { Command } from "../flags/command.ts";
import { helpOf } from "../flags/help-text.ts";
import { parseFlags, seeHelp } from "../flags/parse-flags.ts";
import { runConvert, runExport, runMerge } from "./change.ts";
import { SEEN_COMMANDS, SEEN_FLAGS, type SeenPart } from "./commands.ts";
import { runImport } from "./import.ts";
import { readArguments, type SeenArguments } from "./options.ts";
import { runInfo, runVerify } from "./show.ts";

const RUNS: Readonly<Record<SeenPart, (args: SeenArguments) => Promise<void>>> = {
  info: runInfo,
  verify: runVerify,
  convert: runConvert,
  export: runExport,
  import: runImport,
  merge: runMerge,
};

/** Runs `urlmill seen info | verify | …`. Returns the requested help, or null. */
export async function runSeen(args: string[]): Promise<string | null> {
  const [word = "", ...rest] = args;
  if (word.startsWith("-")) return helpByFlag(args);
  if (!isPart(word)) throw unknownPart(word);
  const read = readArguments(word, rest);
  if (read === null) return seenHelp(word);
  await RUNS[word](read);
  return null;
}

/** Returns the help that a call without a part requests. */
function helpByFlag(args: string[]): string {
  const { values } = parseFlags(SEEN_COMMANDS.seen, args);
  if (SEEN_FLAGS.help.read(values)) return seenHelp("");
  throw unknownPart("");
}

function isPart(word: string): word is SeenPart {
  return word !== "seen" && Object.hasOwn(SEEN_COMMANDS, word);
}

function unknownPart(word: string): CommandFailure {
  const { seen: _, ...parts } = SEEN_COMMANDS;
  const names = Object.keys(parts);
  const what = word === "" ? "seen needs a part" : `"${word}" is not a part of seen`;
  const hint = word === "" ? "" : suggestion(word, names);
  return new CommandFailure(`${what}: ${names.join(", ")}${seeHelp(hint, "seen --help")}`, 2);
}

/** Returns the help of `urlmill seen`, or of the named part. */
export function seenHelp(word: string): string {
  if (isPart(word)) return helpOf(SEEN_COMMANDS[word]);
  if (word !== "") throw unknownPart(word);
  const { seen, ...parts } = SEEN_COMMANDS;
  return helpOf({
    ...seen,
    subcommands: Object.values(parts).map((command) => ({ ...command, operands: "" })),
  });
}

/** Returns `urlmill seen` and its parts. */
export function seenCommands(): Command[] {
  return Object.values(SEEN_COMMANDS);
}
