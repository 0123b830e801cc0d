import type { BigIntStats } from "node:fs";
import { open, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { destination } from "../../io/destination.ts";
import { isNullDevice, shownOutput } from "../../io/io-error.ts";
import { checkInput } from "../../io/open-source.ts";
import { checkOutput } from "../../io/output.ts";
import { descriptorOf } from "../../io/sink.ts";
import { descriptorStats } from "../../io/standard.ts";
import { CommandFailure } from "./failure.ts";

/**
 * Throws if a run cannot read one of its inputs or write one of its outputs, so that it fails before it writes anything.
 * Throws also if a run would write a file that it reads, or write a file twice: the contents would be lost. `-` is
 * standard input among the inputs, and standard output among the outputs. `kept`: other files that it must not write, which
 * other processes may remove meanwhile.
 */
export async function checkFiles(
  inputs: readonly string[],
  outputs: readonly (string | undefined)[],
  kept: readonly string[] = [],
): Promise<void> {
  const read = new Set<string>();
  for (const name of [...inputs, ...kept]) {
    const found = name === "-" ? descriptorStats(0) : await find(name);
    // A pipe or a socket may be both, because the output is not read back.
    if (found?.isFile() === true) read.add(identity(found));
  }
  const written = new Set<string>();
  const made: string[] = [];
  for (const name of outputs) {
    if (name === undefined) continue;
    const found = await findOutput(name);
    if (found?.isCharacterDevice() === true || isNullDevice(name)) continue; // /dev/null, a terminal
    const isStream = found === null && name === "-";
    const file = isStream ? name : found === null ? await destination(name) : identity(found);
    if (read.has(file)) {
      throw new CommandFailure(
        `${shownOutput(name)} cannot be read and written by the same run; write another file, then rename it`,
        2,
      );
    }
    if (written.has(file) || (found === null && !isStream && (await isOneOf(made, file)))) {
      throw new CommandFailure(
        `${shownOutput(name)} cannot be written twice by the same run; name another file`,
        2,
      );
    }
    written.add(file);
    if (found === null && !isStream) made.push(file);
  }
  for (const name of inputs) if (name !== "-") await checkInput(name);
  for (const name of outputs) if (name !== undefined) await checkOutput(name);
}

/**
 * Returns whether a file that is missing is one of others that are missing: names of other case, or of another Unicode form,
 * are one file on many systems. Asks the system: makes the file, looks whether another is there then, and removes it.
 */
async function isOneOf(others: readonly string[], file: string): Promise<boolean> {
  if (others.length === 0) return false;
  const probe = await open(file, "wx").catch(() => null);
  if (probe === null) return false; // opening it will report the error
  await probe.close();
  try {
    for (const other of others) if ((await find(other)) !== null) return true;
    return false;
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Lists the files in a directory. Returns an empty list if there is no such directory: opening it will report that.
 */
export async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}

/**
 * Returns the names that a pattern stands for, in their order: `*` and `?` in the last part of a path. Only where the shell
 * does not expand it, on Windows. A name without them, or without a match, is itself.
 */
export async function expanded(pattern: string, platform = process.platform): Promise<string[]> {
  const last = basename(pattern);
  if (platform !== "win32" || !/[*?]/.test(last)) return [pattern];
  const folder = pattern.slice(0, pattern.length - last.length);
  const escaped = last.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const match = new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "is");
  const names = await readdir(folder === "" ? "." : folder).catch(() => []);
  const found = names.filter((name) => match.test(name) && !name.startsWith("."));
  return found.length === 0 ? [pattern] : found.toSorted(byBytes).map((name) => folder + name);
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

/** Does the same for an output, which may be a descriptor. Systems without `/dev` have those too. */
async function findOutput(name: string): Promise<BigIntStats | null> {
  const fd = descriptorOf(name);
  if (fd === null || (fd <= 2 && name !== "-")) return find(name);
  try {
    return descriptorStats(fd);
  } catch {
    return null; // it is closed; opening it will report that
  }
}

/** Returns null for a missing file. Opening it will report that. */
async function find(name: string): Promise<BigIntStats | null> {
  return stat(name, { bigint: true }).catch(() => null);
}
