/** Rules in the languages of other tools, and their rules in ours. */

export { exportCleanParam, type IgnoredLine, importCleanParam } from "./clean-param.ts";
export type { InexpressibleRule } from "./inexpressible-rule.ts";
export { exportNoVarySearch } from "./no-vary-search.ts";
export { exportNutchRules } from "./nutch-export.ts";
export { type IgnoredRegex, importNutchRules } from "./nutch-import.ts";
export { HERITRIX_SESSION_RULES, NUTCH_SESSION_RULES } from "./session-rules.ts";
