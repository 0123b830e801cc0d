import type { BigIntStats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { destination } from "../io/destination.ts";
import { shownOutput } from "../io/names.ts";
import { descriptorStats } from "../io/standard.ts";
import { CommandFailure } from "./failure.ts";

/**
 * Throws where a run would write a file that it also reads, or write one twice: its contents would be
 * lost. `-` is standard input among the inputs, standard output among the outputs. Call it before any
 * output is opened, which empties it.
 */
export async function checkFiles(
  inputs: readonly string[],
  outputs: readonly (string | undefined)[],
): Promise<void> {
  const read = new Set<string>();
  for (const name of inputs) {
    const found = name === "-" ? descriptorStats(0) : await find(name);
    // A pipe or a socket may be both: what is written to it does not come back.
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
}

/**
 * Lists the files in a directory; returns none if there is no such directory, because whoever opens
 * it reports that.
 */
export async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}

/** Returns the size of all files in bytes, or 0 if one of them cannot tell its size. */
export async function totalBytes(files: readonly string[]): Promise<number> {
  let total = 0;
  for (const file of files) {
    const found = file === "-" ? null : await find(file);
    if (found === null || !found.isFile()) return 0;
    total += Number(found.size);
  }
  return total;
}

/** What is the same for two names of one file. */
function identity({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}

/** Null for what is missing: whoever opens it reports that. */
async function find(name: string): Promise<BigIntStats | null> {
  return stat(name, { bigint: true }).catch(() => null);
}
