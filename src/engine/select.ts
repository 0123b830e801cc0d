import { isUnavailable } from "../base/errors.ts";
import type { EngineChoice } from "../options/catalog.generated.ts";
import type { Engine } from "./engine.ts";
import { writesStringsFast } from "./strings.ts";
import { WasmEngine } from "./wasm/engine.ts";

/** Makes the parts of engines that each platform loads in its own way. */
export interface EngineMakers {
  /** Makes the JavaScript engine. `reason`: says, for people, why it is not the kernel. */
  makeJs(plan: Uint8Array, reason: string): Engine;
  /** Returns the compiled kernel. Throws `ENGINE_UNAVAILABLE` if the platform has none. */
  compiledKernel(): WebAssembly.Module;
}

/**
 * Returns the engine asked for. `auto` takes JavaScript if WebAssembly is `ENGINE_UNAVAILABLE`: the platform
 * lacks it or its SIMD, refuses to compile the kernel (a content security policy), or has no memory.
 * `wasm` then throws that error. `auto` also gives single URLs to JavaScript if the platform takes long to
 * write a string to memory. `module` is a compiled kernel in place of the platform's.
 */
export function selectEngine(
  choice: EngineChoice,
  plan: Uint8Array,
  { makeJs, compiledKernel }: EngineMakers,
  module?: WebAssembly.Module,
): Engine {
  const inJavaScript = (reason: string): Engine => makeJs(plan, reason);
  if (choice === "js") return inJavaScript('engine "js" was asked for');
  const isSlow = choice === "auto" && !writesStringsFast();
  const makeSingle = isSlow ? () => inJavaScript("single URLs take less time in JavaScript") : null;
  try {
    return new WasmEngine(plan, module ?? compiledKernel(), makeSingle);
  } catch (error) {
    if (choice === "auto" && isUnavailable(error)) return inJavaScript(error.message);
    throw error;
  }
}
