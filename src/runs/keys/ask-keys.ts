import type { AskedKeys } from "./asked-keys.ts";
import { KeySet } from "./key-set.ts";
import type { RunKeys } from "./run-keys.ts";
import { StoredKeys } from "./stored-keys.ts";

/** Keys of a run that are in memory; those of earlier runs may not be. */
export type HeldKeys = KeySet | StoredKeys;

export function areHeld(keys: AskedKeys | null): keys is HeldKeys {
  return keys instanceof KeySet || keys instanceof StoredKeys;
}

/** Returns what is asked about the keys of a run. Call it once. */
export function askKeys(keys: RunKeys): HeldKeys {
  return keys.earlier === null ? new KeySet(keys) : new StoredKeys(keys, keys.earlier);
}
