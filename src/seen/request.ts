import { createHash } from "node:crypto";
import { totalmem } from "node:os";
import type { EngineChoice } from "../engine/engine.ts";
import type { Normalizer } from "../normalizer.ts";
import type { ResolvedOptions } from "../options/options.ts";
import type { FingerprintBits } from "./memory/table.ts";

/** What a caller wants of a set; key and bits only where the caller cares. */
export interface SeenRequest {
  /** Of the normalizer whose URLs the set will be asked for. */
  readonly profileId: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** 16 bytes, a copy of the caller's. */
  readonly key: Uint8Array | undefined;
  readonly bits: FingerprintBits | undefined;
  /** For stores that have a set in memory: what runs it, and the bytes it may take. */
  readonly engine: EngineChoice;
  readonly maxBytes: number;
  /** URLs that such a set makes room for at once; 0 where nobody knows. */
  readonly capacity: number;
}

/** What of a request comes from the caller. */
type Wishes = {
  [Name in "key" | "bits" | "maxBytes" | "capacity"]?: SeenRequest[Name] | undefined;
};

/** A request for the keys of a normalizer, made with `options`. */
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
  return `sha256:${createHash("sha256").update(rules).digest("hex")}`;
}

/** Three quarters of the machine's memory, or of the process's part in it. */
function availableMemory(): number {
  // 0 or absent where nothing limits the process.
  const limit = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
  return Math.floor(0.75 * Math.min(totalmem(), limit));
}

/** How many of `size` new URLs can be expected to have been taken for another, with so many bits. */
export function expectedFalseSeen(size: number, bits: number): number {
  return (size * Math.max(0, size - 1)) / 2 ** (bits + 1);
}
