// For bundlers that build for servers, and for platforms that need a permission to read a file. The code
// contains everything.
import { decodeBase64 } from "../base/base64.ts";
import * as code from "./javascript.ts";
import { kernelBrotli } from "./kernel-brotli.generated.ts";
import type { Platform } from "./platform.ts";

/** Returns javascript.ts, which is part of the bundle. */
export const javascript: Platform["javascript"] = () => code;

/**
 * Returns the bytes of the kernel, which are part of the bundle; null in a browser, which cannot unpack them
 * synchronously.
 */
export const readKernel: Platform["readKernel"] = () => {
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  return zlib === undefined
    ? null
    : new Uint8Array(zlib.brotliDecompressSync(decodeBase64(kernelBrotli)));
};

/** Returns the address of the kernel, beside the code: a browser can fetch it. */
export const kernelUrl: Platform["kernelUrl"] = () => new URL("../kernel.wasm", import.meta.url);
