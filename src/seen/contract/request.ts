import { hexOf, sha256 } from "../../base/sha256.ts";
import type { FingerprintBits } from "../../fingerprints/table.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import type { EngineChoice } from "../../options/catalog.generated.ts";
import type { ResolvedOptions } from "../../options/options.ts";
import { processMemory } from "../../threads/process-memory.ts";

/** Says what a caller wants of a set; key and bits are undefined if any will do. */
export interface SeenRequest {
  /** Holds the `profileId` of the normalizer of the URLs that the set will be asked about. */
  readonly profileId: string;
  /** Holds the options of the normalizer, with digests for the texts of rules and aliases. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Holds a copy of the key of the fingerprints, 16 bytes. */
  readonly key: Uint8Array | undefined;
  /** Gives the size of a fingerprint in bits, 128 or 64. */
  readonly bits: FingerprintBits | undefined;
  /** Names the engine that runs a set in memory, for stores that have one. */
  readonly engine: EngineChoice;
  /** Holds the compiled kernel of the normalizer; null if JavaScript runs. */
  readonly kernel: WebAssembly.Module | null;
  /** Limits the bytes of memory that fingerprints may take in this process. */
  readonly maxBytes: number;
  /** Counts the URLs that a set in memory makes room for at once; 0 if the number is not known. */
  readonly capacity: number;
}

/** The part of a request that comes from the caller. */
type Wishes = {
  [Name in "key" | "bits" | "maxBytes" | "capacity"]?: SeenRequest[Name] | undefined;
};

/** Makes a request for a set of the URLs of a normalizer. */
export function seenRequest(
  normalizer: Normalizer,
  { engine: choice, rules, pageAliases, ...others }: ResolvedOptions,
  { key, bits, maxBytes = setBytes(), capacity = 0 }: Wishes,
): SeenRequest {
  // The texts of files would be most of what is kept to tell profiles apart.
  const options = {
    ...others,
    ...(rules === undefined ? {} : { rules: digestOf(rules) }),
    ...(pageAliases === undefined ? {} : { pageAliases: digestOf(pageAliases) }),
  };
  // A copy, because the caller may wipe the key before the store is open.
  const copy = key && new Uint8Array(key);
  const { profileId, kernel } = normalizer;
  const engine = normalizer.engine === "js" ? "js" : choice;
  return { profileId, options, key: copy, bits, engine, kernel, maxBytes, capacity };
}

function digestOf(text: string): string {
  return `sha256:${hexOf(sha256(text))}`;
}

/** Returns the part of a limit on memory that a set may take: three quarters. */
export function setBytes(limit = processMemory().limit): number {
  return Math.floor(0.75 * limit);
}

/**
 * Returns the expected number of `size` new URLs that were taken for others, with fingerprints of this many
 * bits.
 */
export function expectedFalseSeen(size: number, bits: number): number {
  return (size * Math.max(0, size - 1)) / 2 ** (bits + 1);
}
