import { closeSync, openSync, readSync, statSync } from "node:fs";

/** The byte after the magic: a Thrift field of type i32. */
const HEAD = "PAR1\x15";

/** Returns whether a file is Parquet, by its name, or by its first bytes if it can be read twice. */
export function isParquetFile(name: string | undefined): boolean {
  if (name === undefined || name === "-") return false;
  if (name.endsWith(".parquet")) return true;
  try {
    // Opening a named pipe would wait for its writer.
    if (!statSync(name).isFile()) return false;
    const fd = openSync(name, "r");
    try {
      const head = Buffer.alloc(HEAD.length);
      return (
        readSync(fd, head, 0, head.length, 0) === HEAD.length && head.toString("latin1") === HEAD
      );
    } finally {
      closeSync(fd);
    }
  } catch {
    return false; // opening the file to read it throws the same error again
  }
}
