import { paths } from "../../base/peer.ts";
import { badOption, oneOf } from "../../options/options.ts";
import { setBytes } from "../contract/identity.ts";
import type { OpenSeenStore } from "../contract/store.ts";
import type { Fsync } from "../journal/journal.ts";
import { checkStoreOptions } from "../journal/journal-store.ts";
import { LEAST_MEMORY } from "./kernel/memory-plan.ts";

/** Holds the options of `disk`. */
export interface DiskOptions {
  /**
   * Limits the memory that the set takes in this process, in bytes: 16,777,216 or more. More memory makes it faster.
   *
   * @default three quarters of the memory that the process may have, at most 2 GiB
   */
  readonly memory?: number;
  /**
   * Says when URLs must be on disk: before a call answers, at most a second later, or when the set is closed.
   *
   * @default "second"
   */
  readonly fsync?: Fsync;
  /**
   * Says whether `add`, `has` and their batches are answered, which takes most of the memory. Without it, `enqueueBatch` and
   * `drain` do more at a time.
   *
   * @default true
   */
  readonly immediate?: boolean;
}

const MOST_BY_DEFAULT = 2 ** 31;

/**
 * Returns a store for `SeenSet.open` that keeps fingerprints of 80 bits in a directory, for one process at a time, and is far
 * larger than memory: 10^9 URLs take 8 GB of disk.
 *
 * Throws `BAD_OPTION` for an option that it cannot take. Opening throws `SEEN_MISMATCH` and `SEEN_CORRUPT`, `SEEN_LOCKED` if
 * another process has the directory open, and `SEEN_FAILED` if the system refuses a call.
 *
 * @example
 * const seen = await SeenSet.open(disk("crawl.disk"));
 * await seen.addBatch(["http://a/", "http://a"]); // Uint8Array.of(1, 0)
 * await seen.close(); // undefined
 */
export function disk(directory: string, options: DiskOptions = {}): OpenSeenStore {
  checkStoreOptions(options, ["memory", "immediate"]);
  const { memory = spareMemory(), fsync = "second", immediate = true } = options;
  if (!(typeof memory === "number" && memory >= LEAST_MEMORY)) {
    throw badOption("memory", memory, `a number of bytes, ${LEAST_MEMORY} or more`);
  }
  oneOf("immediate", immediate, [true, false]);
  return async (wanted) => {
    const [{ openDisk }, { finishRuns }] = await Promise.all([
      import("./open-disk.ts"),
      import("../pending/finish-runs.ts"),
    ]);
    // The process may change its directory while the set is open.
    const path = paths().resolve(directory);
    const open = (isImmediate: boolean) => openDisk(path, wanted, { memory, fsync, isImmediate });
    await finishRuns(path, () => open(true));
    return open(immediate);
  };
}

/** Returns the memory of a set that is not told how much it may take. */
function spareMemory(): number {
  return Math.max(LEAST_MEMORY, Math.min(MOST_BY_DEFAULT, setBytes()));
}
