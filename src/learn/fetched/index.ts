/** Evidence E3: what to fetch for a rule, and what the results say of it. */

export {
  MOST_PAIRS,
  type Plan,
  type PlannedPair,
  type PlannedRule,
  type PlanOptions,
  planPairs,
} from "./plan.ts";
export {
  type FetchedPair,
  type FetchedRule,
  PLAN_COLUMNS,
  PLAN_HEADER,
  readVerdicts,
  writePlan,
} from "./plan-file.ts";
export { applyVerdicts, judge, type Verdict } from "./verdict.ts";
