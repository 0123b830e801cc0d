import type { Rule } from "../site-rules/index.ts";
import { isOfLists } from "../site-rules/of-lists.ts";

/** Holds a rule that another tool's language cannot say exactly, and why. */
export interface InexpressibleRule {
  /** Holds the rule. */
  readonly rule: Rule;
  /** Says, for people, why the other language cannot say it. */
  readonly reason: string;
}

/** Says why no other tool's language has what rules of lists have. */
export const NOT_SAID =
  "a domain, <*>, a class of values, a length, & or unless cannot be said there";

/** Returns whether a rule has what `NOT_SAID` names, but for a `drop` of parameters between `&`, which others have. */
export function isNotSaid(rule: Rule): boolean {
  const { action } = rule;
  if (action.type !== "drop") return isOfLists(rule);
  return isOfLists({ ...rule, action: { type: action.type, params: action.params } });
}
