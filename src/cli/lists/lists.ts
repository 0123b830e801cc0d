import { readFlags } from "../../runs/call/flags/flag.ts";
import { parseFlags } from "../flags/parse-flags.ts";
import { type PartedCommand, partedCommand } from "../flags/parted-command.ts";
import { runAudit } from "./audit.ts";
import { LISTS_COMMANDS, LISTS_FLAGS, type ListsArguments, type ListsPart } from "./commands.ts";
import { runDiff } from "./diff.ts";
import { runExport, runImport } from "./exchange.ts";

const RUNS: Readonly<Record<ListsPart, (args: ListsArguments) => Promise<void>>> = {
  import: runImport,
  export: runExport,
  audit: runAudit,
  diff: runDiff,
};

/** Runs `urlmill lists import | export | audit | diff`. */
export const LISTS: PartedCommand = partedCommand("lists", LISTS_COMMANDS, async (part, args) => {
  const { values, positionals } = parseFlags(LISTS_COMMANDS[part], args);
  const flags = readFlags(LISTS_FLAGS, values);
  if (!flags.help) await RUNS[part]({ ...flags, files: positionals });
  return flags.help;
});
