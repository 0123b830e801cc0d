/** Evidence of pages that the user fetched: what to fetch for a rule, and what the results say of it. */

export {
  type FetchPlan,
  type FetchPlanOptions,
  MAX_PAIRS,
  type PlannedPair,
  type PlannedRule,
  planPairs,
} from "./fetch-plan.ts";
export {
  type FetchedPair,
  type FetchedRule,
  PLAN_COLUMNS,
  PLAN_HEADER,
  readVerdicts,
  writePlan,
} from "./fetch-plan-file.ts";
export { type Probe, type ProbeOptions, probe } from "./probe.ts";
export { applyVerdicts, judge, judgeAll, type Verdict } from "./verdict.ts";
