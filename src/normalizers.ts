import type { EngineChoice, NormalizerOptions } from "./options/catalog.generated.ts";

/*
 * Makes normalizers on the platform that runs this code. No other file takes parts of a platform: it gets them from
 * here, handed in.
 */

import { planOf } from "./compile/compile.ts";
import { type EngineMakers, selectEngine } from "./engine/select.ts";
import { KernelModule, type KernelSource } from "./engine/wasm/kernel-module.ts";
import { KeptNormalizers } from "./normalizer/kept-normalizers.ts";
import { Normalizer } from "./normalizer/normalizer.ts";
import {
  badOption,
  checkOptionsObject,
  type ResolvedOptions,
  resolveOptions,
} from "./options/options.ts";
import { javascript, kernelUrl, readKernel } from "./platform/current.ts";

let kernel: KernelModule | undefined;

/** Returns the kernel of all normalizers. It is made by the first call, so that bundlers can leave out its code. */
function kernelModule(): KernelModule {
  kernel ??= new KernelModule({ readKernel, kernelUrl });
  return kernel;
}

const makers: EngineMakers = {
  makeJs: (plan, reason) => new (javascript().JsEngine)(plan, reason),
  compiledKernel: () => kernelModule().compiled(),
};

/**
 * Loads and compiles the kernel for all later calls of functions, and for all normalizers that are created later. Call it in browsers, which cannot
 * read a file in the middle of a call. On other platforms the first normalizer loads the kernel itself.
 *
 * `source` is the file `urlmill/kernel.wasm`: its URL, a response with it, its bytes, or the compiled module.
 * The default is the file beside the code. Throws `ENGINE_UNAVAILABLE` if the kernel cannot be loaded or
 * compiled.
 * A classic worker has no `await` outside of functions: wait within one there.
 *
 * @example
 * await loadKernel();
 * createNormalizer().engine; // "wasm"
 */
export async function loadKernel(source?: KernelSource): Promise<void> {
  await kernelModule().load(source);
  kept?.clear();
}

let kept: KeptNormalizers<NormalizerOptions> | undefined;

/**
 * Returns the normalizer of these options. It is made anew only if none of the last calls had equal ones. Throws what
 * `createNormalizer` throws.
 */
export function keptNormalizer(options: NormalizerOptions = {}): Normalizer {
  kept ??= new KeptNormalizers((given) => prepare(given).normalizer);
  return kept.get(options);
}

/** Holds a normalizer and what it was made from. */
export interface Prepared {
  readonly normalizer: Normalizer;
  readonly resolved: ResolvedOptions;
  readonly setup: NormalizerSetup;
}

/** Holds all that makes a normalizer on another thread. It is sent once, and nothing is compiled again. */
export interface NormalizerSetup {
  /** Holds the plan as `encodePlan` writes it. */
  readonly plan: Uint8Array;
  /** Holds the compiled kernel; null if JavaScript runs. */
  readonly module: WebAssembly.Module | null;
  /** Says what to do if a thread has no memory for a kernel, as the option does. */
  readonly engine: EngineChoice;
}

/** Compiles options and chooses their engine. Throws what `createNormalizer` throws. */
export function prepare(given: NormalizerOptions = {}): Prepared {
  checkOptionsObject(given, '{ preset: "crawl" }');
  const { module: compiled, ...options } = given;
  if (compiled !== undefined && !(compiled instanceof WebAssembly.Module)) {
    throw badOption("module", compiled, "a WebAssembly.Module, the compiled kernel");
  }
  const resolved = resolveOptions(options);
  const plan = planOf(resolved, javascript);
  const engine = selectEngine(resolved.engine, plan, makers, compiled);
  const setup = { plan, module: engine.module, engine: resolved.engine };
  return { normalizer: new Normalizer(engine, plan, javascript), resolved, setup };
}

/** Makes the normalizer of a setup. Throws `ENGINE_UNAVAILABLE` as `createNormalizer` does. */
export function fromSetup({ plan, module, engine }: NormalizerSetup): Normalizer {
  const choice = module === null ? "js" : engine;
  const chosen = selectEngine(choice, plan, makers, module ?? undefined);
  return new Normalizer(chosen, plan, javascript);
}
