// For bundlers that build for servers, and for platforms that need a permission to read a file. The code
// contains everything.
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

/** Decodes Base64. Node decodes it natively; other platforms have `atob`. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  // In its own memory, not a piece of Node's pool: callers use its ArrayBuffer from 0 on.
  if (globalThis.Buffer !== undefined) return new Uint8Array(Buffer.from(text, "base64"));
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
