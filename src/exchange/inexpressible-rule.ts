import type { Rule } from "../site-rules/index.ts";

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
