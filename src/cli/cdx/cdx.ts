import { readFlags } from "../../runs/call/flags/flag.ts";
import { parseFlags } from "../flags/parse-flags.ts";
import { type PartedCommand, partedCommand } from "../flags/parted-command.ts";
import { CDX_COMMANDS, CDX_FLAGS, type CdxPart } from "./commands.ts";
import { type CdxArguments, runMerge, runRekey, runSort, runZipnum } from "./parts.ts";

const RUNS: Readonly<Record<CdxPart, (args: CdxArguments) => Promise<void>>> = {
  sort: runSort,
  merge: runMerge,
  zipnum: runZipnum,
  rekey: runRekey,
};

/** Runs `urlmill cdx sort | merge | …`. */
export const CDX: PartedCommand = partedCommand("cdx", CDX_COMMANDS, async (part, args) => {
  const { values, positionals } = parseFlags(CDX_COMMANDS[part], args);
  const flags = readFlags(CDX_FLAGS, values);
  if (!flags.help) await RUNS[part]({ ...flags, files: positionals, values });
  return flags.help;
});
