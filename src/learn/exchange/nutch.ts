/** Nutch's regex-normalize.xml, read and written, and its session ids as a baseline. */

export { exportNutchRules } from "./nutch-export.ts";
export { type IgnoredRegex, importNutchRules } from "./nutch-import.ts";
export { HERITRIX_SESSION_RULES, NUTCH_SESSION_RULES } from "./session-rules.ts";
