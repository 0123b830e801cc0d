// For browsers and for workers at the edge. The kernel is a file of its own, which cannot be read in the
// middle of a call.
import * as code from "./javascript.ts";
import type { Platform } from "./platform.ts";

/** Returns javascript.ts, which is part of the bundle. */
export const javascript: Platform["javascript"] = () => code;

/** Returns null: the kernel must be fetched. */
export const readKernel: Platform["readKernel"] = () => null;

/** Returns the address of the kernel, beside the code. */
export const kernelUrl: Platform["kernelUrl"] = () => new URL("../kernel.wasm", import.meta.url);
