import type { AskedKeys } from "./asked-keys.ts";
import { KeySet } from "./key-set.ts";
import type { RunKeys } from "./run-keys.ts";
import { StoredKeys } from "./stored-keys.ts";

/** Returns what is asked about the keys of a run. Call it once. */
export function askKeys(keys: RunKeys): AskedKeys {
  return keys.earlier === null ? new KeySet(keys) : new StoredKeys(keys, keys.earlier);
}
