import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const kernel = readFileSync(new URL("../../dist/kernel-scalar.wasm", import.meta.url));
const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };

/** Holds the kernel without SIMD in the place of the other one (scalar.config.ts). */
export const kernelBrotli: string = brotliCompressSync(kernel, { params }).toString("base64");
