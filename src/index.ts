import type { Normalizer } from "./normalizer/normalizer.ts";
import { prepare } from "./normalizers.ts";
import type { NormalizerOptions } from "./options/catalog.generated.ts";

export { type CallErrorCode, UrlmillError } from "./base/errors.ts";
export {
  explainStatus,
  isError,
  Status,
  type StatusCode,
  type StatusName,
  statusName,
  type UrlErrorCode,
} from "./base/status.ts";
export type {
  Column,
  Fingerprints,
  LineWindow,
  NormalizedColumn,
  NormalizedStrings,
  UrlText,
} from "./engine/engine.ts";
export type { ExceptedRule, ExplainedStep, Explanation } from "./engine/explain/explain.ts";
export type { KernelSource } from "./engine/wasm/kernel-module.ts";
export type { UrlBatch } from "./normalizer/batch.ts";
export type {
  BatchOptions,
  BytesOptions,
  FingerprintOptions,
  NormalizedLines,
  TryFailure,
  TryResult,
  TrySuccess,
  WindowOptions,
} from "./normalizer/calls.ts";
export type { Normalizer } from "./normalizer/normalizer.ts";
export { loadKernel } from "./normalizers.ts";
export type {
  DefaultScheme,
  EngineChoice,
  NormalizerOptions,
  SiteOptions,
} from "./options/catalog.generated.ts";

/**
 * Creates a normalizer for the given options; without options it uses preset `safe`.
 *
 * Throws `BAD_OPTION` for an option that it does not know or cannot take. Throws `BAD_RULES` if the text in
 * `rules` is not a file of rules, and `ENGINE_UNAVAILABLE` if `engine` is `"wasm"` and WebAssembly does not
 * run.
 *
 * @example
 * const n = createNormalizer({ preset: "crawl" });
 * n.normalize("HTTP://Example.com/b?utm_source=x&a=1#top"); // "http://example.com/b?a=1"
 */
export function createNormalizer(options?: NormalizerOptions): Normalizer {
  return prepare(options).normalizer;
}
