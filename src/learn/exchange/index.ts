/** Rules in the languages of other tools, and their rules in ours. */

export { exportCleanParam, type IgnoredLine, importCleanParam } from "./clean-param.ts";
export type { InexpressibleRule } from "./inexpressible-rule.ts";
export {
  exportNutchRules,
  HERITRIX_SESSION_RULES,
  type IgnoredRegex,
  importNutchRules,
  NUTCH_SESSION_RULES,
} from "./nutch.ts";
