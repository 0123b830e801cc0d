import { UrlmillError } from "../errors.ts";
import type { EngineChoice } from "../options/options.ts";
import type { Engine } from "./engine.ts";
import { JsEngine } from "./js/engine.ts";
import { WasmEngine } from "./wasm/engine.ts";
import { compileKernel } from "./wasm/kernel.ts";

/**
 * The engine asked for. `auto` takes JavaScript where the platform has no WebAssembly or SIMD, or
 * refuses to compile (a content security policy); `wasm` throws `ENGINE_UNAVAILABLE` there.
 */
export function chooseEngine(choice: EngineChoice, plan: Uint8Array): Engine {
  if (choice === "js") return new JsEngine(plan);
  const refusal = kernelRefusal();
  if (refusal === null) return new WasmEngine(plan);
  if (choice === "auto") return new JsEngine(plan);
  throw new UrlmillError("ENGINE_UNAVAILABLE", `WebAssembly does not run here: ${refusal}`);
}

/** Why this platform cannot compile the kernel, or null when it can. */
function kernelRefusal(): string | null {
  if (globalThis.WebAssembly === undefined) return "the platform has none";
  try {
    compileKernel();
    return null;
  } catch (error) {
    return String(error);
  }
}
