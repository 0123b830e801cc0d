import { chooseEngine } from "../engine/choose.ts";
import { JsEngine } from "../engine/js/engine.ts";
import { Normalizer } from "../normalizer.ts";
import type { EngineChoice } from "../options/options.ts";

/** What makes a normalizer on another thread: sent once, nothing is compiled twice. */
export interface NormalizerSetup {
  /** As encodePlan writes it. */
  readonly plan: Uint8Array;
  /** The compiled kernel; null where JavaScript runs. */
  readonly module: WebAssembly.Module | null;
  /** What to do where a thread has no memory for a kernel: as the option. */
  readonly engine: EngineChoice;
}

/** The normalizer of a setup. Throws `ENGINE_UNAVAILABLE` as `createNormalizer` does. */
export function fromSetup({ plan, module, engine }: NormalizerSetup): Normalizer {
  const chosen = module === null ? new JsEngine(plan) : chooseEngine(engine, plan, module);
  return new Normalizer(chosen, plan);
}
