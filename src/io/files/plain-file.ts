import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { MARK_LENGTH, mayBeginWithMark } from "../../base/byte-order-mark.ts";
import { beginsAsWarc } from "../../formats/archives/warc-header.ts";
import { compressionByHead } from "../compression/decompressed.ts";
import { FOREIGN_LENGTH } from "../foreign-format.ts";

/** Locates the lines of a file that can be read at any place. */
export interface PlainFile {
  readonly name: string;
  /** Gives where its first line begins, which is after a byte order mark. */
  readonly begin: number;
  /** Gives the end of the file when it was looked at. Bytes that are appended later are not part of it. */
  readonly end: number;
}

/**
 * Looks at a file. Returns null unless it is a regular file whose bytes are the list itself. Other files can
 * be opened as a source, which reads them or says why not.
 */
export function plainFile(name: string): PlainFile | null {
  try {
    // Opening a named pipe would wait for its writer.
    if (!statSync(name).isFile()) return null;
    const fd = openSync(name, "r");
    try {
      return lookAt(name, fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    return null; // opened as a source, the file throws the same error
  }
}

function lookAt(name: string, fd: number): PlainFile | null {
  const { size } = fstatSync(fd);
  const head = Buffer.alloc(FOREIGN_LENGTH);
  const bytes = head.subarray(0, readSync(fd, head, 0, head.length, 0));
  // A file that the system makes while it is read has a size of 0.
  if (bytes.length > size || compressionByHead(bytes) !== null) return null;
  if (beginsAsWarc(bytes)) return null; // WARC is refused where its lines are read
  const isMarked = bytes.length >= MARK_LENGTH && mayBeginWithMark(bytes);
  return { name, begin: isMarked ? MARK_LENGTH : 0, end: size };
}
