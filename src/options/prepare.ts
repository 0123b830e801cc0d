import type { Engine } from "../engine/engine.ts";
import { selectEngine } from "../engine/select.ts";
import { planOf } from "./compile.ts";
import {
  badOption,
  checkOptionsObject,
  type NormalizerOptions,
  type ResolvedOptions,
  resolveOptions,
} from "./options.ts";

/** Holds what a normalizer is made from. */
export interface Prepared {
  readonly resolved: ResolvedOptions;
  /** Holds the plan as `encodePlan` writes it. */
  readonly plan: Uint8Array;
  readonly engine: Engine;
  /** Holds the compiled kernel that the caller gave. */
  readonly module: WebAssembly.Module | undefined;
}

/** Compiles options and chooses their engine. Throws what `createNormalizer` throws. */
export function prepare(given: NormalizerOptions = {}): Prepared {
  checkOptionsObject(given, '{ preset: "crawl" }');
  const { module, ...options } = given;
  if (module !== undefined && !(module instanceof WebAssembly.Module)) {
    throw badOption("module", module, "a WebAssembly.Module, the compiled kernel");
  }
  const resolved = resolveOptions(options);
  const plan = planOf(resolved);
  return { resolved, plan, engine: selectEngine(resolved.engine, plan, module), module };
}
