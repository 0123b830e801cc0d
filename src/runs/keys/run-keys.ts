import { say } from "../../io/say.ts";
import { newIdentity, type SeenIdentity } from "../../seen/identity.ts";
import type { Journal } from "../../seen/journal/journal.ts";
import { type OpenJournal, openJournal } from "../../seen/journal/open-journal.ts";
import { FingerprintSet } from "../../seen/memory/fingerprint-set.ts";
import type { SeenRequest } from "../../seen/request.ts";

/** Describes the keys of a run. */
export interface RunKeys {
  readonly identity: SeenIdentity;
  /** The journal that keeps keys, or null if they are not kept. */
  readonly journal: Journal | null;
  /** Keys of earlier runs. */
  readonly sizeBefore: number;
  /**
   * Returns the set of all keys, which has those of earlier runs. Not called if a run has sets of its own. `maxBytes`: limits
   * the memory of the set, if keys are not kept.
   */
  readonly makeSet: (maxBytes?: number) => FingerprintSet;
}

/** Opens the keys of a `dedupe` run, with those of earlier runs if `directory` keeps them. Prints the notices of the journal. */
export async function openKeys(
  request: SeenRequest,
  directory: string | undefined,
): Promise<RunKeys> {
  if (directory === undefined) {
    const identity = newIdentity(request);
    const newSet = (maxBytes = request.maxBytes) =>
      new FingerprintSet({ ...request, bits: identity.bits, maxBytes });
    // A set that must be in a kernel takes its memory before the direct mode does, which may hand over.
    const set = request.engine === "wasm" ? newSet() : null;
    const makeSet = (maxBytes?: number) =>
      maxBytes === undefined ? (set ?? newSet()) : newSet(maxBytes);
    return { identity, journal: null, sizeBefore: 0, makeSet };
  }
  const open = await openJournal(directory, request, "second");
  for (const notice of noticesOf(open)) say(`${directory}: ${notice}`);
  const { journal, set } = open;
  return { identity: journal.identity, journal, sizeBefore: set.size, makeSet: () => set };
}

/** Returns messages for people about an opened journal. */
function noticesOf({ journal, notCompacted }: OpenJournal): string[] {
  const notices: string[] = [];
  if (journal.cutBytes > 0) notices.push(`cut ${journal.cutBytes} bytes of an unfinished write`);
  if (notCompacted !== null)
    notices.push(`was not compacted, and goes on as it is (${notCompacted})`);
  return notices;
}
