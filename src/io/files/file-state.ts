import { type BigIntStats, statSync } from "node:fs";
import { resolve } from "node:path";
import { descriptorStats, inputPosition } from "../standard.ts";

/** Says which file is meant, and in which state: path, device, inode, size, time of its last change. */
export type FileState = readonly string[];

/** Returns the state of a file, from what the system says of it. */
export function stateOf(path: string, { dev, ino, size, mtimeNs }: BigIntStats): FileState {
  // Node 22.12 to 22.16 and 24.0 on Windows name another device for an open file than for its path.
  const device = process.platform === "win32" ? 0n : dev;
  return [path, ...[device, ino, size, mtimeNs].map(String)];
}

export function stateNow(path: string): FileState {
  const found = statsOf(path);
  return found === null ? [path] : stateOf(path, found);
}

/** Returns the state of an input, or `-`, which is standard input from where it stands. Null if it is not a regular file. */
export function inputState(name: string): FileState | null {
  const found = statsOf(name);
  if (found?.isFile() !== true) return null;
  if (name !== "-") return stateOf(resolve(name), found);
  return stateOf(`- ${inputPosition()}`, found);
}

/** Returns whether an input is a regular file, which can be read again. */
export function isRegular(name: string): boolean {
  return statsOf(name)?.isFile() === true;
}

function statsOf(name: string): BigIntStats | null {
  if (name === "-") return descriptorStats(0);
  return statSync(name, { bigint: true, throwIfNoEntry: false }) ?? null;
}
