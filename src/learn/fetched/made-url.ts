import { applySiteRules } from "../../site-rules/apply/apply.ts";
import { ANY_SITE, type Rule } from "../../site-rules/rule.ts";
import { joinParts, splitParts } from "../../url/parts.ts";

/**
 * Returns what a rule, as the only one, makes of a normalized http or https URL: the URL itself if
 * the rule leaves it alone.
 */
export function madeUrl(rule: Rule, url: string): string {
  const parts = splitParts(url);
  applySiteRules(parts, (site) => (rule.site === ANY_SITE || rule.site === site ? [rule] : []));
  return joinParts(parts);
}
