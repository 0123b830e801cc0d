import { UrlmillError } from "../../base/errors.ts";
import { shellWord } from "../../base/shell-word.ts";
import { chosenRows } from "../../fingerprints/fingerprint-rows.ts";
import { createNormalizer } from "../../index.ts";
import {
  checkIdentity,
  type SeenIdentity,
  type SeenRequest,
  setBytes,
} from "../contract/identity.ts";
import type { StoredReader } from "../contract/reader.ts";
import { inSteps, type SeenStore } from "../contract/store.ts";

/** Makes a request for a set of this identity, without a normalizer of its own. */
export function requestFor({ profileId, options, key, bits }: SeenIdentity): SeenRequest {
  const { kernel } = createNormalizer();
  const engine = kernel === null ? "js" : "auto";
  return {
    profileId,
    options,
    key,
    bits,
    engine,
    kernel,
    maxBytes: setBytes(),
    capacity: 0,
  };
}

/** Names a set or a file of keys, and says what it was made with. */
export type ComparableSet = Pick<StoredReader, "where" | "identity">;

/** Throws `SEEN_MISMATCH` if two sets cannot be merged: they have another key, or other options. */
export function checkComparable({ where, identity }: ComparableSet, model: ComparableSet): void {
  const { bits } = identity;
  try {
    checkIdentity(identity, requestFor({ ...model.identity, bits }), where);
  } catch (error) {
    if (!(error instanceof UrlmillError) || error.code !== "SEEN_MISMATCH") throw error;
    throw incomparable(
      `${error.message}: its keys cannot be compared with those of ${model.where}`,
      model,
    );
  }
}

/**
 * Throws `SEEN_MISMATCH` if the fingerprints of a set cannot be added to one that keeps so many bits of them, and is made as
 * `model` is: they have another key, other options, or fewer bits. `kept`: says what keeps these bits.
 */
export function checkSource(
  source: ComparableSet & Pick<StoredReader, "bits">,
  model: ComparableSet,
  kept: { readonly bits: number; readonly by: string },
): void {
  checkComparable(source, model);
  if (source.bits >= kept.bits) return;
  throw incomparable(
    `${source.where} has keys of ${source.bits} bits, and ${kept.by} of ${kept.bits}`,
    model,
  );
}

function incomparable(message: string, model: ComparableSet): UrlmillError {
  return new UrlmillError(
    "SEEN_MISMATCH",
    `${message}. Add its URLs again: urlmill seen import NEW --key-of ${shellWord(model.where)} urls.txt`,
  );
}

/** Returns fingerprints of another width, in bytes. Each has its first `kept` bytes, and zeros after them. */
export function refitted(
  fingerprints: Uint8Array,
  from: number,
  to: number,
  kept: number,
): Uint8Array {
  if (from === to && from === kept) return fingerprints;
  const rows = fingerprints.length / from;
  const fitted = new Uint8Array(rows * to);
  for (let row = 0; row < rows; row++) {
    fitted.set(fingerprints.subarray(row * from, row * from + kept), row * to);
  }
  return fitted;
}

/** Gives fingerprints of so many bits. */
export type FingerprintSource = Pick<StoredReader, "bits" | "fingerprints">;

/**
 * Adds all fingerprints of a set to a store of its key, which keeps so many bits of them, or fewer. `onNew`: takes those that
 * were not there, as wide as the store takes them. Throws what reading and adding throw.
 */
export async function addAll(
  store: SeenStore,
  keptBits: number,
  source: FingerprintSource,
  onNew: (fingerprints: Uint8Array) => void,
): Promise<void> {
  const [from, to, kept] = [source.bits / 8, store.identity.bits / 8, keptBits / 8];
  for await (const read of source.fingerprints()) {
    const rows = refitted(read, from, to, kept);
    const answers = await inSteps(store, rows, (part) => store.add(part));
    if (rows.length > 0) onNew(chosenRows(rows, answers));
  }
}
