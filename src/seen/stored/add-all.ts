import { inSteps } from "../in-steps.ts";
import { chosenRows } from "../memory/fingerprint-rows.ts";
import type { SeenStore } from "../store.ts";
import { narrowed } from "./kin.ts";
import type { StoredReader } from "./reader.ts";

/**
 * Adds all fingerprints of a set to a store of its key, which may have fewer bits. `onNew`: takes those that were not there.
 */
export async function addAll(
  store: SeenStore,
  source: StoredReader,
  onNew: (fingerprints: Uint8Array) => void,
): Promise<void> {
  const { bits } = store.identity;
  for await (const read of source.fingerprints()) {
    const rows = narrowed(read, source.identity.bits, bits);
    const answers = await inSteps(store, rows, (part) => store.add(part));
    if (rows.length > 0) onNew(chosenRows(rows, answers));
  }
}
