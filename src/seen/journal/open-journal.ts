import { UrlmillError } from "../../base/errors.ts";
import { chosenRows } from "../../fingerprints/fingerprint-rows.ts";
import { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import type { SeenRequest } from "../contract/identity.ts";
import { finishRuns, type KeyTaker } from "../pending/finish-runs.ts";
import { type Fsync, Journal } from "./journal.ts";

export interface OpenJournal {
  readonly journal: Journal;
  readonly set: FingerprintSet;
  /**
   * Says why the journal was not compacted although it is mostly overhead; null if it was compacted, or need
   * not be.
   */
  readonly notCompacted: string | null;
}

/**
 * Opens a journal and loads its fingerprints. Compacts it if it is mostly overhead; if the system has no room
 * for that, the journal stays as it is. Throws what `Journal.open` throws.
 */
export async function openJournal(
  directory: string,
  wanted: SeenRequest,
  fsync: Fsync,
): Promise<OpenJournal> {
  await finishRuns(directory, async () => takerOf(await open(directory, wanted, "close")));
  return open(directory, wanted, fsync);
}

/** Adds keys to a journal that do not ask which of them are new. */
function takerOf({ journal, set }: OpenJournal): KeyTaker {
  return {
    identity: journal.identity,
    async add(fingerprints) {
      const answers = set.add(fingerprints).slice();
      await journal.append(chosenRows(fingerprints, answers));
      return answers;
    },
    close: () => journal.close(),
  };
}

async function open(directory: string, wanted: SeenRequest, fsync: Fsync): Promise<OpenJournal> {
  let loaded = null as FingerprintSet | null;
  const journal = await Journal.open(directory, wanted, fsync, ({ bits }, bytes) => {
    const capacity = Math.max(wanted.capacity, Math.floor(bytes / (bits / 8)));
    const set = new FingerprintSet({ ...wanted, bits, capacity });
    loaded = set;
    return (fingerprints) => set.add(fingerprints);
  });
  const set = loaded as FingerprintSet;
  try {
    return { journal, set, notCompacted: await compactWhereWorth(journal, set) };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

async function compactWhereWorth(journal: Journal, set: FingerprintSet): Promise<string | null> {
  if (!journal.isWorthCompacting) return null;
  try {
    await journal.compact(set.digest());
    return null;
  } catch (error) {
    if (!(error instanceof UrlmillError) || error.code !== "SEEN_FAILED") throw error;
    journal.checkIntact();
    return error.message;
  }
}
