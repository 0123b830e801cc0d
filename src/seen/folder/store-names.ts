import { UrlmillError } from "../../base/errors.ts";
import { files, paths } from "../../base/peer.ts";
import { shellWord } from "../../base/shell-word.ts";

/**
 * Names the kinds of sets that are directories, each with the file that makes a directory one of them. That file comes
 * last when a set takes its place, and goes first.
 */
export const HEADS = { journal: "set.json", lmdb: "data.mdb", disk: "manifest" } as const;

/** Names a kind of set that is a directory. */
export type StoreName = keyof typeof HEADS;

/** Lists the kinds of sets that are directories. */
export const STORE_NAMES = Object.keys(HEADS) as StoreName[];

/** Says what a set of each kind is, for people. */
export const DISPLAY_NAMES: Readonly<Record<StoreName, string>> = {
  journal: "a journal",
  lmdb: "a set in LMDB",
  disk: "a set on disk",
};

/** Returns the kinds of sets that a directory holds: one, none, or two after a conversion that was interrupted. */
export async function storesIn(directory: string): Promise<StoreName[]> {
  const found = await Promise.all(
    STORE_NAMES.map((name) => isThere(paths().join(directory, HEADS[name]))),
  );
  return STORE_NAMES.filter((_, at) => found[at]);
}

/**
 * Throws `SEEN_CORRUPT` if a directory holds a set of another kind than `own`: one of them would not know what is
 * added to the other.
 */
export async function refuseOtherStores(directory: string, own: StoreName): Promise<void> {
  const stores = await storesIn(directory);
  const other = stores.find((store) => store !== own);
  if (other === undefined) return;
  if (stores.includes(own)) throw interrupted(directory, stores);
  throw new UrlmillError(
    "SEEN_CORRUPT",
    `${directory} is ${DISPLAY_NAMES[other]}, not ${DISPLAY_NAMES[own]}`,
  );
}

/** Makes the error of a directory that holds two sets. */
export function interrupted(directory: string, stores: readonly StoreName[]): UrlmillError {
  const [one, other] = stores as [StoreName, StoreName];
  return new UrlmillError(
    "SEEN_CORRUPT",
    `${directory} holds ${DISPLAY_NAMES[one]} and ${DISPLAY_NAMES[other]}, as a conversion leaves them that was interrupted: urlmill seen convert ${shellWord(directory)} --store ${one} or ${other} keeps that one`,
  );
}

/** Returns whether a file is there, or a link in its place. Throws the system's error if it cannot tell. */
export async function isThere(file: string): Promise<boolean> {
  try {
    await files().lstat(file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw error;
  }
}

/*
 * The names of the files of sets. A file that is not of its set, or has none of these names, is somebody else's. Runs that are
 * not in their set yet have names of their own (pending/committed-run.ts), as a room for LMDB has.
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
