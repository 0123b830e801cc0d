/** Fingerprints of pages by what a reader sees: equal texts, and near-duplicates. */

export { type Declarations, declarations } from "./declarations.ts";
export {
  type PageFingerprints,
  pageFingerprints,
  simFingerprint,
  TEXT_KEY,
  textFingerprint,
} from "./fingerprint.ts";
export type { AnswerHeaders } from "./link-header.ts";
export { simClasses, simDistance } from "./sim-classes.ts";
export { visibleText } from "./visible-text.ts";
