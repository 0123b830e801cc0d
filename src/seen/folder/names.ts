import type { StoreName } from "./store-names.ts";

/*
 * The names of the files of sets. A file that is not of its set, or has none of these names, is somebody else's. Runs that are not in
 * their set yet have names of their own (pending/committed-run.ts), as a room for LMDB has.
 */

/** Names the file that is locked. Its text tells people who writes to the set. It is never deleted. */
export const LOCK_FILE = "lock";

/** Names the folder in which a set is made, in the folder that will hold it. */
export const UNFINISHED = "unfinished";

/** Matches the names of the files of each kind of set. */
export const OWN_FILES: Readonly<Record<StoreName, RegExp>> = {
  journal: /^(?:set\.json(?:\.new)?|journal-\d+)$/,
  lmdb: /^(?:data|lock)\.mdb$/,
  disk: /^(?:manifest(?:\.new)?|p\d{3}\.\d+|(?:log|payload|new)\.\d+)$/,
};

/** Returns whether a name may be in the folder of any set, before it has one: the lock, and files of the system. */
export function isBesideSet(name: string): boolean {
  return name === LOCK_FILE || isOfSystem(name);
}

/** Returns whether a name is of a file that a system puts into folders by itself: macOS, Windows, NFS, FUSE. */
function isOfSystem(name: string): boolean {
  return /^(?:\.DS_Store|\._.*|desktop\.ini|thumbs\.db|\.nfs\w+|\.fuse_hidden\w+)$/i.test(name);
}
