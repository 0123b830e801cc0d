/** Rules learned from lists of URLs and their pages: which different URLs are the same page. */

export * from "../exchange/index.ts";
export * from "../site-rules/index.ts";
export { EVIDENCE_LEVELS, explainEvidence } from "../site-rules/rule.ts";
export { PageTrust, type PageTrustOptions } from "./aliases/page-trust.ts";
export { SiteCollector } from "./collect/collector.ts";
export type { Effect } from "./count/components.ts";
export { countSite, type MinedRule, type SiteEvidence } from "./count/counted.ts";
export { EVIDENCE_HEADER, EvidenceReader, writeEvidenceLines } from "./count/evidence-file.ts";
export * from "./fetched/index.ts";
export {
  type Learned,
  type LearnOptions,
  learnSites,
  selectSites,
} from "./learn.ts";
export { type LearnProgress, type LearnRunOptions, learn } from "./learn-records.ts";
export type { JudgedRule, LearnedSite } from "./learned-site.ts";
export { mineSite } from "./mine/mine-site.ts";
export {
  detectFormat,
  type LineError,
  RECORD_FORMATS,
  type RecordFormat,
  type RecordOptions,
  RecordReader,
} from "./records/read-records.ts";
export { FP_KINDS, type FpKind, type LearnRecord } from "./records/record.ts";
export type { Site } from "./site/site.ts";
export * from "./text/index.ts";
export type { Refusal } from "./thresholds/refusal.ts";
