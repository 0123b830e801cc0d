import { FingerprintSet } from "../memory/fingerprint-set.ts";
import type { SeenRequest } from "../request.ts";
import { type Fsync, Journal } from "./journal.ts";

/** Opens a journal and loads what it holds. Throws what `Journal.open` does. */
export async function openJournal(
  directory: string,
  wanted: SeenRequest,
  fsync: Fsync,
): Promise<{ journal: Journal; set: FingerprintSet }> {
  let set = null as FingerprintSet | null;
  const journal = await Journal.open(directory, wanted, fsync, ({ bits }, bytes) => {
    const capacity = Math.max(wanted.capacity, Math.floor(bytes / (bits / 8)));
    const loaded = new FingerprintSet({ ...wanted, bits, capacity });
    set = loaded;
    return (fingerprints) => loaded.add(fingerprints);
  });
  return { journal, set: set as FingerprintSet };
}
