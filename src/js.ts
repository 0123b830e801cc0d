import * as javascript from "./javascript.ts";
import { Normalizer } from "./normalizer.ts";
import { planOf } from "./options/compile.ts";
import { checkOptionsObject, type NormalizerOptions, resolveOptions } from "./options/options.ts";

export { UrlmillError } from "./errors.ts";
export type { Normalizer } from "./normalizer.ts";
export { Status, statusName } from "./status.ts";

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
