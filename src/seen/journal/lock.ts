import type { FileHandle } from "node:fs/promises";
import { UrlmillError } from "../../base/errors.ts";
import { builtin, files, paths } from "../../base/peer.ts";

/** Holds a lock until it is released. */
export interface Lock {
  release(): Promise<void>;
}

/** Names the file that is locked. Its text tells people who has the lock. It is never deleted. */
export const LOCK_FILE = "lock";

/** How a system locks a file in the call that opens it: flags of that call, and its error if another has the lock. */
interface LockingOpen {
  readonly flags: number;
  readonly taken: string;
}

/** O_EXLOCK and O_NONBLOCK, as BSD systems have them. */
const BSD: LockingOpen = { flags: 0x20 | 0x4, taken: "EAGAIN" };
/** The systems that lock as they open. On Windows it is UV_FS_O_EXLOCK of libuv: the file is shared with nobody. */
const LOCKING_OPEN: Partial<Record<NodeJS.Platform, LockingOpen>> = {
  darwin: BSD,
  freebsd: BSD,
  netbsd: BSD,
  openbsd: BSD,
  win32: { flags: 0x10000000, taken: "EBUSY" },
};

/** The descriptor that the program `flock` gets, the first after the standard ones. */
const LENT_FD = 3;
/** The exit code of `flock` if another process has the lock. */
const TAKEN = 1;

/**
 * Locks a directory for one writer. It is the operating system's lock on a file, so it ends with the process,
 * however that ends. It holds between Node versions, users and containers that share a file system of one
 * machine. Taking it needs write access to the file. Throws `SEEN_LOCKED`.
 *
 * Node has no call for it. BSD systems and Windows lock in the call that opens the file. On others, the program `flock`
 * of util-linux or BusyBox locks our open file, which it shares with us: the lock is on the open file and not on a
 * process, so it stays when `flock` has ended. Throws `PACKAGE_MISSING` if there is no such program.
 */
export async function lockDirectory(directory: string): Promise<Lock> {
  if ("Deno" in globalThis) throw new UrlmillError("PACKAGE_MISSING", NOT_IN_DENO);
  const handle = await openLocked(directory);
  try {
    const since = new Date().toISOString();
    const holder = `process ${process.pid} on ${builtin("node:os").hostname()} since ${since}\n`;
    // Overwrites the text that is there: a full disk has room for that.
    const { bytesWritten } = await handle.write(holder, 0);
    await handle.truncate(bytesWritten);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { release: () => handle.close() };
}

const NOT_IN_DENO = "a journal does not run in Deno: take a set in memory, LMDB or Redis";

async function openLocked(directory: string): Promise<FileHandle> {
  const locking = LOCKING_OPEN[process.platform];
  if (locking !== undefined) return openByFlags(directory, locking);
  const handle = await open(directory, 0);
  try {
    if (!(await lockByProgram(handle.fd))) throw await lockedError(directory, handle);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function open(directory: string, flags: number): Promise<FileHandle> {
  const { O_CREAT, O_RDWR } = files().constants;
  return files().open(paths().join(directory, LOCK_FILE), O_RDWR | O_CREAT | flags, 0o600);
}

async function openByFlags(directory: string, { flags, taken }: LockingOpen): Promise<FileHandle> {
  try {
    return await open(directory, flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== taken) throw error;
    throw await lockedError(directory, null);
  }
}

/** Locks an open file by the program `flock`. Returns false if another process has the lock. */
async function lockByProgram(fd: number): Promise<boolean> {
  const { spawn } = builtin("node:child_process");
  const flock = spawn("flock", ["-n", String(LENT_FD)], {
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
    "a journal needs the program flock, which is not on the PATH: install util-linux, or take a set in LMDB or Redis";
  return new UrlmillError("PACKAGE_MISSING", message);
}

/** `handle`: the open file; null where nobody else can open it, as on Windows, or read who has it. */
async function lockedError(directory: string, handle: FileHandle | null): Promise<UrlmillError> {
  const holder = handle === null ? "" : await holderOf(handle);
  const by = holder === "" ? "" : ` (${holder})`;
  return new UrlmillError("SEEN_LOCKED", `${directory} is in use by another process${by}`);
}

async function holderOf(handle: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(200), position: 0 });
  return buffer.toString("utf8", 0, bytesRead).trim();
}
