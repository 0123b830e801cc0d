import { chosenRows } from "../../fingerprints/fingerprint-rows.ts";
import { inSteps } from "../contract/in-steps.ts";
import type { StoredReader } from "../contract/reader.ts";
import type { SeenStore } from "../contract/store.ts";
import { refitted } from "./compatibility.ts";

/**
 * Adds all fingerprints of a set to a store of its key, which keeps so many bits of them, or fewer. `onNew`: takes those that
 * were not there, as wide as the store takes them. Throws what reading and adding throw.
 */
export async function addAll(
  store: SeenStore,
  keptBits: number,
  source: StoredReader,
  onNew: (fingerprints: Uint8Array) => void,
): Promise<void> {
  const [from, to, kept] = [source.bits / 8, store.identity.bits / 8, keptBits / 8];
  for await (const read of source.fingerprints()) {
    const rows = refitted(read, from, to, kept);
    const answers = await inSteps(store, rows, (part) => store.add(part));
    if (rows.length > 0) onNew(chosenRows(rows, answers));
  }
}
