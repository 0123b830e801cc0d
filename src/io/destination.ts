import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Links that a name may lead through, as many as Linux follows. */
const MAX_LINKS = 40;

/** Returns the file that writing to a name would make: where links to it and to its directory lead. */
export async function destination(name: string): Promise<string> {
  let path = resolve(name);
  for (let links = 0; links < MAX_LINKS; links++) {
    const folder = await realpath(dirname(path)).catch(() => dirname(path));
    path = join(folder, basename(path));
    const found = await lstat(path).catch(() => null);
    if (found?.isSymbolicLink() !== true) break;
    path = resolve(folder, await readlink(path));
  }
  return path;
}
