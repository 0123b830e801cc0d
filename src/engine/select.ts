import { isUnavailable } from "../errors.ts";
import { javascript } from "../platform/current.ts";
import type { Engine, EngineChoice } from "./engine.ts";
import { writesStringsFast } from "./strings.ts";
import { WasmEngine } from "./wasm/engine.ts";

/**
 * Returns the engine asked for. `auto` takes JavaScript if WebAssembly is `ENGINE_UNAVAILABLE`: the platform
 * lacks it or its SIMD, refuses to compile the kernel (a content security policy), or has no memory.
 * `wasm` then throws that error. `auto` also gives single URLs to JavaScript if the platform takes long to
 * write a string to memory. `module` is the compiled kernel, from another thread.
 */
export function selectEngine(
  choice: EngineChoice,
  plan: Uint8Array,
  module?: WebAssembly.Module,
): Engine {
  const inJavaScript = (reason: string): Engine => new (javascript().JsEngine)(plan, reason);
  if (choice === "js") return inJavaScript('engine "js" was asked for');
  const isSlow = choice === "auto" && !writesStringsFast();
  const makeSingle = isSlow ? () => inJavaScript("single URLs take less time in JavaScript") : null;
  try {
    return new WasmEngine(plan, module, makeSingle);
  } catch (error) {
    if (choice === "auto" && isUnavailable(error)) return inJavaScript(error.message);
    throw error;
  }
}
