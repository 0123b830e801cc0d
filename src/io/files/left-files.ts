import type { FileHandle } from "node:fs/promises";
import { builtin, files, paths } from "../../base/peer.ts";
import { openLocked, removeUnlocked } from "./system-lock.ts";

/** The characters of a name that the names of its temporary files have: a name may have no more than 255 bytes. */
const SHOWN = 30;
/** The names of a folder that are looked at: about 10 ms. */
const MOST_NAMES = 10_000;

/** The names of one temporary file, beside its target. python/src/urlmill/_cli/replaced.py makes the same. */
export interface TemporaryNames {
  /** The name while no lock is held. Nobody else removes the file. */
  readonly unlocked: string;
  /** The name while a lock is held. Who gets the lock knows that its writer has ended, and removes the file. */
  readonly locked: string;
}

/** Returns names that no other temporary file has. The pid tells people which process has made it. */
export function temporaryNames(target: string): TemporaryNames {
  const own = `${process.pid}-${builtin("node:crypto").randomBytes(4).toString("hex")}-${shownPart(target)}`;
  const named = (name: string): string => paths().join(paths().dirname(target), name);
  return { unlocked: named(`.urlmill-${own}`), locked: named(`.urlmill-locked-${own}`) };
}

/** Returns what the names of all temporary files of a target end with. A long name has a digest in front, to be no other's. */
function shownPart(target: string): string {
  const name = paths().basename(target);
  const characters = [...name];
  if (characters.length <= SHOWN) return name;
  const digest = builtin("node:crypto")
    .createHash("sha256")
    .update(name)
    .digest("hex")
    .slice(0, 16);
  return `${digest}${characters.slice(-SHOWN).join("")}`;
}

/**
 * Makes a file and gives it another name when it is locked, where that can be: whoever finds that name free of a lock knows
 * that its writer has ended. Returns the name that it has. Throws the system's error.
 */
export async function makeLocked(
  { unlocked, locked }: TemporaryNames,
  mode = 0o666,
): Promise<{ file: FileHandle; name: string }> {
  const { file, isLocked } = await openNew(unlocked, mode);
  return { file, name: isLocked && (await wasRenamed(unlocked, locked)) ? locked : unlocked };
}

async function openNew(
  name: string,
  mode: number,
): Promise<{ file: FileHandle; isLocked: boolean }> {
  const { constants, open } = files();
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
  // On Windows any open file refuses `openLocked`, and one that is opened so could not be renamed.
  if (process.platform === "win32" && !("Deno" in globalThis)) {
    return { file: await open(name, flags, mode), isLocked: true };
  }
  const locked = await openLocked(name, flags, { mode }).catch(() => null);
  if (locked !== null) return { file: locked, isLocked: true };
  // A try to lock it may have made it.
  return { file: await open(name, constants.O_RDWR | constants.O_CREAT, mode), isLocked: false };
}

function wasRenamed(from: string, to: string): Promise<boolean> {
  return files()
    .rename(from, to)
    .then(
      () => true,
      () => false,
    );
}

/**
 * Removes the temporary files that killed runs left for a target: those whose lock can be had. In a folder with many names
 * it looks at the first ones. Where no lock can be had it removes nothing. Throws the system's error if it cannot read the
 * folder.
 */
export async function removeLeft(target: string): Promise<void> {
  const folder = paths().dirname(target);
  const own = shownPart(target);
  let names = 0;
  for await (const entry of await files().opendir(folder, { bufferSize: 1000 })) {
    if (++names > MOST_NAMES) break;
    const isOwn = /^\.urlmill-locked-\d+-[0-9a-f]{8}-(.*)$/s.exec(entry.name)?.[1] === own;
    if (isOwn && entry.isFile()) {
      await removeUnlocked(paths().join(folder, entry.name), files().constants.O_RDWR);
    }
  }
}
