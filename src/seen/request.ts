import { totalmem } from "node:os";
import type { EngineChoice } from "../engine/engine.ts";
import type { Normalizer } from "../normalizer.ts";
import type { ResolvedOptions } from "../options/options.ts";
import type { FingerprintBits } from "./memory/table.ts";

/** Says what a caller wants of a set; key and bits are undefined if any will do. */
export interface SeenRequest {
  /** Holds the `profileId` of the normalizer whose URLs the set will be asked for. */
  readonly profileId: string;
  /** Holds the options of the normalizer, with a digest for the text of rules. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Holds the key of the fingerprints, 16 bytes, as a copy of the caller's. */
  readonly key: Uint8Array | undefined;
  /** Gives the size of a fingerprint in bits, 128 or 64. */
  readonly bits: FingerprintBits | undefined;
  /** Names the engine that runs a set in memory, for stores that have one. */
  readonly engine: EngineChoice;
  /** Limits the bytes of memory that fingerprints may take in this process. */
  readonly maxBytes: number;
  /** Counts the URLs that a set in memory makes room for at once; 0 if nobody knows. */
  readonly capacity: number;
}

/** What of a request comes from the caller. */
type Wishes = {
  [Name in "key" | "bits" | "maxBytes" | "capacity"]?: SeenRequest[Name] | undefined;
};

/** Makes a request for a set of the keys of a normalizer. */
export function seenRequest(
  normalizer: Normalizer,
  { engine: choice, rules, ...others }: ResolvedOptions,
  { key, bits, maxBytes = availableMemory(), capacity = 0 }: Wishes,
): SeenRequest {
  // A file of rules would make up most of what is kept to tell profiles apart.
  const options = rules === undefined ? others : { ...others, rules: digestOf(rules) };
  // The caller may wipe the key before the store is open.
  const copy = key && new Uint8Array(key);
  const { profileId } = normalizer;
  const engine = normalizer.engine === "js" ? "js" : choice;
  return { profileId, options, key: copy, bits, engine, maxBytes, capacity };
}

function digestOf(rules: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `sha256:${createHash("sha256").update(rules).digest("hex")}`;
}

/** Three quarters of the machine's memory, or of the process's part in it. */
function availableMemory(): number {
  // 0 or absent where nothing limits the process.
  const limit = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
  return Math.floor(0.75 * Math.min(totalmem(), limit));
}

/**
 * Returns how many of `size` new URLs can be expected to have been taken for another, with
 * fingerprints of so many bits.
 */
export function expectedFalseSeen(size: number, bits: number): number {
  return (size * Math.max(0, size - 1)) / 2 ** (bits + 1);
}
