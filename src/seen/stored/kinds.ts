import type { SeenIdentity } from "../contract/identity.ts";
import type { StoredReader } from "../contract/reader.ts";
import type { OpenSeenStore } from "../contract/store.ts";
import { HEADS, OWN_FILES, type StoreName } from "../folder/store-names.ts";

/** Describes a kind of set that is a directory. */
export interface StoredKind {
  readonly name: StoreName;
  /** Names the file that makes a directory a set of this kind. */
  readonly head: string;
  /** Matches the names of all files of a set, but not of its lock. */
  readonly ownFiles: RegExp;
  /** Says whether several processes may have a set open at a time. Any other is locked while it is read or written. */
  readonly isShared: boolean;
  /** Returns what a set was made with. It takes no lock. Throws `SEEN_CORRUPT` and `SEEN_FAILED`. */
  readIdentity(directory: string): Promise<SeenIdentity>;
  /** Opens a set to read it. Whoever calls this has its lock. Throws `SEEN_CORRUPT` and `SEEN_FAILED`. */
  read(directory: string): Promise<StoredReader>;
  /** Returns the bits that a set of this identity keeps of a fingerprint. */
  bitsOf(identity: SeenIdentity): number;
  /** Says which part of the memory of a run the store of this kind takes; the keys of the run have the rest. */
  readonly memoryShare: number;
  /**
   * Returns a store to which fingerprints are added, in a set that is there or a new one. It locks the set. `memory`: limits
   * what the store takes for itself, in bytes, if its kind takes some.
   */
  store(directory: string, memory: number): Promise<OpenSeenStore>;
  /**
   * Returns a store for a new set that is to take the place of one of this kind. But for the head, its files have other names
   * than those of that set.
   */
  successor(directory: string, replaced: string, memory: number): Promise<OpenSeenStore>;
  /** Hands over to such a set what is there besides fingerprints. Returns the names of files that stay for it. */
  carry(directory: string, replaced: string): Promise<readonly string[]>;
  /** Returns the id of another process that has a shared set open, or null if there is none or nobody knows. */
  user(directory: string): Promise<number | null>;
}

/** Holds all kinds of sets that are directories. Their modules are loaded when one of them is used. */
export const KINDS: Readonly<Record<StoreName, StoredKind>> = {
  journal: {
    name: "journal",
    head: HEADS.journal,
    ownFiles: OWN_FILES.journal,
    isShared: false,
    readIdentity: async (directory) =>
      (await import("../journal/journal-reader.ts")).journalIdentity(directory),
    read: async (directory) =>
      (await import("../journal/journal-reader.ts")).readJournal(directory),
    bitsOf: ({ bits }) => bits,
    memoryShare: 0,
    store: async (directory) =>
      (await import("../journal/journal-store.ts")).journal(directory, { fsync: "close" }),
    async successor(directory, replaced) {
      const { journalNumber } = await import("../journal/journal-reader.ts");
      const open = await KINDS.journal.store(directory, 0);
      const isFirst = (await journalNumber(replaced)) === 1;
      return async (wanted) => {
        const store = await open(wanted);
        try {
          // An empty journal is compacted at once, and has the next number then.
          if (isFirst) await store.compact?.();
          return store;
        } catch (error) {
          await store.close().catch(() => {}); // the first error says more
          throw error;
        }
      };
    },
    carry: async () => [],
    user: async () => null,
  },
  lmdb: {
    name: "lmdb",
    head: HEADS.lmdb,
    ownFiles: OWN_FILES.lmdb,
    isShared: true,
    readIdentity: async (directory) =>
      (await import("../lmdb/lmdb-reader.ts")).lmdbIdentity(directory),
    read: async (directory) => (await import("../lmdb/lmdb-reader.ts")).readLmdb(directory),
    bitsOf: ({ bits }) => bits,
    memoryShare: 0,
    store: async (directory) => (await import("../lmdb/lmdb.ts")).lmdb(directory),
    successor: (directory) => KINDS.lmdb.store(directory, 0),
    carry: async () => [],
    user: async (directory) => (await import("../lmdb/environment.ts")).lmdbUser(directory),
  },
  disk: {
    name: "disk",
    head: HEADS.disk,
    ownFiles: OWN_FILES.disk,
    isShared: false,
    readIdentity: async (directory) =>
      (await import("../disk/disk-reader.ts")).diskIdentity(directory),
    read: async (directory) => (await import("../disk/disk-reader.ts")).readDisk(directory),
    bitsOf: () => 80,
    memoryShare: 0.5,
    async store(directory, memory) {
      const [{ disk }, limited] = await Promise.all([
        import("../disk/disk.ts"),
        diskMemory(memory),
      ]);
      return disk(directory, { memory: limited });
    },
    async successor(directory, replaced, memory) {
      const { diskSuccessor } = await import("../disk/successor.ts");
      return diskSuccessor(directory, replaced, await diskMemory(memory));
    },
    carry: async (directory, replaced) =>
      (await import("../disk/successor.ts")).carryWaiting(directory, replaced),
    user: async () => null,
  },
};

/** Returns what a store on disk takes of some memory. */
async function diskMemory(memory: number): Promise<number> {
  const { LEAST_MEMORY } = await import("../disk/kernel/memory-plan.ts");
  return Math.max(LEAST_MEMORY, Math.min(2 ** 31, memory));
}
