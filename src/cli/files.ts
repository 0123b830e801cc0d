import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandFailure } from "./failure.ts";

/** Throws where a file would be written that is also read, or written twice: it would be lost. */
export async function checkFiles(
  inputs: readonly string[],
  outputs: readonly (string | undefined)[],
): Promise<void> {
  const written = outputs.filter((name) => name !== undefined && name !== "-") as string[];
  const taken = new Map<string | null, string>();
  for (const name of inputs) if (name !== "-") taken.set(await identity(name), "read");
  for (const name of written) {
    const file = await identity(name);
    const use = file === null ? undefined : taken.get(file);
    if (use !== undefined) {
      throw new CommandFailure(`${name} cannot be ${use} and written by the same run`, 2);
    }
    taken.set(file, "written");
  }
}

/** What is the same for two names of one file; null for a device such as /dev/null, which any may use. */
async function identity(name: string): Promise<string | null> {
  const found = await find(name);
  if (found === null) return resolve(name);
  return found.isFile() ? `${found.dev} ${found.ino}` : null;
}

/** The size of all files, or 0 where one has none to tell. */
export async function totalBytes(files: readonly string[]): Promise<number> {
  let total = 0;
  for (const file of files) {
    const found = file === "-" ? null : await find(file);
    if (found === null || !found.isFile()) return 0;
    total += found.size;
  }
  return total;
}

/** Null for what is missing: whoever opens it reports that. */
async function find(name: string): Promise<Stats | null> {
  return stat(name).catch(() => null);
}
