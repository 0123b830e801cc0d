import {
  exportCleanParam,
  exportNoVarySearch,
  exportNutchRules,
  importCleanParam,
  importNutchRules,
} from "../../exchange/index.ts";
import { writeWhole } from "../../io/files/whole-file.ts";
import { shownInput } from "../../io/io-error.ts";
import { say } from "../../io/say.ts";
import { readAll } from "../../io/sources/read-all.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { writeRules } from "../../site-rules/language/rule-file.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { LearnArguments } from "./options.ts";
import { readRules } from "./read-rules.ts";

/** Runs `urlmill learn import --from NAME [FILE…]`. */
export async function runImport(args: LearnArguments): Promise<void> {
  const from = args.need("from");
  await checkFiles(args.files, [args.out]);
  const rules: Rule[] = [];
  for (const file of args.files) {
    const text = (await readAll(file)).toString();
    const found =
      from === "nutch" ? importNutchRules(text) : importCleanParam(text, args.need("site"));
    for (const rule of found.rules) rules.push(rule);
    for (const { line, reason } of found.ignored)
      say(`${shownInput(file)}, line ${line}: ${reason}`);
  }
  await writeWhole(args.out, [writeRules(rules)]);
}

/** Runs `urlmill learn export --to NAME --rules FILE`. */
export async function runExport(args: LearnArguments): Promise<void> {
  const to = args.need("to");
  const file = args.need("rules");
  await checkFiles([file], [args.out]);
  const rules = readRules(file);
  const write = { nutch: inNutch, "clean-param": inCleanParam, "no-vary-search": inHeaders }[to];
  const { texts, ignored } = write(rules);
  await writeWhole(args.out, texts);
  for (const { rule, reason } of ignored) say(`${writeRule(rule)}: ${reason}`);
}

function inNutch(rules: readonly Rule[]) {
  const { xml, ignored } = exportNutchRules(rules);
  return { texts: [xml], ignored };
}

function inHeaders(rules: readonly Rule[]) {
  say("a wrong No-Vary-Search makes caches serve wrong pages: test each line before you send it");
  say("No-Vary-Search ends parameters at & alone: send it only if none of the site's URLs has a ;");
  const { headers, ignored } = exportNoVarySearch(rules);
  return { texts: headers, ignored };
}

function inCleanParam(rules: readonly Rule[]) {
  const { files, ignored } = exportCleanParam(rules);
  return { texts: files.map(({ site, robotsTxt }) => `# ${site}\n${robotsTxt}`), ignored };
}
