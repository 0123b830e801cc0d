import type { Rule } from "../../rules/index.ts";

/** A rule that another tool's language cannot say exactly, and why. */
export interface UnsaidRule {
  readonly rule: Rule;
  readonly reason: string;
}
