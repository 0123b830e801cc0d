import { pipeline } from "node:stream/promises";
import { constants, createGunzip, type Gunzip, gunzipSync, type ZlibOptions } from "node:zlib";
import { leaveSource, markHandled } from "../../base/handled.ts";
import { damaged } from "../io-error.ts";

/**
 * Takes one piece at a time, so that what the decoder left of it is known before the next piece. Decompresses some
 * megabytes ahead of the reader, which gets them as pieces: a stream of bytes would copy those that wait to one.
 */
const OPTIONS: ZlibOptions & {
  readonly writableHighWaterMark: number;
  readonly readableHighWaterMark: number;
  readonly readableObjectMode: boolean;
} = {
  chunkSize: 1 << 18,
  writableHighWaterMark: 1,
  readableHighWaterMark: 16,
  readableObjectMode: true,
};

/** Describes zeros that are followed by something else. */
export const PADDING_WITHIN = "zeros are in the place of a member";

/**
 * Decompresses any number of gzip members, and verifies their checksums. Zeros from the end of a member to the end
 * of the file are padding. Throws for anything after them: `node:zlib` ends without an error there, and loses the
 * rest. Returns whether there is padding.
 */
export async function* gunzip(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, boolean, undefined> {
  const decoder = createGunzip(OPTIONS);
  let isPadded = false;
  const members = membersOf(stream, decoder, () => {
    isPadded = true;
  });
  // The reader gets the error.
  const given = markHandled(pipeline(members, decoder));
  try {
    yield* decoder.iterator({ destroyOnReturn: false });
    // The decoder ends at padding; what follows is checked after that.
    await given;
    return isPadded;
  } finally {
    decoder.destroy();
  }
}

/**
 * Yields the pieces of a file, without the padding at its end, of which `padded` hears. Throws if something comes after
 * zeros.
 */
async function* membersOf(
  stream: AsyncIterable<Uint8Array>,
  decoder: Gunzip,
  padded: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let given = 0;
  let isPadding = false;
  for await (const bytes of stream) {
    let rest = bytes;
    if (!isPadding) {
      yield bytes;
      given += bytes.length;
      // The decoder stops at a zero in the place of a member.
      rest = bytes.subarray(bytes.length - (given - decoder.bytesWritten));
      isPadding = rest.length > 0;
      if (isPadding) padded();
    }
    if (rest.some((byte) => byte !== 0)) throw damaged(PADDING_WITHIN);
  }
}

/** Compressed bytes of a segment, unless it is the last. */
const SEGMENT = 1 << 20;
/** Segments to decompress at a time. */
const AT_ONCE = 3;
/** Bytes to search at a time. */
const WINDOW = 1 << 16;
/** A file with one member in so many bytes is read as one segment. */
const SEARCHED = 1 << 24;
/** Bytes to decompress where a member may begin. */
const TRIED = 1 << 12;
/** The first bytes of a member: its magic number and the only compression method (RFC 1952, section 2.3.1). */
const MEMBER = Uint8Array.of(0x1f, 0x8b, 0x08);
/** The bits of the flags, the next byte, that are always 0. */
const RESERVED_FLAGS = 0xe0;
/** The end of a segment that goes on to the end of the file. */
const END = Number.POSITIVE_INFINITY;

/** Reads the bytes of a file from `start` up to `end`, or to the end of the file. */
export type ReadRange = (start: number, end: number) => AsyncIterable<Uint8Array>;

/**
 * Decompresses a gzip file as `gunzip` does, in segments of whole members, some at a time on the threads of Node. What
 * looks like the beginning of a member may be content of one. Then the segment before it ends too early, and is read again,
 * up to a later member. So wherever segments begin, the content is the same. `reached` hears up to where the file is read.
 * `shortest`: the compressed bytes of a segment, at least.
 */
export async function* gunzipSegments(
  read: ReadRange,
  reached: (position: number) => void,
  shortest = SEGMENT,
): AsyncGenerator<Uint8Array, void, undefined> {
  const members = new Members(read);
  async function* partOf(from: number, end: number): AsyncGenerator<Uint8Array> {
    let at = from;
    for await (const bytes of read(from, end)) {
      at += bytes.length;
      reached(at);
      yield bytes;
    }
  }
  const ahead: Segment[] = [];
  let start = 0;
  let length = shortest;
  /** The bytes of the next segment's content that were handed out before. */
  let given = 0;
  try {
    for (;;) {
      while (ahead.length < AT_ONCE && start !== END) {
        const end = await members.from(start + length);
        ahead.push(new Segment(partOf(start, end), start, end));
        start = end;
        length = shortest;
      }
      const segment = ahead.shift();
      if (segment === undefined) return;
      yield* segment.content(given);
      given = 0;
      if (!segment.endsEarly) continue;
      for (const next of ahead.splice(0)) next.leave();
      start = segment.start;
      // Twice as long: members within members take time by their length, too.
      length = 2 * (segment.end - segment.start);
      given = segment.given;
    }
  } finally {
    for (const next of ahead) next.leave();
  }
}

/** Decompresses a part of a file, as far as memory allows, before its content is asked for. */
class Segment {
  readonly start: number;
  readonly end: number;
  readonly #pieces: AsyncGenerator<Uint8Array, boolean, undefined>;
  readonly #first: Promise<IteratorResult<Uint8Array, boolean>>;
  /** Counts the bytes of the content so far. */
  given = 0;
  /** Says, after its content, whether it ends within a member. */
  endsEarly = false;

  /** `bytes`: the compressed bytes from `start` to `end`. */
  constructor(bytes: AsyncIterable<Uint8Array>, start: number, end: number) {
    this.start = start;
    this.end = end;
    this.#pieces = gunzip(bytes);
    // The reader of the content gets the error.
    this.#first = markHandled(this.#pieces.next());
  }

  /** Yields the content without its first `skipped` bytes. */
  async *content(skipped: number): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      let next = await this.#first;
      for (; next.done !== true; next = await this.#pieces.next()) {
        const rest = next.value.subarray(Math.max(0, skipped - this.given));
        this.given += next.value.length;
        if (rest.length > 0) yield rest;
      }
      if (next.value && this.end !== END) throw damaged(PADDING_WITHIN);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "Z_BUF_ERROR" || this.end === END) throw error;
      this.endsEarly = true;
    } finally {
      this.leave();
    }
  }

  leave(): void {
    leaveSource(this.#pieces);
  }
}

/** Finds where members of a gzip file seem to begin. */
class Members {
  readonly #read: ReadRange;
  /** Whether a second member was found. */
  #areSeveral = false;

  constructor(read: ReadRange) {
    this.#read = read;
  }

  /** Returns where the first member from `start` on begins, or END. */
  async from(start: number): Promise<number> {
    const last = this.#areSeveral ? END : start + SEARCHED;
    for (let at = start; at < last; at += WINDOW) {
      const bytes = await this.#bytesAt(at, WINDOW + TRIED);
      const found = memberIn(bytes);
      if (found >= 0) {
        this.#areSeveral = true;
        return at + found;
      }
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
function memberIn(bytes: Buffer): number {
  for (let at = bytes.indexOf(MEMBER); at >= 0 && at < WINDOW; at = bytes.indexOf(MEMBER, at + 1)) {
    if (isMember(bytes.subarray(at, at + TRIED))) return at;
  }
  return -1;
}

/** Returns whether bytes can be decompressed, as far as they go. */
function isMember(bytes: Buffer): boolean {
  if (((bytes[MEMBER.length] ?? RESERVED_FLAGS) & RESERVED_FLAGS) !== 0) return false;
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).length > 0;
  } catch {
    return false; // bytes within a member
  }
}
