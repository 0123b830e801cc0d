import type { EngineChoice } from "../engine/engine.ts";
import { selectEngine } from "../engine/select.ts";
import { Normalizer } from "../normalizer.ts";

/** Holds all that makes a normalizer on another thread. It is sent once, and nothing is compiled again. */
export interface NormalizerSetup {
  /** Holds the plan as `encodePlan` writes it. */
  readonly plan: Uint8Array;
  /** Holds the compiled kernel; null if JavaScript runs. */
  readonly module: WebAssembly.Module | null;
  /** Says what to do if a thread has no memory for a kernel, as the option does. */
  readonly engine: EngineChoice;
}

/** Makes the normalizer of a setup. Throws `ENGINE_UNAVAILABLE` as `createNormalizer` does. */
export function fromSetup({ plan, module, engine }: NormalizerSetup): Normalizer {
  const chosen = module === null ? selectEngine("js", plan) : selectEngine(engine, plan, module);
  return new Normalizer(chosen, plan);
}
