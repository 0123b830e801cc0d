import type { BigIntStats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { destination } from "../io/destination.ts";
import { shownOutput } from "../io/names.ts";
import { checkInput } from "../io/open-source.ts";
import { checkOutput } from "../io/output.ts";
import { descriptorStats } from "../io/standard.ts";
import { CommandFailure } from "./failure.ts";

/**
 * Throws if a run cannot read one of its inputs or write one of its outputs, so that it fails before it writes anything.
 * Throws also if a run would write a file that it reads, or write a file twice: the contents would be lost. `-` is
 * standard input among the inputs, and standard output among the outputs.
 */
export async function checkFiles(
  inputs: readonly string[],
  outputs: readonly (string | undefined)[],
): Promise<void> {
  const read = new Set<string>();
  for (const name of inputs) {
    const found = name === "-" ? descriptorStats(0) : await find(name);
    // A pipe or a socket may be both, because the output is not read back.
    if (found?.isFile() === true) read.add(identity(found));
  }
  const written = new Set<string>();
  for (const name of outputs) {
    if (name === undefined) continue;
    const found = name === "-" ? descriptorStats(1) : await find(name);
    if (found?.isCharacterDevice() === true) continue; // /dev/null, a terminal
    const isStream = found === null && name === "-";
    const file = isStream ? name : found === null ? await destination(name) : identity(found);
    if (read.has(file)) {
      throw new CommandFailure(
        `${shownOutput(name)} cannot be read and written by the same run; write another file, then rename it`,
        2,
      );
    }
    if (written.has(file)) {
      throw new CommandFailure(
        `${shownOutput(name)} cannot be written twice by the same run; name another file`,
        2,
      );
    }
    written.add(file);
  }
  for (const name of inputs) if (name !== "-") await checkInput(name);
  for (const name of outputs) if (name !== undefined) await checkOutput(name);
}

/**
 * Lists the files in a directory. Returns an empty list if there is no such directory: opening it will report that.
 */
export async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}

/** Lists the files below a folder that are not hidden, in the order of their paths. A file is listed as it is. */
export async function filesBelow(path: string): Promise<string[]> {
  const found = path === "-" ? null : await find(path);
  if (found?.isDirectory() !== true) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.map(({ name }) => name).filter((name) => !name.startsWith("."));
  const paths = names.toSorted(byBytes).map((name) => join(path, name));
  return (await Promise.all(paths.map(filesBelow))).flat();
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Returns the size of all files in bytes, or 0 if the size of one is unknown. */
export async function totalBytes(files: readonly string[]): Promise<number> {
  let total = 0;
  for (const file of files) {
    const found = file === "-" ? descriptorStats(0) : await find(file);
    if (found === null || !found.isFile()) return 0;
    total += Number(found.size);
  }
  return total;
}

/** Returns an identity that is equal for two names of the same file. */
function identity({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}

/** Returns null for a missing file. Opening it will report that. */
async function find(name: string): Promise<BigIntStats | null> {
  return stat(name, { bigint: true }).catch(() => null);
}
