import { Normalizer } from "./normalizer.ts";
import type { NormalizerOptions } from "./options/options.ts";
import { prepare } from "./options/prepare.ts";

export type { UrlBatch } from "./batch.ts";
export type {
  Column,
  EngineChoice,
  Fingerprints,
  LineWindow,
  NormalizedColumn,
  NormalizedStrings,
  UrlText,
} from "./engine/engine.ts";
export { type CallErrorCode, UrlmillError } from "./errors.ts";
export type { ExplainedStep, Explanation } from "./explain/explain.ts";
export type {
  BatchOptions,
  FingerprintOptions,
  NormalizedLines,
  Normalizer,
  TryResult,
} from "./normalizer.ts";
export type { NormalizerOptions, SiteOptions } from "./options/options.ts";
export type { DefaultScheme } from "./plan/compiled-options.ts";
export {
  explainStatus,
  isError,
  Status,
  type StatusCode,
  type StatusName,
  statusName,
  type UrlErrorCode,
} from "./status.ts";

/**
 * A normalizer for the given options. Throws `UrlmillError`: `BAD_OPTION` for an option it does not
 * know or cannot take, `ENGINE_UNAVAILABLE` where `engine: "wasm"` does not run.
 */
export function createNormalizer(options?: NormalizerOptions): Normalizer {
  const { engine, plan } = prepare(options);
  return new Normalizer(engine, plan);
}
