import { compileOptions, planOf } from "../../src/compile/compile.ts";
import { KernelModule } from "../../src/engine/wasm/kernel-module.ts";
import type { NormalizerOptions } from "../../src/options/catalog.generated.ts";
import { resolveOptions } from "../../src/options/options.ts";
import { kernelUrl, readKernel } from "../../src/platform/embedded.ts";
import * as javascript from "../../src/platform/javascript.ts";

const grammar = () => javascript;

/** The compiled kernel. */
export const KERNEL: WebAssembly.Module = new KernelModule({ readKernel, kernelUrl }).compiled();

/** Returns the plan of options. */
export function planFor(options?: NormalizerOptions): Uint8Array {
  return planOf(resolveOptions(options), grammar);
}

/** Returns options as a plan is written from them. */
export function compiledFor(options?: NormalizerOptions): ReturnType<typeof compileOptions> {
  return compileOptions(resolveOptions(options), grammar);
}
