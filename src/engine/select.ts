import { isUnavailable } from "../errors.ts";
import type { Engine, EngineChoice } from "./engine.ts";
import { JsEngine } from "./js/engine.ts";
import { WasmEngine } from "./wasm/engine.ts";

/**
 * Returns the engine asked for. `auto` takes JavaScript if WebAssembly is `ENGINE_UNAVAILABLE`: the
 * platform has none or no SIMD, refuses to compile it (a content security policy), or has no memory
 * for a kernel. `wasm` throws that then. `module` is the compiled kernel, from another thread.
 */
export function selectEngine(
  choice: EngineChoice,
  plan: Uint8Array,
  module?: WebAssembly.Module,
): Engine {
  if (choice === "js") return new JsEngine(plan, 'engine "js" was asked for');
  try {
    return new WasmEngine(plan, module);
  } catch (error) {
    if (choice === "auto" && isUnavailable(error)) return new JsEngine(plan, error.message);
    throw error;
  }
}
