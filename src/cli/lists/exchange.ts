import { statSync } from "node:fs";
import { counted } from "../../base/counted.ts";
import { exportPywbRules } from "../../exchange/lists/export-pywb.ts";
import { importList } from "../../exchange/lists/import-list.ts";
import { writeWhole } from "../../io/files/whole-file.ts";
import { shownInput } from "../../io/io-error.ts";
import { say } from "../../io/say.ts";
import { readAll } from "../../io/sources/read-all.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { writeRules } from "../../site-rules/language/rule-file.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import { readRules } from "../learn/read-rules.ts";
import type { ListsArguments } from "./commands.ts";

/** Runs `urlmill lists import --from NAME [FILE]`. */
export async function runImport(args: ListsArguments): Promise<void> {
  const { from, day, output = "-", files, loseExceptions } = args;
  const [file = "-", ...others] = files;
  const see = "see urlmill lists import --help";
  if (from === undefined) throw new CommandFailure(`--from is missing; ${see}`, 2);
  if (others.length > 0) throw new CommandFailure(`lists import takes one file; ${see}`, 2);
  await checkFiles([file], [output]);
  const text = (await readAll(file)).toString();
  const { rules, leftOut } = importList(text, from, day ?? dayOf(file), loseExceptions);
  await writeWhole(output, [writeRules(rules)]);
  for (const { line, text: shown, reason } of leftOut) {
    say(`${shownInput(file)}, line ${line}: ${shown}: ${reason}`);
  }
  const names = rules.reduce(
    (sum, { action }) => sum + (action.type === "drop" ? action.params.length : 1),
    0,
  );
  const sites = new Set(rules.map(({ site }) => site)).size;
  say(
    `${counted(rules.length, "rule")} for ${counted(sites, "site")}, with ${counted(names, "name")}; ${counted(leftOut.length, "entry", "entries")} left out`,
  );
}

/** Returns the day on which a file was written, or today for standard input. */
function dayOf(file: string): string {
  const time = file === "-" ? new Date() : statSync(file).mtime;
  return time.toISOString().slice(0, 10);
}

/** Runs `urlmill lists export --to NAME [RULES]`. */
export async function runExport({ to, output = "-", files }: ListsArguments): Promise<void> {
  const [file = "-", ...others] = files;
  const see = "see urlmill lists export --help";
  if (to === undefined) throw new CommandFailure(`--to is missing; ${see}`, 2);
  if (others.length > 0) throw new CommandFailure(`lists export takes one file; ${see}`, 2);
  await checkFiles([file], [output]);
  const rules = readRules(file);
  const { yaml, ignored } = exportPywbRules(rules);
  await writeWhole(output, [yaml]);
  for (const { rule, reason } of ignored) say(`${writeRule(rule)}: ${reason}`);
  say(`${counted(rules.length - ignored.length, "rule")} for ${to}; ${ignored.length} left out`);
}
