import { UrlmillError } from "../../base/errors.ts";
import { hexOf, sha256 } from "../../base/sha256.ts";
import type { FingerprintBits } from "../../fingerprints/table.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import type { EngineChoice } from "../../options/catalog.generated.ts";
import type { ResolvedOptions } from "../../options/options.ts";
import { processMemory } from "../../threads/process-memory.ts";

/**
 * Says what the fingerprints of a set were made with. Only fingerprints made with the same can be compared.
 */
export interface SeenIdentity {
  /** Holds the `profileId` of the normalizer. */
  readonly profileId: string;
  /** Holds the key of the fingerprints, 16 bytes. */
  readonly key: Uint8Array;
  /** Gives the size of a fingerprint in bits, 128 or 64. */
  readonly bits: FingerprintBits;
  /** Holds the options of the normalizer, so that people can tell two profiles apart. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Returns the identity of a new set: 128 bits under a random key, unless the request asks for
 * others.
 *
 * @example
 * newIdentity({ profileId: "p", options: {}, key: undefined, bits: undefined }).bits; // 128
 */
export function newIdentity({
  profileId,
  options,
  key,
  bits = 128,
}: Pick<SeenRequest, "profileId" | "options" | "key" | "bits">): SeenIdentity {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(16));
  // `slice` of a Buffer would return a view, which its owner may wipe.
  return { profileId, options, key: key === undefined ? random : new Uint8Array(key), bits };
}

/**
 * Writes an identity as JSON, for stores to keep. It holds the key: anyone who can read it can make two URLs
 * collide.
 *
 * @example
 * const text = encodeIdentity({ profileId: "p", key: new Uint8Array(16), bits: 64, options: {} });
 * decodeIdentity(text, "my set").bits; // 64
 */
export function encodeIdentity({ profileId, key, bits, options }: SeenIdentity): string {
  return JSON.stringify({ profileId, key: hexOf(key), bits, options });
}

/**
 * Reads what `encodeIdentity` wrote. Throws `SEEN_CORRUPT` for any other text; `where` names the
 * set in the message.
 *
 * @example
 * decodeIdentity("{}", "my set"); // throws SEEN_CORRUPT
 */
export function decodeIdentity(text: string, where: string): SeenIdentity {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = null; // reported below
  }
  return identityFrom(read, where);
}

/** Returns an identity that was read as a part of other JSON. Throws `SEEN_CORRUPT` if it is not one. */
export function identityFrom(read: unknown, where: string): SeenIdentity {
  const { profileId, key, bits, options } = Object(read) as Record<string, unknown>;
  const isKey = typeof key === "string" && /^[0-9a-f]{32}$/.test(key);
  const isIdentity = typeof profileId === "string" && (bits === 128 || bits === 64);
  const hasOptions = typeof options === "object" && options !== null && !Array.isArray(options);
  if (!isKey || !isIdentity || !hasOptions || isDeep(options)) {
    throw new UrlmillError("SEEN_CORRUPT", `${where} does not say what it was made with`);
  }
  return {
    profileId,
    key: Uint8Array.from({ length: 16 }, (_, at) => Number(`0x${key.slice(2 * at, 2 * at + 2)}`)),
    bits,
    options: options as Record<string, unknown>,
  };
}

/** The most levels of options: no call that walks through them runs out of stack. */
const LEVELS = 16;

function isDeep(value: unknown, levels = LEVELS): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeep(each, levels - 1));
}

/**
 * Throws `SEEN_MISMATCH` if a set was made with other options, other bits or another key than wanted. The
 * message says which. `where` names the set in the message.
 *
 * @example
 * const made = { profileId: "p", key: new Uint8Array(16), bits: 128, options: {} };
 * checkIdentity(made, { ...made, bits: 64 }, "my set"); // throws SEEN_MISMATCH
 */
export function checkIdentity(made: SeenIdentity, wanted: SeenRequest, where: string): void {
  if (made.profileId !== wanted.profileId) {
    const differences = differencesOf(made.options, wanted.options);
    const what =
      differences.length === 0
        ? "by a version of urlmill that normalizes differently"
        : `with other options: ${differences.join("; ")}. Open it with its options, or make another set`;
    throw mismatch(`${where} was written ${what}`);
  }
  if (wanted.bits !== undefined && made.bits !== wanted.bits) {
    throw mismatch(`${where} holds fingerprints of ${made.bits} bits, not ${wanted.bits}`);
  }
  if (wanted.key !== undefined && hexOf(made.key) !== hexOf(wanted.key)) {
    throw mismatch(`${where} was written under another key`);
  }
}

function differencesOf(
  made: SeenIdentity["options"],
  wanted: SeenIdentity["options"],
): readonly string[] {
  return [...new Set([...Object.keys(made), ...Object.keys(wanted)])].flatMap((name) => {
    const [was, is] = [JSON.stringify(made[name]), JSON.stringify(wanted[name])];
    return was === is ? [] : [`${name} was ${was ?? "not set"} and is ${is ?? "not set"}`];
  });
}

function mismatch(message: string): UrlmillError {
  return new UrlmillError("SEEN_MISMATCH", message);
}

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
