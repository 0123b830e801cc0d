import { UrlmillError } from "../base/errors.ts";

/**
 * Throws `ENGINE_UNAVAILABLE` on a processor that stores the highest byte of a number first: plans, tables and the kernel's
 * memory are read as numbers whose lowest byte comes first. `one`: the number 1.
 */
export function checkByteOrder(one = Uint32Array.of(1)): void {
  if (new Uint8Array(one.buffer)[0] === 1) return;
  throw new UrlmillError("ENGINE_UNAVAILABLE", "big-endian processors are not supported");
}
