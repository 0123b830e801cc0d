import { UrlmillError } from "../errors.ts";
import type { FingerprintBits } from "./memory/table.ts";
import type { SeenRequest } from "./request.ts";

/** What the fingerprints of a set were made with: only others made so compare with them. */
export interface SeenIdentity {
  /** Of the normalizer. */
  readonly profileId: string;
  /** 16 bytes. */
  readonly key: Uint8Array;
  readonly bits: FingerprintBits;
  /** The normalizer's options, by which people tell two profiles apart. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The identity of a new set: 128 bits under a random key, unless asked otherwise. */
export function newIdentity({ profileId, options, key, bits = 128 }: SeenRequest): SeenIdentity {
  const random = globalThis.crypto.getRandomValues(new Uint8Array(16));
  // `slice` of a Buffer would give a view, which its owner may wipe.
  return { profileId, options, key: key === undefined ? random : new Uint8Array(key), bits };
}

/** An identity as JSON, for stores to keep. It holds the key: whoever reads it can craft collisions. */
export function encodeIdentity({ profileId, key, bits, options }: SeenIdentity): string {
  return JSON.stringify({ profileId, key: Buffer.from(key).toString("hex"), bits, options });
}

/** Reads it back. Throws `SEEN_CORRUPT` where the text is something else; `where` names the set for people. */
export function decodeIdentity(text: string, where: string): SeenIdentity {
  const { profileId, key, bits, options } = parse(text) ?? {};
  const isKey = typeof key === "string" && /^[0-9a-f]{32}$/.test(key);
  const isIdentity = typeof profileId === "string" && (bits === 128 || bits === 64);
  if (!isKey || !isIdentity || typeof options !== "object" || options === null) {
    throw new UrlmillError("SEEN_CORRUPT", `${where} does not say what it was made with`);
  }
  return {
    profileId,
    key: Uint8Array.from(Buffer.from(key, "hex")),
    bits,
    options: options as Record<string, unknown>,
  };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the caller says what that means
  }
}

/** Throws `SEEN_MISMATCH` where a set was made with something else, and says with what. */
export function checkIdentity(made: SeenIdentity, wanted: SeenRequest, where: string): void {
  if (made.profileId !== wanted.profileId) {
    const differences = differencesOf(made.options, wanted.options);
    const what =
      differences.length === 0
        ? "by a version of urlmill that normalizes otherwise"
        : `with other options: ${differences.join("; ")}`;
    throw mismatch(`${where} was written ${what}`);
  }
  if (wanted.bits !== undefined && made.bits !== wanted.bits) {
    throw mismatch(`${where} holds fingerprints of ${made.bits} bits, not ${wanted.bits}`);
  }
  if (wanted.key !== undefined && Buffer.compare(made.key, wanted.key) !== 0) {
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
