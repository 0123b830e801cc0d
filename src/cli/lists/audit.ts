import { counted } from "../../base/counted.ts";
import { writeWhole } from "../../io/files/whole-file.ts";
import { say } from "../../io/say.ts";
import { SiteCollector } from "../../learn/collect/collector.ts";
import { type Audited, RuleAudit, type Verdict, verdictOf } from "../../learn/rule-audit.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { checkFiles } from "../../runs/base/files.ts";
import { parseCrawlLines, parseRules, writeRules } from "../../site-rules/language/rule-file.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import { readRecords } from "../learn/read-records.ts";
import { readText } from "../read-text.ts";
import type { ListsArguments } from "./commands.ts";

const HEADER = "verdict\ton\tchanged\tright\twrong\tlost\tsite\tcondition\taction\n";
const VERDICTS: readonly Verdict[] = ["harmful", "keep", "no evidence"];

/** Runs `urlmill lists audit RULES [FILE…]`. */
export async function runAudit({ files, output, ...args }: ListsArguments): Promise<void> {
  const [rules, ...others] = files;
  if (rules === undefined) {
    throw new CommandFailure(
      "lists audit needs a file of rules; see urlmill lists audit --help",
      2,
    );
  }
  const lists = others.length === 0 ? ["-"] : others;
  await checkFiles([rules, ...lists], ["-", ...(output === undefined ? [] : [output])]);
  const text = readText(rules);
  const audit = new RuleAudit(parseRules(text));
  const collector = new SiteCollector();
  const fields = await readRecords(lists, { ...args, readsPages: true }, (records) =>
    collector.add(records),
  );
  for (const site of collector.sites()) audit.add(site);
  const numbers = [...audit.rules.keys()].filter((number) => audit.sites(number).size > 0);
  const of = (verdict: Verdict) => numbers.filter((number) => audit.verdict(number) === verdict);
  const lines = VERDICTS.flatMap((verdict) =>
    of(verdict).flatMap((number) => linesOf(number, audit)),
  );
  await writeWhole("-", [HEADER, ...lines]);
  const kept = audit.kept();
  if (output !== undefined)
    await writeWhole(output, [writeRules(kept, "tsv", parseCrawlLines(text))]);
  const told = fields.fpNames.size === 0 ? "; no fingerprints, so nothing tells pages apart" : "";
  // Their pages are those of other sites, of which an audit knows nothing.
  const moving = ["unwrap", "host"].flatMap((type) => {
    const { length } = audit.rules.filter(({ action }) => action.type === type);
    return length === 0 ? [] : { type, length };
  });
  const untouched = moving.reduce(
    (sum, { length }) => sum - length,
    audit.rules.length - numbers.length,
  );
  const unjudged = moving.map(
    ({ type, length }) => `, ${length} with ${type} that no audit judges`,
  );
  say(
    `${counted(audit.rules.length, "name or rule", "names and rules")}: ${kept.length} to keep, ${of("harmful").length} harmful, ${of("no evidence").length} without evidence, ${untouched} that change no URL${unjudged.join("")}${told}`,
  );
}

/** Returns the lines of a rule: on all sites, then on each that it changes. */
function linesOf(number: number, audit: RuleAudit): string[] {
  const rule = audit.rules[number] as (typeof audit.rules)[number];
  const text = writeRule({ ...rule, evidence: null });
  const line = (verdict: Verdict, on: string, audited: Audited) => {
    const { changed, right, wrong, lost } = audited;
    return `${[verdict, on, changed, right, wrong, lost.toFixed(1), text].join("\t")}\n`;
  };
  const sites = [...audit.sites(number)].map(([site, own]) => line(verdictOf(own), site, own));
  return [line(audit.verdict(number), "all", audit.total(number)), ...sites];
}
