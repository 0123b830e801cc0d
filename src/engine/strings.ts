/**
 * Writes strings to memory that the kernel or another thread reads, and reads them back. Node writes through
 * a Buffer. Per string that takes a third of the time of TextEncoder, and a fifth less with `utf8Write`.
 * `utf8Write`, `latin1Write` and `latin1Slice` are `write` and `toString` without the checks of their
 * arguments; Node does not document them. Other platforms have TextEncoder.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Holds memory in the form in which the platform writes strings to it fastest. */
export interface StringMemory {
  readonly bytes: Uint8Array;
  readonly buffer: ReadableBuffer | null;
  /** The part that strings are written to. Node 20 writes nothing if 2 GiB or more follow. */
  readonly writable: WritableBuffer | null;
}

/** A Buffer with Node's reader of one encoding, on platforms that have it. */
type ReadableBuffer = Buffer & { latin1Slice?(start: number, end: number): string };

/** A Buffer with Node's writers of one encoding, on platforms that have them. */
type WritableBuffer = Buffer & {
  utf8Write?(text: string, at: number, length: number): number;
  latin1Write?(text: string, at: number, length: number): number;
};

/** Limits the bytes of `writable`. */
const LONGEST_WRITABLE = 2 ** 31 - 1;

/**
 * Returns whether the platform has a native Buffer, which writes one short string to memory fast. Browsers
 * have no Buffer. The one of Deno is JavaScript on `encodeInto`, which takes as long as to normalize a URL in
 * JavaScript.
 */
export function writesStringsFast(): boolean {
  return globalThis.Buffer !== undefined && !("Deno" in globalThis);
}

/** Returns views of memory through which strings are written and read. */
export function stringMemory(bytes: Uint8Array): StringMemory {
  if (globalThis.Buffer === undefined) return { bytes, buffer: null, writable: null };
  const buffer = Buffer.from(bytes.buffer);
  return { bytes, buffer, writable: buffer.subarray(0, LONGEST_WRITABLE) };
}

/**
 * Writes `text` as UTF-8 at `at` and returns the number of bytes. There must be room for all of it in the
 * first 2 GiB.
 */
export function writeUtf8(memory: StringMemory, text: string, at: number): number {
  const { writable } = memory;
  // In Node the length defaults to the rest of the buffer; other platforms with this method need it.
  if (writable?.utf8Write !== undefined) {
    return writable.utf8Write(text, at, writable.length - at);
  }
  if (writable !== null) return writable.write(text, at);
  return encoder.encodeInto(text, memory.bytes.subarray(at)).written;
}

/**
 * Returns how many texts to join before they are written, because long ones are written faster; 0 if it does
 * not pay. In Node one text that is not Latin-1 slows down all that it is joined with, so fewer are joined.
 */
export function textsToJoin({ writable }: StringMemory): number {
  if (writable === null || "Bun" in globalThis) return 512;
  return writable.utf8Write === undefined ? 0 : 64;
}

/**
 * Writes a byte string at `at`. There must be room for all of it in the first 2 GiB. On platforms without Buffer it must
 * be ASCII.
 */
export function writeByteString(memory: StringMemory, text: string, at: number): void {
  const { bytes, writable } = memory;
  if (writable === null) encoder.encodeInto(text, bytes.subarray(at));
  else if (writable.latin1Write === undefined) writable.write(text, at, "latin1");
  else writable.latin1Write(text, at, writable.length - at);
}

/** Counts the bytes of `text` as UTF-8. */
export function utf8Length(text: string): number {
  return globalThis.Buffer === undefined ? encoder.encode(text).length : Buffer.byteLength(text);
}

/**
 * Returns the text of a row that callers gave as a string or as a URL object; null for anything
 * else.
 */
export function textOf(row: unknown): string | null {
  if (typeof row === "string") return row;
  return typeof row === "object" && row !== null ? hrefOf(row) : null;
}

/** Returns the href of a URL object of this realm or another, null for other objects. */
function hrefOf(row: {
  readonly href?: unknown;
  readonly [Symbol.toStringTag]?: unknown;
}): string | null {
  try {
    const href = row[Symbol.toStringTag] === "URL" ? row.href : null;
    return typeof href === "string" ? href : null;
  } catch {
    return null; // a proxy, or a prototype without a URL
  }
}

/** Reads a text of ASCII. */
export function readAscii(memory: StringMemory, start: number, end: number): string {
  const { buffer } = memory;
  if (buffer?.latin1Slice !== undefined) return buffer.latin1Slice(start, end);
  if (buffer !== null) return buffer.toString("latin1", start, end);
  return decoder.decode(memory.bytes.subarray(start, end));
}
