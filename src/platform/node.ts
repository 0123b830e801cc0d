/*
 * For Node without a bundler. The kernel and javascript.ts are files, which are read when they are first
 * needed. An import statement for node:fs would also load the streams of Node, which takes longer than
 * loading this whole package.
 */
import { UrlmillError } from "../base/errors.ts";
import type { JavaScript, Platform } from "./platform.ts";

let loaded: JavaScript | undefined;

/** Returns javascript.ts, which is loaded with the first call. */
export const javascript: Platform["javascript"] = () => {
  loaded ??= load();
  return loaded;
};

function load(): JavaScript {
  const { createRequire } = process.getBuiltinModule("node:module");
  try {
    return createRequire(import.meta.url)("../javascript.js") as JavaScript;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    const message = `a bundler left out javascript.js (${import.meta.url}): let it resolve the condition "module", or keep urlmill out of the bundle`;
    throw new UrlmillError("ENGINE_UNAVAILABLE", message);
  }
}

/** Returns the bytes of the kernel's file. */
export const readKernel: Platform["readKernel"] = () =>
  process.getBuiltinModule("node:fs").readFileSync(new URL("../kernel.wasm", import.meta.url));

/** Returns null: there is nothing to fetch. */
export const kernelUrl: Platform["kernelUrl"] = () => null;
