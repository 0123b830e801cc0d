import { MIN_BYTES } from "../../fingerprints/fingerprint-set.ts";
import type { FingerprintBits } from "../../fingerprints/table.ts";
import { checkFingerprintOptions, checkThreads } from "../../normalizer/check-calls.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import { prepare } from "../../normalizers.ts";
import type { NormalizerOptions } from "../../options/catalog.generated.ts";
import { badOption, checkOptionNames, checkOptionsObject } from "../../options/options.ts";
import type { Pool } from "../../pool/index.ts";
import { type SeenRequest, seenRequest } from "../contract/identity.ts";

/** Holds the options of a set besides those of its normalizer. */
export interface SeenOptions extends NormalizerOptions {
  /**
   * Sets the size of a fingerprint in bits. 64 bits take half the memory, and make false answers of "seen"
   * more likely (`SeenStats.expectedFalseSeen`).
   *
   * @default 128; for a stored set, what it was made with
   */
  readonly bits?: FingerprintBits;
  /**
   * Sets the key of the fingerprints, 16 bytes. Keep it secret from whoever picks the URLs.
   *
   * @default random for a new set; for a stored set, its own
   */
  readonly key?: Uint8Array;
  /**
   * Limits the memory that fingerprints may take in this process, in bytes: 131,072 or more. A batch that
   * needs more is `SET_FULL`.
   *
   * @default three quarters of the memory that the process may have; 1 GiB in browsers, and in Deno without --allow-sys
   */
  readonly maxBytes?: number;
  /**
   * Sets how many URLs are expected. A set in memory makes room for them at once.
   *
   * @default 0: the set grows with need
   */
  readonly capacity?: number;
  /**
   * Sets how many threads normalize large batches.
   *
   * @default 1: the calling thread
   */
  readonly threads?: number;
}

const OWN_OPTIONS = ["bits", "key", "maxBytes", "capacity", "threads"];

/** Holds the parts of a set that are made before its store. */
export interface PreparedSet {
  readonly normalizer: Normalizer;
  /** Limits the length of a URL in bytes. */
  readonly maxLength: number;
  /** Starts the threads that normalize; null if the calling thread normalizes. */
  readonly startPool: (() => Promise<Pool>) | null;
  readonly request: SeenRequest;
}

/**
 * Makes the parts of a set that are needed before its store. Throws `BAD_OPTION` for an option that it does
 * not know or cannot take, and what `createNormalizer` throws.
 */
export function prepareSet(given: SeenOptions): PreparedSet {
  checkOptionsObject(given, "{ bits: 64 }");
  checkOptionNames(given, [...OWN_OPTIONS, "module"]);
  const { bits, key, maxBytes, capacity, threads = 1, ...options } = given;
  checkFingerprintOptions(
    key === undefined ? new Uint8Array(16) : key,
    bits === undefined ? 128 : bits,
  );
  if (maxBytes !== undefined && !isAtLeast(maxBytes, MIN_BYTES)) {
    throw badOption("maxBytes", maxBytes, `a number of bytes, ${MIN_BYTES} or more`);
  }
  const { normalizer, resolved } = prepare(options);
  if (capacity !== undefined && !isAtLeast(capacity, 0)) {
    throw badOption("capacity", capacity, "a number of URLs");
  }
  checkThreads(threads);
  const startPool = async (): Promise<Pool> => {
    const { createPool } = await import("../../pool/index.ts");
    return createPool({ ...options, threads });
  };
  const request = seenRequest(normalizer, resolved, {
    bits,
    key,
    maxBytes,
    capacity,
  });
  const { maxLength } = resolved;
  return { normalizer, maxLength, startPool: threads === 1 ? null : startPool, request };
}

function isAtLeast(value: unknown, least: number): boolean {
  return typeof value === "number" && value >= least;
}
