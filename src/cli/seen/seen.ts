import { type PartedCommand, partedCommand } from "../flags/parted-command.ts";
import { runConvert, runExport, runImport, runMerge, runRemove } from "./change.ts";
import { SEEN_COMMANDS, type SeenPart } from "./commands.ts";
import { readArguments, type SeenArguments } from "./options.ts";
import { runInfo, runVerify } from "./show.ts";

const RUNS: Readonly<Record<SeenPart, (args: SeenArguments) => Promise<void>>> = {
  info: runInfo,
  verify: runVerify,
  convert: runConvert,
  export: runExport,
  import: runImport,
  remove: runRemove,
  merge: runMerge,
};

/** Runs `urlmill seen info | verify | …`. */
export const SEEN: PartedCommand = partedCommand("seen", SEEN_COMMANDS, async (part, args) => {
  const read = readArguments(part, args);
  if (read !== null) await RUNS[part](read);
  return read === null;
});
