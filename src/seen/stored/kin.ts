import { UrlmillError } from "../../base/errors.ts";
import { createNormalizer } from "../../index.ts";
import { checkIdentity, type SeenIdentity } from "../identity.ts";
import { type SeenRequest, setBytes } from "../request.ts";
import type { StoredReader } from "./reader.ts";

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
export type Kin = Pick<StoredReader, "where" | "identity">;

/**
 * Throws `SEEN_MISMATCH` if the fingerprints of a set cannot be added to one that is made as `model` is: they have another
 * key, other options, or fewer bits.
 */
export function checkKin({ where, identity }: Kin, model: Kin): void {
  const { bits } = identity;
  try {
    checkIdentity(identity, requestFor({ ...model.identity, bits }), where);
  } catch (error) {
    if (!(error instanceof UrlmillError) || error.code !== "SEEN_MISMATCH") throw error;
    throw noKin(
      `${error.message}: its keys cannot be compared with those of ${model.where}`,
      model,
    );
  }
  const wanted = model.identity.bits;
  if (bits < wanted) {
    throw noKin(`${where} has keys of ${bits} bits, and ${model.where} of ${wanted}`, model);
  }
}

function noKin(message: string, model: Kin): UrlmillError {
  return new UrlmillError(
    "SEEN_MISMATCH",
    `${message}. Add its URLs again: urlmill seen import NEW --key-of ${model.where} urls.txt`,
  );
}

/** Returns fingerprints with fewer bits: the first ones of each. */
export function narrowed(fingerprints: Uint8Array, from: number, to: number): Uint8Array {
  if (from === to) return fingerprints;
  const [width, left] = [from / 8, to / 8];
  const rows = fingerprints.length / width;
  const narrow = new Uint8Array(rows * left);
  for (let row = 0; row < rows; row++) {
    narrow.set(fingerprints.subarray(row * width, row * width + left), row * left);
  }
  return narrow;
}
