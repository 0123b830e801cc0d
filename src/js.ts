import { planOf } from "./compile/compile.ts";
import { Normalizer } from "./normalizer/normalizer.ts";
import type { NormalizerOptions } from "./options/catalog.generated.ts";
import { checkOptionsObject, resolveOptions } from "./options/options.ts";
import * as javascript from "./platform/javascript.ts";

export { UrlmillError } from "./base/errors.ts";
export { Status, statusName } from "./base/status.ts";
export type { Normalizer } from "./normalizer/normalizer.ts";

/**
 * Creates a normalizer that runs only the JavaScript engine, with the same results as `createNormalizer` from
 * `urlmill`. It never uses WebAssembly, so it runs under a content security policy without
 * `wasm-unsafe-eval`. Throws `UrlmillError` with code `BAD_OPTION` or `BAD_RULES`.
 *
 * @example
 * import { createNormalizer } from "urlmill/js";
 * createNormalizer().engine; // "js"
 */
export function createNormalizer(options: Omit<NormalizerOptions, "engine"> = {}): Normalizer {
  checkOptionsObject(options, '{ preset: "crawl" }');
  const code = () => javascript;
  const plan = planOf(resolveOptions({ ...options, engine: "js" }), code);
  const engine = new javascript.JsEngine(plan, "urlmill/js has no other engine");
  return new Normalizer(engine, plan, code);
}
