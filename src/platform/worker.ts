// For the worker of a pool, which is one file: it gets the compiled kernel from the thread that starts it.
import * as code from "../javascript.ts";
import type { Platform } from "./platform.ts";

/** Returns javascript.ts, which is part of the file. */
export const javascript: Platform["javascript"] = () => code;

/** Returns null: the kernel was compiled already. */
export const readKernel: Platform["readKernel"] = () => null;

/** Returns null: there is nothing to fetch. */
export const kernelUrl: Platform["kernelUrl"] = () => null;
