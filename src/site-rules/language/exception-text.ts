import type { Action, Rule } from "../rule.ts";
import { badRule } from "./bad-rule.ts";
import { checkTarget } from "./normal-text.ts";

/** Begins the line of an exception in a file of rules. The path and query follow. */
export const EXCEPTION = "\tnot\t";
/** Limits the exceptions of one rule. */
export const MAX_EXCEPTIONS = 1_000_000;

/** Lists the actions that cannot have exceptions: what they make does not tell URLs apart. */
export const WITHOUT_EXCEPTIONS: readonly Action["type"][] = ["host", "scheme", "sink"];

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
