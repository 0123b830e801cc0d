import { isUnavailable } from "../errors.ts";
import type { Engine, EngineChoice } from "./engine.ts";
import { JsEngine } from "./js/engine.ts";
import { WasmEngine } from "./wasm/engine.ts";

/**
 * The engine asked for. `auto` takes JavaScript where WebAssembly is `ENGINE_UNAVAILABLE`: the platform has
 * none or no SIMD, refuses to compile (a content security policy), or has no memory for a kernel. `wasm`
 * throws that there. `module`: the compiled kernel, from another thread.
 */
export function selectEngine(
  choice: EngineChoice,
  plan: Uint8Array,
  module?: WebAssembly.Module,
): Engine {
  if (choice === "js") return new JsEngine(plan);
  try {
    return new WasmEngine(plan, module);
  } catch (error) {
    if (choice === "auto" && isUnavailable(error)) return new JsEngine(plan);
    throw error;
  }
}
