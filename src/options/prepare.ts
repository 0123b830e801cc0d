import type { Engine } from "../engine/engine.ts";
import { selectEngine } from "../engine/select.ts";
import { planOf } from "./compile.ts";
import { type NormalizerOptions, type ResolvedOptions, resolveOptions } from "./options.ts";

/** Holds what a normalizer is made of. */
export interface Prepared {
  readonly resolved: ResolvedOptions;
  /** Holds the plan as `encodePlan` writes it. */
  readonly plan: Uint8Array;
  readonly engine: Engine;
}

/** Compiles options and chooses their engine. Throws what `createNormalizer` throws. */
export function prepare(options?: NormalizerOptions): Prepared {
  const resolved = resolveOptions(options);
  const plan = planOf(resolved);
  return { resolved, plan, engine: selectEngine(resolved.engine, plan) };
}
