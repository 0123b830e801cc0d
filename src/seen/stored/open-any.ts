import { files } from "../../base/peer.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import type { StoredReader } from "../contract/reader.ts";
import { storeFailed } from "../contract/store-failed.ts";
import { readKeys } from "../keys/read-keys.ts";
import { openStored, storedKind } from "./open-stored.ts";

/** Opens a set in a directory, with its lock, or a file of keys, to read it. Throws what `openStored` and `readKeys` throw. */
export async function openAny(where: string): Promise<StoredReader> {
  return (await isDirectory(where)) ? openStored(where) : readKeys(where);
}

/** Returns what a set in a directory or a file of keys was made with. It takes no lock. Throws `SEEN_CORRUPT`. */
export async function identityOfAny(where: string): Promise<SeenIdentity> {
  if (await isDirectory(where)) {
    const kind = await storedKind(where);
    return kind.readIdentity(where);
  }
  return (await readKeys(where)).identity;
}

async function isDirectory(where: string): Promise<boolean> {
  try {
    return (await files().stat(where)).isDirectory();
  } catch (error) {
    throw storeFailed(where, error);
  }
}
