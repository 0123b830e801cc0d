import { JsEngine } from "../engine/js/engine.ts";
import { WasmEngine } from "../engine/wasm/engine.ts";
import { Normalizer } from "../normalizer.ts";

/** What makes a normalizer on another thread: sent once, nothing is compiled twice. */
export interface NormalizerSetup {
  /** As encodePlan writes it. */
  readonly plan: Uint8Array;
  /** The compiled kernel; null where JavaScript runs. */
  readonly module: WebAssembly.Module | null;
}

export function fromSetup({ plan, module }: NormalizerSetup): Normalizer {
  return new Normalizer(module === null ? new JsEngine(plan) : new WasmEngine(plan, module), plan);
}
