import { checkText } from "../../base/errors.ts";
import { badRule } from "../data-lines.ts";
import { ANY_SITE, type Rule } from "../rule.ts";
import { parseAction, ruleSite, writeAction } from "./action-text.ts";
import { checkRule } from "./check.ts";
import { parseCondition, writeCondition } from "./condition-text.ts";
import { parseEvidence, writeEvidence } from "./evidence-text.ts";

/**
 * Reads one rule: site, condition, action and perhaps evidence, with a TAB between. Throws
 * `BAD_RULES` for any other text.
 *
 * @example
 * parseRule("example.org\t* ?page\tkeep page").action; // { type: "keep", params: ["page"] }
 */
export function parseRule(line: string): Rule {
  checkText(line, "line");
  const [site, condition, action, evidence = "", ...rest] = line.split("\t");
  if (site === undefined || condition === undefined || action === undefined || rest.length > 0) {
    throw badRule("a rule is site, condition, action and perhaps evidence, with a TAB between");
  }
  const rule: Rule = {
    site: site === ANY_SITE ? site : ruleSite(site),
    condition: parseCondition(condition),
    action: parseAction(action, site),
    evidence: parseEvidence(evidence),
  };
  checkRule(rule);
  return rule;
}

/**
 * Writes a rule as the line that `parseRule` reads. Its exceptions, and the URLs that it leaves alone, are not in the
 * line: `writeRules` and `ruleToJson` write them.
 *
 * @example
 * writeRule(parseRule("example.org\t*\tsort")); // "example.org\t*\tsort"
 */
export function writeRule({ site, condition, action, evidence }: Rule): string {
  const columns = [site, writeCondition(condition), writeAction(action, site)];
  if (evidence !== null) columns.push(writeEvidence(evidence));
  return columns.join("\t");
}
