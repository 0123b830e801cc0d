// For bundlers that build for servers, and for platforms that need a permission to read a file: all is in the code.
import { decodeBase64 } from "../base64.ts";
import * as code from "../javascript.ts";
import { kernelBase64 } from "./kernel-base64.generated.ts";
import type { Platform } from "./platform.ts";

/** Returns javascript.ts, which is part of the bundle. */
export const javascript: Platform["javascript"] = () => code;

/** Returns the bytes of the kernel, which are part of the bundle. */
export const readKernel: Platform["readKernel"] = () => decodeBase64(kernelBase64);

/** Returns null: there is nothing to fetch. */
export const kernelUrl: Platform["kernelUrl"] = () => null;
