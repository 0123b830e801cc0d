import type { Rule } from "../../site-rules/index.ts";

/** A rule that another tool's language cannot say exactly, and why. */
export interface InexpressibleRule {
  readonly rule: Rule;
  readonly reason: string;
}
