import { ANY_SITE, type Rule, type Unless } from "../rule.ts";
import { ruleSite } from "./action-text.ts";
import { badRule } from "./bad-rule.ts";
import { parseCondition, writeCondition } from "./condition-text.ts";

/** Begins the line, in a file of rules, of URLs to which the rule above does not apply. Site and condition follow. */
export const UNLESS = "\tunless\t";
/** Limits what one rule leaves alone. */
export const MAX_UNLESS = 10_000;

/** Writes the lines of what a rule leaves alone, each with the line end before it. */
export function writeUnless({ unless = [] }: Rule): string {
  return unless
    .map((each) => `\n${UNLESS}${each.site}\t${writeCondition(each.condition)}`)
    .join("");
}

/** Adds a site and a condition to what a rule leaves alone. Throws `BAD_RULES` for any other text. */
export function addUnless(text: string, unless: Unless[]): void {
  const [site = "", condition, ...rest] = text.split("\t");
  if (condition === undefined || rest.length > 0) {
    throw badRule("unless takes a site and a condition, with a TAB between");
  }
  if (/:\d+$/.test(site)) {
    throw badRule(`unless takes a host without a port, not "${site}": it means every port`);
  }
  if (unless.length === MAX_UNLESS) {
    throw badRule(`a rule has more than ${MAX_UNLESS} lines with unless: split the rule`);
  }
  unless.push({
    site: site === ANY_SITE ? site : ruleSite(site),
    condition: parseCondition(condition),
  });
}
