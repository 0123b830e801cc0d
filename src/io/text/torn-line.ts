import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { LF } from "../../url/chars.ts";
import { procValue } from "../standard.ts";

/**
 * Returns whether the next write to a descriptor would continue a line that is already there. A run that
 * ended in the middle of a line leaves such a line. Returns "unknown" if the file can be written but not
 * read. `lineEnd`: the byte that ends each line.
 */
export function hasTornLine(fd: number, lineEnd = LF): boolean | "unknown" {
  const stats = fstatSync(fd);
  if (!stats.isFile() || stats.size === 0) return false;
  const position = nextPosition(fd, stats.size);
  if (position === 0) return false;
  const isTorn = (reader: number): boolean => {
    const last = Buffer.alloc(1);
    return readSync(reader, last, 0, 1, position - 1) === 0 || last[0] !== lineEnd;
  };
  try {
    return isTorn(fd);
  } catch {
    return withReader(fd, isTorn); // a shell opens it for writing only
  }
}

/** Opens the file of a descriptor for reading. Returns "unknown" where the system does not let that be. */
function withReader<T>(fd: number, use: (reader: number) => T): T | "unknown" {
  let reader: number;
  try {
    reader = openSync(`/dev/fd/${fd}`, "r");
  } catch {
    return "unknown"; // the caller reports it
  }
  try {
    return use(reader);
  } finally {
    closeSync(reader);
  }
}

/** Returns whether the next write to a descriptor of a file comes after all its contents. */
export function writesAtEnd(fd: number): boolean {
  const { size } = fstatSync(fd);
  return nextPosition(fd, size) === size;
}

/**
 * Cuts from a regular file the bytes that it took of a write that then failed, as on a full disk. The file then ends with
 * the write before, which was of whole records. Leaves the file if it goes on after these bytes, as by another process, or cannot
 * be cut.
 */
export function takeBack(fd: number, bytes: number): void {
  try {
    const stats = fstatSync(fd);
    if (stats.isFile() && positionOf(fd, stats.size) === stats.size)
      ftruncateSync(fd, stats.size - bytes);
  } catch {
    // The caller throws the error of the write. The next run ends the line.
  }
}

/**
 * Returns where a descriptor of a file of `size` bytes writes next. That is the end after `>>`, and its
 * position after `>`. The position is not 0 if an earlier command of the same redirection has written. Only
 * Linux tells; elsewhere a file that is not empty is taken to be written at its end.
 */
function nextPosition(fd: number, size: number): number {
  const flags = Number.parseInt(procValue(`fdinfo/${fd}`, "flags") ?? "0", 8);
  return (flags & constants.O_APPEND) === 0 ? positionOf(fd, size) : size;
}

/** Returns the position of a descriptor: where its last write ended. Returns `size` where the system does not tell. */
function positionOf(fd: number, size: number): number {
  return Number(procValue(`fdinfo/${fd}`, "pos") ?? size);
}
