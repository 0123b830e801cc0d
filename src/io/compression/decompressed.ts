import { type Compression, compressionOf, isWholeLines, MAGIC_LENGTH } from "./compression.ts";
import { FOREIGN_LENGTH, ForeignFormat, mayBecomeForeign } from "./foreign-format.ts";
import { gunzip, gunzipSegments, type ReadRange } from "./gzip.ts";
import { decompressZstd } from "./zstd.ts";

/** Holds a stream of bytes and the number of bytes read from its source. */
export interface CountedStream {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly count: () => number;
}

/**
 * Returns the bytes of a stream, decompressed if its first bytes say so. Throws `ForeignFormat` for a format
 * that cannot be read.
 */
export async function decompressed(stream: AsyncIterable<Uint8Array>): Promise<CountedStream> {
  let taken = 0;
  const count = (): number => taken;
  const { head, all, close } = await peek(stream, (length) => {
    taken += length;
  });
  let compression: Compression | null;
  try {
    compression = compressionByHead(head);
  } catch (error) {
    await close();
    throw error;
  }
  if (compression === null) return { stream: all, count };
  const content = compression === "zstd" ? await decompressZstd(all) : gunzip(all);
  return { stream: checkContent(content, compression), count };
}

/** Returns the content of a gzip file, as `decompressed` does. `read`: reads a part of the file. */
export function decompressedFile(read: ReadRange): CountedStream {
  let taken = 0;
  const content = gunzipSegments(read, (position) => {
    taken = Math.max(taken, position);
  });
  return { stream: checkContent(content, "gzip"), count: () => taken };
}

/**
 * Returns the compression of an input by its first bytes. Throws `ForeignFormat` for a format that cannot be
 * read.
 */
export function compressionByHead(head: Uint8Array): Compression | null {
  ForeignFormat.check(head, null);
  return compressionOf(head);
}

/**
 * Yields the content of a compressed file. Throws if the content is compressed again, or in a format that
 * cannot be read.
 */
async function* checkContent(
  content: AsyncIterable<Uint8Array>,
  outer: Compression,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { head, all, close } = await peek(content, () => {});
  try {
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
  readonly head: Uint8Array;
  readonly all: AsyncGenerator<Uint8Array, void, undefined>;
  /** Closes the stream if `all` has not begun. */
  close(): Promise<unknown>;
}

/**
 * Reads the first bytes of a stream, enough to tell how it is compressed. Does not wait for more,
 * because a stream may trickle, and its writer may wait for the answer to a short line. `add` hears
 * how many bytes are handed on.
 */
async function peek(
  stream: AsyncIterable<Uint8Array>,
  add: (length: number) => void,
): Promise<Peeked> {
  const iterator = stream[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let head = Buffer.alloc(0);
  while ((head.length < MAGIC_LENGTH && !isWholeLines(head)) || mayBecomeForeign(head)) {
    const next = await iterator.next();
    if (next.done === true) break;
    pieces.push(next.value);
    head = Buffer.concat([head, next.value.subarray(0, FOREIGN_LENGTH - head.length)]);
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
