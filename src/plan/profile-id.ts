import { UNICODE_VERSION } from "../url/idna/unicode-version.ts";

/** Numbers the version of the specification that this package implements. It changes when any output can. */
export const SPEC_VERSION = 9;

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/**
 * Returns a short name for everything that a result depends on besides the input. It is the FNV-1a hash (64
 * bits, 16 hex digits) of the specification's version, the Unicode version and the plan. Data that outlives a
 * process stores it.
 */
export function profileIdOf(plan: Uint8Array): string {
  const versions = new TextEncoder().encode(`${SPEC_VERSION} ${UNICODE_VERSION} `);
  return hashBytes(plan, hashBytes(versions, OFFSET)).toString(16).padStart(16, "0");
}

function hashBytes(bytes: Uint8Array, start: bigint): bigint {
  let hash = start;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
  return hash;
}
