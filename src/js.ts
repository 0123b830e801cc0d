import { JsEngine } from "./engine/js/engine.ts";
import { Normalizer } from "./normalizer.ts";
import { planOf } from "./options/compile.ts";
import { type NormalizerOptions, resolveOptions } from "./options/options.ts";

export { UrlmillError } from "./errors.ts";
export type { Normalizer } from "./normalizer.ts";
export { Status, statusName } from "./status.ts";

/**
 * As `createNormalizer` of `urlmill`, on the JavaScript engine alone: nothing here touches
 * WebAssembly, so a content security policy without `wasm-unsafe-eval` is fine.
 */
export function createNormalizer(options: Omit<NormalizerOptions, "engine"> = {}): Normalizer {
  const plan = planOf(resolveOptions({ ...options, engine: "js" }));
  return new Normalizer(new JsEngine(plan), plan);
}
