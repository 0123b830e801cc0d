import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { MARK_LENGTH, mayBeginWithMark } from "../byte-order-mark.ts";
import { beginsAsWarc } from "../formats/warc-header.ts";
import { compressionByHead } from "./decompressed.ts";
import { FOREIGN_LENGTH } from "./foreign-format.ts";

/** Locates the lines of a file that can be read at any place. */
export interface PlainFile {
  readonly name: string;
  /** Gives where its first line begins: after a byte order mark. */
  readonly begin: number;
  /** Gives where it ended when it was looked at; what is appended later is not part of it. */
  readonly end: number;
}

/**
 * Looks at a file. Returns null unless it is a regular file whose bytes are a list as they are: who opens it as a
 * source reads it all the same, or says why not.
 */
export function plainFile(name: string): PlainFile | null {
  try {
    // To open a named pipe would wait for its writer.
    if (!statSync(name).isFile()) return null;
    const fd = openSync(name, "r");
    try {
      return lookAt(name, fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    return null; // opened as a source, it throws the same again
  }
}

function lookAt(name: string, fd: number): PlainFile | null {
  const { size } = fstatSync(fd);
  const head = Buffer.alloc(FOREIGN_LENGTH);
  const bytes = head.subarray(0, readSync(fd, head, 0, head.length, 0));
  // A file that the system makes while it is read says that it has no bytes.
  if (bytes.length > size || compressionByHead(bytes) !== null) return null;
  if (beginsAsWarc(bytes)) return null; // it is refused where its lines are read
  const isMarked = bytes.length >= MARK_LENGTH && mayBeginWithMark(bytes);
  return { name, begin: isMarked ? MARK_LENGTH : 0, end: size };
}
