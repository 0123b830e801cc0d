/** Exports the types of rules and aliases for sites, and functions that read and write them. */

export {
  ALIASES_HEADER,
  type PageAlias,
  parseAliases,
  writeAliases,
} from "./aliases/alias-file.ts";
export {
  type CrawlLine,
  parseCrawlLines,
  parseRules,
  parseTrust,
  RULES_HEADER,
  writeRules,
} from "./language/rule-file.ts";
export { type RuleJson, ruleFromJson, ruleToJson } from "./language/rule-json.ts";
export { parseRule, writeRule } from "./language/rule-line.ts";
export type { Skip, SkipReason } from "./language/skip-line.ts";
export type { Trust } from "./language/trust-line.ts";
export type {
  Action,
  Condition,
  Element,
  Evidence,
  EvidenceLevel,
  ParamTest,
  Pattern,
  Rule,
  Template,
} from "./rule.ts";
export { SkipFilter, type SkipFilterOptions } from "./skip-filter.ts";
