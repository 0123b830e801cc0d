import { files, paths } from "../../base/peer.ts";

/**
 * Returns the id of another process that has an LMDB environment open, or null. LMDB holds a lock of the system on its
 * lock file, which Linux lists for processes of the same container. Elsewhere the answer is always null.
 */
export async function lmdbUser(directory: string): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const { ino } = await files().lstat(paths().join(directory, "lock.mdb"));
  const locks = await files().readFile("/proc/locks", "utf8");
  const holders = [...locks.matchAll(/POSIX +\S+ +\S+ +(\d+) +\S+:(\d+) /g)];
  const others = holders.filter(
    ([, pid, inode]) => inode === String(ino) && pid !== String(process.pid),
  );
  return others.length === 0 ? null : Number(others[0]?.[1]);
}
