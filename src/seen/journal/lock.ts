import { constants } from "node:fs";
import { open, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { UrlmillError } from "../../errors.ts";

/** What is let go. */
export interface Lock {
  release(): Promise<void>;
}

/** BSD's flag of `open` for a lock that ends with the process, which Node hands through. */
const O_EXLOCK = 0x20;
/** Says who has the lock, for people. */
export const LOCK_FILE = "lock";

/**
 * Locks a directory for one writer of this machine. The lock is the operating system's: it ends with the
 * process, however that ends. Linux: a socket in the abstract namespace, named by device and inode;
 * Windows: a named pipe; elsewhere a locked file. Containers with networks of their own do not see each
 * other's sockets. Throws `SEEN_LOCKED`.
 */
export async function lockDirectory(directory: string): Promise<Lock> {
  const name = await socketName(directory);
  const file = join(directory, LOCK_FILE);
  const lock = name === null ? await lockFile(file) : await lockSocket(name);
  if (lock === null) {
    const holder = await readFile(file, "utf8").catch(() => "");
    const by = holder === "" ? "" : ` (${holder.trim()})`;
    throw new UrlmillError("SEEN_LOCKED", `${directory} is in use by another process${by}`);
  }
  const since = new Date().toISOString();
  await writeFile(file, `process ${process.pid} on ${hostname()} since ${since}\n`);
  return lock;
}

async function socketName(directory: string): Promise<string | null> {
  const { dev, ino } = await stat(directory, { bigint: true });
  if (process.platform === "linux") return `\0urlmill-seen-${dev}-${ino}`;
  if (process.platform !== "win32") return null;
  return `\\\\.\\pipe\\urlmill-seen-${Buffer.from(await realpath(directory)).toString("hex")}`;
}

function lockSocket(path: string): Promise<Lock | null> {
  const server = createServer((connection) => connection.destroy());
  // A process that is done otherwise ends with its lock.
  server.unref();
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(null);
      else reject(error);
    });
    server.listen({ path, exclusive: true }, () => {
      resolve({ release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

async function lockFile(path: string): Promise<Lock | null> {
  const { O_CREAT, O_RDWR, O_NONBLOCK } = constants;
  try {
    const handle = await open(path, O_CREAT | O_RDWR | O_NONBLOCK | O_EXLOCK);
    return { release: () => handle.close() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return null;
    throw error;
  }
}
