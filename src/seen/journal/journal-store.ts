import { LocalStore } from "../local-store.ts";
import type { OpenSeenStore } from "../store.ts";
import type { Fsync } from "./journal.ts";
import { openJournal } from "./open-journal.ts";

export interface JournalOptions {
  /** Default: "second". */
  readonly fsync?: Fsync;
}

/**
 * A directory that holds fingerprints, with one writer at a time, and all of them in memory while it is
 * open. `SeenSet.open(directory)` is short for it.
 */
export function journal(
  directory: string,
  { fsync = "second" }: JournalOptions = {},
): OpenSeenStore {
  return async (wanted) => LocalStore.inJournal(await openJournal(directory, wanted, fsync));
}
