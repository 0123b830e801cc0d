import { constants, gunzipSync } from "node:zlib";
import { beginsAsWarc, WARC_MAGIC } from "../../formats/archives/warc-header.ts";

/** Bytes to search at a time. */
const WINDOW = 1 << 16;
/** A file with one member in so many bytes is read as one segment. */
const SEARCHED = 1 << 24;
/** Bytes to decompress where a member may begin. */
export const TRIED = 1 << 12;
const FIRST_TRIED = 1 << 6;
/** The first bytes of a member: its magic number and the only compression method (RFC 1952, section 2.3.1). */
const MEMBER = Uint8Array.of(0x1f, 0x8b, 0x08);
/** The bits of the flags, the next byte, that are always 0. */
const RESERVED_FLAGS = 0xe0;
/** The first bytes of a damaged member in which what can be read is looked for. */
const READABLE = 1 << 16;
/** The end of a segment that goes on to the end of the file. */
export const END = Number.POSITIVE_INFINITY;

/** Reads the bytes of a file from `start` up to `end`, or to the end of the file. */
export type ReadRange = (start: number, end: number) => AsyncIterable<Uint8Array>;

/** Finds where members of a gzip file seem to begin. */
export class Members {
  readonly #read: ReadRange;
  /** The most bytes that are searched for a member, also after another one. */
  readonly #searched: number;
  /** Whether a second member was found. */
  #areSeveral = false;

  constructor(read: ReadRange, searched = END) {
    this.#read = read;
    this.#searched = searched;
  }

  /** Returns where the first member that is at least `length` bytes after `start` begins, or END. */
  async after(start: number, length: number): Promise<number> {
    if (length > this.#searched) return END;
    const most = Math.min(this.#areSeveral ? END : SEARCHED, this.#searched);
    const found = await this.#find(start + length, start + length + most, isMember);
    if (found !== END) this.#areSeveral = true;
    return found;
  }

  /** Returns where the first member from `start` on begins whose content begins a record of WARC, or END. */
  recordFrom(start: number): Promise<number> {
    this.#areSeveral = true;
    return this.#find(start, END, isRecord);
  }

  /** Returns the content from `start` on up to damage, and where the last member before it begins. Looks at the first bytes. */
  async untilDamage(start: number, end: number): Promise<{ content: Buffer; member: number }> {
    const bytes = await this.#bytesAt(start, Math.min(READABLE, end - start));
    let [whole, damaged] = [0, bytes.length + 1];
    while (damaged - whole > 1) {
      const middle = (whole + damaged) >> 1;
      if (beginningOf(bytes.subarray(0, middle)) === null) damaged = middle;
      else whole = middle;
    }
    let member = bytes.lastIndexOf(MEMBER, whole);
    while (member > 0 && beginningOf(bytes.subarray(0, member), true) === null) {
      member = bytes.lastIndexOf(MEMBER, member - 1);
    }
    const content = beginningOf(bytes.subarray(0, whole)) ?? Buffer.alloc(0);
    return { content, member: start + Math.max(0, member) };
  }

  async #find(start: number, last: number, is: (bytes: Buffer) => boolean): Promise<number> {
    for (let at = start; at < last; at += WINDOW) {
      const bytes = await this.#bytesAt(at, WINDOW + TRIED);
      const found = firstIn(bytes, is);
      if (found >= 0) return at + found;
      if (bytes.length < WINDOW + TRIED) break;
    }
    return END;
  }

  async #bytesAt(start: number, length: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#read(start, start + length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}

/** Returns where the first member seems to begin within the first WINDOW bytes, or -1. */
function firstIn(bytes: Buffer, is: (bytes: Buffer) => boolean): number {
  for (let at = bytes.indexOf(MEMBER); at >= 0 && at < WINDOW; at = bytes.indexOf(MEMBER, at + 1)) {
    const hasFlags = ((bytes[at + MEMBER.length] ?? RESERVED_FLAGS) & RESERVED_FLAGS) === 0;
    if (hasFlags && is(bytes.subarray(at, at + TRIED))) return at;
  }
  return -1;
}

/** Returns whether bytes can be decompressed, as far as they go. */
function isMember(bytes: Buffer): boolean {
  return (beginningOf(bytes)?.length ?? 0) > 0;
}

/** Returns whether bytes are the beginning of a member whose content begins a record. */
function isRecord(bytes: Buffer): boolean {
  return mayBeRecord(bytes) === "yes";
}

/** Returns whether bytes are the beginning of a member whose content begins a record, or "open" if more bytes may tell it. */
export function mayBeRecord(bytes: Buffer): "yes" | "no" | "open" {
  // As few as tell it: the next member may be damaged.
  for (let length = FIRST_TRIED; ; length *= 2) {
    const content = beginningOf(bytes.subarray(0, length));
    if (content === null) return "no";
    if (content.length > WARC_MAGIC.length) return beginsAsWarc(content) ? "yes" : "no";
    if (!WARC_MAGIC.startsWith(content.toString("latin1", 0, WARC_MAGIC.length))) return "no";
    if (length >= bytes.length) return "open";
  }
}

/**
 * Decompresses the first bytes of members, which may end within one if they are not to be `whole`. Returns null for bytes
 * that cannot be decompressed.
 */
function beginningOf(bytes: Buffer, whole = false): Buffer | null {
  try {
    return gunzipSync(bytes, whole ? {} : { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return null; // bytes within a member, or damage
  }
}
