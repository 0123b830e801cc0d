import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { builtin, files } from "../../base/peer.ts";

/** How a system locks a file in the call that opens it: flags of that call, and its error if another has the lock. */
interface LockingOpen {
  readonly flags: number;
  /** The flags of a lock that several may have. */
  readonly shared: number;
  readonly taken: string;
}

/** O_EXLOCK or O_SHLOCK, and O_NONBLOCK, as BSD systems have them. */
const BSD: LockingOpen = { flags: 0x20 | 0x4, shared: 0x10 | 0x4, taken: "EAGAIN" };
/** The systems that lock as they open. On Windows it is UV_FS_O_EXLOCK of libuv: the file is shared with nobody. */
const LOCKING_OPEN: Partial<Record<NodeJS.Platform, LockingOpen>> = {
  darwin: BSD,
  freebsd: BSD,
  netbsd: BSD,
  openbsd: BSD,
  win32: { flags: 0x10000000, shared: 0x10000000, taken: "EBUSY" },
};

/** The descriptor that the program `flock` gets, the first after the standard ones. */
const LENT_FD = 3;
/** The exit code of `flock` if another process has the lock. */
const TAKEN = 1;

export interface LockOptions {
  /** The permissions of a file that is made. */
  readonly mode?: number;
  /** Whether others may have the same lock, where the system can do that. Nobody then has the other one. */
  readonly isShared?: boolean;
}

/**
 * Opens a file and locks it. It is the operating system's lock, so it ends when the file is closed, or with the process,
 * however that ends. It holds between Node versions, Python, users and containers that share a file system of one machine.
 * `flags`: those of `open`, which need write access unless the lock is shared. Returns null if another process has the lock.
 * Throws the system's error.
 *
 * Node has no call for it. BSD systems and Windows lock in the call that opens the file. On others, the program `flock`
 * of util-linux or BusyBox locks our open file, which it shares with us: the lock is on the open file and not on a
 * process, so it stays when `flock` has ended. Throws `PACKAGE_MISSING` if there is no such program.
 */
export async function openLocked(
  path: string,
  flags: number,
  how: LockOptions = {},
): Promise<FileHandle | null> {
  if ("Deno" in globalThis) throw new UrlmillError("PACKAGE_MISSING", NOT_IN_DENO);
  const locking = LOCKING_OPEN[process.platform];
  if (locking !== undefined) return openByFlags(path, flags, how, locking);
  const handle = await files().open(path, flags, how.mode);
  try {
    if (await lockByProgram(handle.fd, how)) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return null;
}

/**
 * Removes a file that a process had locked and has left: one whose lock can be had. `isLeft`: says, while we have the lock,
 * whether it may go. A file that cannot be locked or removed stays, as it may be of a process that goes on.
 */
export async function removeUnlocked(
  path: string,
  flags: number,
  isLeft: () => Promise<boolean> = async () => true,
): Promise<void> {
  const file = await openLocked(path, flags).catch(() => null);
  if (file === null) return;
  try {
    if (!(await isLeft())) return;
    // Windows does not remove it while we have it. Nobody opens it then: its writer had it open from the beginning.
    if (process.platform === "win32") await file.close();
    await files()
      .rm(path, { force: true })
      .catch(() => {});
  } finally {
    await file.close();
  }
}

const NOT_IN_DENO = "files cannot be locked in Deno: take a set in memory, LMDB or Redis";

async function openByFlags(
  path: string,
  flags: number,
  { mode, isShared = false }: LockOptions,
  locking: LockingOpen,
): Promise<FileHandle | null> {
  try {
    return await files().open(path, flags | (isShared ? locking.shared : locking.flags), mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== locking.taken) throw error;
    return null;
  }
}

/** Locks an open file by the program `flock`. Returns false if another process has the lock. */
async function lockByProgram(fd: number, { isShared = false }: LockOptions): Promise<boolean> {
  const { spawn } = builtin("node:child_process");
  const flock = spawn("flock", [isShared ? "-sn" : "-n", String(LENT_FD)], {
    stdio: ["ignore", "ignore", "pipe", fd],
  });
  let complaint = "";
  flock.stderr?.on("data", (text: Buffer) => {
    complaint += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    flock.on("error", (error) => reject(noProgram(error)));
    flock.on("close", resolve);
  });
  if (code === 0 || code === TAKEN) return code === 0;
  throw new UrlmillError("SEEN_FAILED", `the file cannot be locked: ${complaint.trim()}`);
}

function noProgram(error: NodeJS.ErrnoException): Error {
  if (error.code !== "ENOENT") return error;
  const message =
    "to lock a file needs the program flock, which is not on the PATH: install util-linux, or take a set in memory, LMDB or Redis";
  return new UrlmillError("PACKAGE_MISSING", message);
}
