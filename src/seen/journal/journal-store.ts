import { paths } from "../../base/peer.ts";
import { checkNames, checkOptionsObject, oneOf } from "../../options/options.ts";
import type { OpenSeenStore } from "../contract/store.ts";
import type { Fsync } from "./journal.ts";
import { LocalStore } from "./local-store.ts";

const FSYNC: readonly Fsync[] = ["batch", "second", "close"];

/** Throws `BAD_OPTION` for a `fsync` that there is not, and for a name that is neither that nor one of `others`. */
export function checkStoreOptions(options: JournalOptions, others: readonly string[]): void {
  checkOptionsObject(options, '{ fsync: "batch" }');
  checkNames(Object.keys(options), ["fsync", ...others]);
  if (options.fsync !== undefined) oneOf("fsync", options.fsync, FSYNC);
}

/** Holds the options of `journal`. */
export interface JournalOptions {
  /**
   * Says when fingerprints must be on disk.
   *
   * @default "second"
   */
  readonly fsync?: Fsync;
}

/**
 * Returns a store for `SeenSet.open` that keeps fingerprints in a directory, for one process at a time. While
 * it is open, all fingerprints are in memory too. `SeenSet.open(directory)` does the same.
 *
 * Throws `BAD_OPTION` for an option that it cannot take. Opening throws `SEEN_MISMATCH` and `SEEN_CORRUPT`, `SEEN_LOCKED` if
 * another process has the directory open, and `SEEN_FAILED` if the system refuses a call.
 *
 * @example
 * const seen = await SeenSet.open(journal("crawl.seen", { fsync: "batch" }));
 * await seen.addBatch(["http://a/"]); // Uint8Array.of(1)
 * await seen.close(); // undefined
 */
export function journal(directory: string, options: JournalOptions = {}): OpenSeenStore {
  checkStoreOptions(options, []);
  const { fsync = "second" } = options;
  return async (wanted) => {
    // A set in memory need not wait for Node's file modules to load.
    const { openJournal } = await import("./open-journal.ts");
    return LocalStore.inJournal(await openJournal(paths().resolve(directory), wanted, fsync));
  };
}
