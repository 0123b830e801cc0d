import { counted } from "../../base/counted.ts";
import { exportPywbRules } from "../../exchange/lists/export-pywb.ts";
import { writeWhole } from "../../io/files/whole-file.ts";
import { say } from "../../io/say.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { parseRules } from "../../site-rules/language/rule-file.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import { readText } from "../read-text.ts";
import type { ListsArguments } from "./options.ts";

/** Runs `urlmill lists export --to NAME [RULES]`. */
export async function runExport({ to, output = "-", files }: ListsArguments): Promise<void> {
  const [file = "-", ...others] = files;
  const see = "see urlmill lists export --help";
  if (to === undefined) throw new CommandFailure(`--to is missing; ${see}`, 2);
  if (others.length > 0) throw new CommandFailure(`lists export takes one file; ${see}`, 2);
  await checkFiles([file], [output]);
  const rules = parseRules(readText(file));
  const { yaml, ignored } = exportPywbRules(rules);
  await writeWhole(output, [yaml]);
  for (const { rule, reason } of ignored) say(`${writeRule(rule)}: ${reason}`);
  say(`${counted(rules.length - ignored.length, "rule")} for ${to}; ${ignored.length} left out`);
}
