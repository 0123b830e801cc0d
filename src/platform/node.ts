/*
 * For Node without a bundler: the kernel and javascript.ts are files, which are read when something first needs them. To
 * import node:fs by a statement would load the streams of Node as well, which takes longer than all of this package.
 */
import type { JavaScript, Platform } from "./platform.ts";

let loaded: JavaScript | undefined;

/** Returns javascript.ts, which is loaded with the first call. */
export const javascript: Platform["javascript"] = () => {
  const { createRequire } = process.getBuiltinModule("node:module");
  loaded ??= createRequire(import.meta.url)("../javascript.js") as JavaScript;
  return loaded;
};

/** Returns the bytes of the kernel's file. */
export const readKernel: Platform["readKernel"] = () =>
  process.getBuiltinModule("node:fs").readFileSync(new URL("../kernel.wasm", import.meta.url));

/** Returns null: there is nothing to fetch. */
export const kernelUrl: Platform["kernelUrl"] = () => null;
