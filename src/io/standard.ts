import { type BigIntStats, fstatSync, readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";

/**
 * Holds what a command reads and writes where it names no file. An output must have the bytes of a write, or a copy, when it
 * calls back, as those of the process have: their memory is used again.
 */
export interface StandardStreams {
  readonly stdin: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

let current: StandardStreams = process;
let isTaken = false;

/** Returns the standard streams of the command that runs: those of the process, unless it was given others. */
export function standardStreams(): StandardStreams {
  return current;
}

/** Returns whether a person reads standard error, and no output is written to the same terminal. `out`: `-` or a file. */
export function isWatched(out: string): boolean {
  const { stdout, stderr } = current;
  return stderr.isTTY === true && !(out === "-" && stdout.isTTY === true);
}

/** Runs a command with these standard streams. Throws an Error while another command runs; wait for its end. */
export async function withStreams<T>(
  streams: StandardStreams,
  command: () => Promise<T>,
): Promise<T> {
  if (isTaken) throw new Error("another command has the standard streams; wait for its end");
  isTaken = true;
  current = streams;
  try {
    return await command();
  } finally {
    current = process;
    isTaken = false;
  }
}

/** Runs a part of a command with another standard input. */
export async function withInput<T>(stdin: Readable, part: () => Promise<T>): Promise<T> {
  const outer = current;
  const { stdout, stderr } = outer;
  current = { stdin, stdout, stderr };
  try {
    return await part();
  } finally {
    current = outer;
  }
}

/**
 * Returns the value of a line of a file of `/proc/self`, such as `flags` of `fdinfo/1`. Returns null where the system has
 * no such file: other systems than Linux, and containers without /proc.
 */
export function procValue(file: string, name: string): string | null {
  try {
    const text = readFileSync(`/proc/self/${file}`, "latin1");
    return new RegExp(`^${name}:\\s*(\\S+)$`, "m").exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * Returns what the system says of a descriptor that the process got from its parent. Returns null for standard input,
 * output and errors of a command with streams of its own: no descriptor is known of them.
 */
export function descriptorStats(fd: number): BigIntStats | null {
  return current !== process && fd <= 2 ? null : fstatSync(fd, { bigint: true });
}

/**
 * Returns where the next byte of standard input is in its file: another program may have read what is before. Returns null
 * if standard input is not a regular file, or the system does not say it.
 */
export function inputPosition(): number | null {
  if (descriptorStats(0)?.isFile() !== true) return null;
  const position = procValue("fdinfo/0", "pos");
  return position === null ? null : Number(position);
}
