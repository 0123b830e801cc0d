/** Rules for one site: their types, and their files as TSV or JSON. */

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
export { parseRules, RULES_HEADER, writeRules } from "./rule-file.ts";
export { type RuleJson, ruleFromJson, ruleToJson } from "./rule-json.ts";
export { parseRule, writeRule } from "./rule-line.ts";
