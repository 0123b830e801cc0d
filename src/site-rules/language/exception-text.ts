import { badRule } from "../data-lines.ts";
import { type Action, ANY_SITE, type Rule, type Unless } from "../rule.ts";
import { ruleSite } from "./action-text.ts";
import { parseCondition, writeCondition } from "./condition-text.ts";
import { checkTarget } from "./normal-text.ts";

/** Begins the line of an exception in a file of rules. The path and query follow. */
export const EXCEPTION = "\tnot\t";
/** Limits the exceptions of one rule. */
export const MAX_EXCEPTIONS = 1_000_000;

/** Lists the actions that cannot have exceptions: what they make does not tell URLs apart. */
export const WITHOUT_EXCEPTIONS: readonly Action["type"][] = ["host", "scheme", "sink", "unwrap"];

/** Writes the lines of a rule's exceptions, each with the line end before it. */
export function writeExceptions({ except }: Rule): string {
  let lines = "";
  for (const target of except ?? []) lines += `\n${EXCEPTION}${target}`;
  return lines;
}

/**
 * Adds an exception to those of a rule. Throws `BAD_RULES` for a text that is not path and query of a
 * normalized URL, for one that is listed twice, and for an action that cannot have exceptions.
 */
export function addException({ action }: Rule, text: string, except: Set<string>): void {
  if (WITHOUT_EXCEPTIONS.includes(action.type)) {
    throw badRule(`a rule with the action ${action.type} cannot have exceptions`);
  }
  checkTarget(text, "an exception");
  if (except.has(text)) throw badRule(`the exception ${text} is listed twice`);
  if (except.size === MAX_EXCEPTIONS) {
    throw badRule(
      `a rule has more than ${MAX_EXCEPTIONS} exceptions: give it a narrower condition`,
    );
  }
  except.add(text);
}

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
