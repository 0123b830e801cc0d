import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { MARK_LENGTH, mayBeginWithMark } from "../../base/byte-order-mark.ts";
import { beginsAsWarc } from "../../formats/archives/warc-header.ts";
import { compressionByHead } from "../compression/decompressed.ts";
import { FOREIGN_LENGTH } from "../compression/foreign-format.ts";
import { inputPosition } from "../standard.ts";

const STANDARD_INPUT = 0;

/** Locates the lines of a file that can be read at any place. */
export interface PlainFile {
  /** The name of the file; `-` is standard input. */
  readonly name: string;
  /** Gives where its first line begins, which is after a byte order mark. */
  readonly begin: number;
  /** Gives the end of the file when it was looked at. Bytes that are appended later are not part of it. */
  readonly end: number;
  /** The bytes of the list, with the mark. */
  readonly bytes: number;
}

/**
 * Looks at a file. Returns null unless it is a regular file whose bytes are the list itself. Other files can
 * be opened as a source, which reads them or says why not.
 */
export function plainFile(name: string): PlainFile | null {
  try {
    if (name === "-") return standardInput();
    // Opening a named pipe would wait for its writer.
    if (!statSync(name).isFile()) return null;
    return withPlainFile(name, (fd) => lookAt(name, fd, 0));
  } catch {
    return null; // opened as a source, the file throws the same error
  }
}

/** Opens a plain file for reading; standard input is open. */
export function openPlainFile(name: string): number {
  return name === "-" ? STANDARD_INPUT : openSync(name, "r");
}

/** Closes a file that `openPlainFile` opened; standard input stays open. */
export function closePlainFile(fd: number): void {
  if (fd !== STANDARD_INPUT) closeSync(fd);
}

/** Opens a plain file, calls `use`, and closes the file. */
export function withPlainFile<T>(name: string, use: (fd: number) => T): T {
  const fd = openPlainFile(name);
  try {
    return use(fd);
  } finally {
    closePlainFile(fd);
  }
}

/** Reads the first bytes of the list, at most `most`. */
export function firstBytesOf({ name, begin, end }: PlainFile, most: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.min(most, end - begin));
  const length = withPlainFile(name, (fd) => readSync(fd, bytes, 0, bytes.length, begin));
  return bytes.subarray(0, length);
}

/** Looks at what is left of standard input. Returns null if the system does not say what was read before. */
function standardInput(): PlainFile | null {
  const position = inputPosition();
  return position === null ? null : lookAt("-", STANDARD_INPUT, position);
}

function lookAt(name: string, fd: number, from: number): PlainFile | null {
  const { size } = fstatSync(fd);
  const head = Buffer.alloc(FOREIGN_LENGTH);
  const bytes = head.subarray(0, readSync(fd, head, 0, head.length, from));
  // A file that the system makes while it is read has a size of 0.
  if (from + bytes.length > size || compressionByHead(bytes) !== null) return null;
  if (beginsAsWarc(bytes)) return null; // WARC is refused where its lines are read
  const isMarked = bytes.length >= MARK_LENGTH && mayBeginWithMark(bytes);
  const begin = from + (isMarked ? MARK_LENGTH : 0);
  return { name, begin, end: size, bytes: size - from };
}
