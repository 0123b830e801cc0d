import { Gaps } from "../gaps.ts";
import { type Compression, compressionOf, isWholeLines, MAGIC_LENGTH } from "./compression.ts";
import { FOREIGN_LENGTH, ForeignFormat, mayBecomeForeign } from "./foreign-format.ts";
import { gunzip } from "./gzip.ts";
import { mayBeRecord, type ReadRange, TRIED } from "./gzip-members.ts";
import { gunzipSegments, type SegmentReading } from "./gzip-segments.ts";
import { HeldStream } from "./held-stream.ts";
import { decodeUtf16, type Utf16, utf16Of } from "./utf16.ts";
import { decompressZstd } from "./zstd.ts";

/** The most bytes of a stream that are searched for the next segment. All segments that are begun must be held. */
const SEARCHED = 1 << 23;

/** Holds a stream of bytes and the number of bytes read from its source. */
export interface CountedStream {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly count: () => number;
  /** The gaps of a stream that can go on after damage. */
  readonly gaps?: Gaps;
  /** Says whether the stream was text in UTF-16. In compressed data it is known after the first bytes. */
  readonly isUtf16?: boolean;
}

/**
 * Returns the bytes of a stream, decompressed if its first bytes say so. Throws `ForeignFormat` for a format
 * that cannot be read. `isAtOnce`: nothing is read ahead, so that reading does not go on after damage.
 */
export async function decompressed(
  stream: AsyncIterable<Uint8Array>,
  isAtOnce = false,
): Promise<CountedStream> {
  let taken = 0;
  const count = (): number => taken;
  const { head, all, close } = await peek(stream, (length) => {
    taken += length;
  });
  let compression: Compression | Utf16 | null;
  try {
    compression = compressionByHead(head);
  } catch (error) {
    await close();
    throw error;
  }
  if (compression === null) return { stream: all, count };
  if (compression === "utf-16le" || compression === "utf-16be") {
    return { stream: decodeUtf16(all, compression), count, isUtf16: true };
  }
  if (compression === "zstd") {
    return contentOf(await decompressZstd(all), compression, { count });
  }
  return isAtOnce ? contentOf(gunzip(all), compression, { count }) : gunzipped(all, count);
}

/** Returns the content of a stream of gzip. That of a web archive can go on after damage. */
async function gunzipped(
  stream: AsyncIterable<Uint8Array>,
  count: () => number,
): Promise<CountedStream> {
  const { head, all } = await peek(
    stream,
    () => {},
    TRIED,
    (bytes) => mayBeRecord(bytes) === "open",
  );
  if (mayBeRecord(head) !== "yes") return contentOf(gunzip(all), "gzip", { count });
  const held = new HeldStream(all);
  const passed = (position: number): void => held.drop(position);
  const content = segmented(held.read, count, { passed, searched: SEARCHED });
  return { ...content, stream: closing(content.stream, () => held.close()) };
}

/** Returns the content of a gzip file, as `decompressed` does. `read`: reads a part of the file. */
export function decompressedFile(read: ReadRange): CountedStream {
  let taken = 0;
  const reached = (position: number): void => {
    taken = Math.max(taken, position);
  };
  return segmented(read, () => taken, { reached });
}

function segmented(read: ReadRange, count: () => number, reading: SegmentReading): CountedStream {
  const gaps = new Gaps();
  async function* content(): AsyncGenerator<Uint8Array> {
    for await (const bytes of gunzipSegments(read, { ...reading, gaps })) {
      gaps.position += bytes.length;
      yield bytes;
    }
  }
  return contentOf(content(), "gzip", { count, gaps });
}

async function* closing(
  stream: AsyncIterable<Uint8Array>,
  close: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } finally {
    await close();
  }
}

/**
 * Returns the compression of an input by its first bytes, or its encoding if that is UTF-16. Throws `ForeignFormat` for a
 * format that cannot be read.
 */
export function compressionByHead(head: Uint8Array): Compression | Utf16 | null {
  const utf16 = utf16Of(head);
  if (utf16 !== null) return utf16;
  ForeignFormat.check(head, null);
  return compressionOf(head);
}

/** Returns the content of a compressed file, which `counted` counts. */
function contentOf(
  content: AsyncIterable<Uint8Array>,
  outer: Compression,
  counted: Pick<CountedStream, "count" | "gaps">,
): CountedStream {
  const found = { ...counted, isUtf16: false };
  const take = (): void => {
    found.isUtf16 = true;
  };
  return Object.assign(found, { stream: checkContent(content, outer, take) });
}

/**
 * Yields the content of a compressed file. Throws if the content is compressed again, or in a format that
 * cannot be read. `takeUtf16`: hears of UTF-16, which is read as UTF-8.
 */
async function* checkContent(
  content: AsyncIterable<Uint8Array>,
  outer: Compression,
  takeUtf16: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { head, all, close } = await peek(content, () => {});
  try {
    const utf16 = utf16Of(head);
    if (utf16 !== null) {
      takeUtf16();
      return yield* decodeUtf16(all, utf16);
    }
    ForeignFormat.check(head, outer);
    const inner = compressionOf(head);
    if (inner !== null) throw ForeignFormat.twice(inner, outer);
    yield* all;
  } finally {
    await close();
  }
}

/** The beginning of a stream, and the whole stream. */
interface Peeked {
  readonly head: Buffer;
  readonly all: AsyncGenerator<Uint8Array, void, undefined>;
  /** Closes the stream if `all` has not begun. */
  close(): Promise<unknown>;
}

/** Returns whether more bytes are needed to tell how these are compressed. */
function isOpen(head: Buffer): boolean {
  return (head.length < MAGIC_LENGTH && !isWholeLines(head)) || mayBecomeForeign(head);
}

/**
 * Reads the first bytes of a stream, `longest` at most, as many as `needsMore` needs. Does not wait for more,
 * because a stream may trickle, and its writer may wait for the answer to a short line. `add` hears
 * how many bytes are handed on.
 */
async function peek(
  stream: AsyncIterable<Uint8Array>,
  add: (length: number) => void,
  longest = FOREIGN_LENGTH,
  needsMore = isOpen,
): Promise<Peeked> {
  const iterator = stream[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let head = Buffer.alloc(0);
  while (head.length < longest && needsMore(head)) {
    const next = await iterator.next();
    if (next.done === true) break;
    pieces.push(next.value);
    head = Buffer.concat([head, next.value.subarray(0, longest - head.length)]);
  }
  async function* all(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (const bytes of pieces) {
        add(bytes.length);
        yield bytes;
      }
      for (;;) {
        const next = await iterator.next();
        if (next.done === true) return;
        add(next.value.length);
        yield next.value;
      }
    } finally {
      await iterator.return?.(); // closes the file
    }
  }
  return { head, all: all(), close: async () => iterator.return?.() };
}
