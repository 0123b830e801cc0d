import { checkFingerprintOptions, checkThreads } from "../check-calls.ts";
import { createNormalizer } from "../index.ts";
import type { Normalizer } from "../normalizer.ts";
import { badOption, type NormalizerOptions, resolveOptions } from "../options/options.ts";
import type { Pool } from "../pool/index.ts";
import { LEAST_BYTES } from "./memory/fingerprint-set.ts";
import type { FingerprintBits } from "./memory/table.ts";
import { type SeenRequest, seenRequest } from "./request.ts";

/** Options of a set, besides those of its normalizer. */
export interface SeenOptions extends NormalizerOptions {
  /** Bits of a fingerprint; 64 take half the memory. Default 128, or what a stored set has. */
  readonly bits?: FingerprintBits;
  /** 16 bytes. Default: random for a new set, its own for a stored one. */
  readonly key?: Uint8Array;
  /**
   * Memory that fingerprints may take in this process, in bytes: 131,072 or more. Default: three quarters
   * of what the process may have.
   */
  readonly maxBytes?: number;
  /** URLs that are expected: a set in memory makes room for them at once. Default: it grows with need. */
  readonly capacity?: number;
  /** Threads that normalize large batches. Default: 1, the calling one. */
  readonly threads?: number;
}

/** What a set is made of, before its store. */
export interface PreparedSet {
  readonly normalizer: Normalizer;
  /** Null where the calling thread normalizes. */
  readonly startPool: (() => Promise<Pool>) | null;
  readonly request: SeenRequest;
}

/**
 * Makes of options what a set needs before its store. Throws `BAD_OPTION` for an option that it does not know
 * or cannot take, and what `createNormalizer` throws.
 */
export function prepareSet({
  bits,
  key,
  maxBytes,
  capacity,
  threads = 1,
  ...options
}: SeenOptions): PreparedSet {
  checkFingerprintOptions(key === undefined ? new Uint8Array(16) : key, bits ?? 128);
  if (maxBytes !== undefined && !(maxBytes >= LEAST_BYTES)) {
    throw badOption("maxBytes", maxBytes, `a number of bytes, ${LEAST_BYTES} or more`);
  }
  const normalizer = createNormalizer(options);
  if (capacity !== undefined && !(capacity >= 0)) {
    throw badOption("capacity", capacity, "a number of URLs");
  }
  checkThreads(threads);
  const startPool = async (): Promise<Pool> => {
    const { createPool } = await import("../pool/index.ts");
    return createPool({ ...options, threads });
  };
  const request = seenRequest(normalizer, resolveOptions(options), {
    bits,
    key,
    maxBytes,
    capacity,
  });
  return { normalizer, startPool: threads === 1 ? null : startPool, request };
}
