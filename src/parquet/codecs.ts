import * as zlib from "node:zlib";
import type { CompressionCodec, Compressors } from "hyparquet";
import { pageKernel } from "./memory/page-kernel.ts";
import type { ParquetPeers } from "./peers.ts";

/** Describes members of newer Node versions that the types of the oldest version lack. */
const { zstdCompressSync, zstdDecompressSync } = zlib as {
  zstdCompressSync?: (bytes: Uint8Array, options: zlib.ZlibOptions) => Uint8Array;
  zstdDecompressSync?: (bytes: Uint8Array, options: zlib.ZlibOptions) => Uint8Array;
};

/** Compresses pages, by codec. */
export type PageCompressors = { [codec in CompressionCodec]?: (bytes: Uint8Array) => Uint8Array };

/** Limits the bytes that a codec allocates at a time: a damaged page may give any length. */
const MAX_CHUNK = 1 << 24;
/** How much longer the space for bytes is than they are, so that a codec sees their end in one call. */
const SPARE = 64;

/** The quality of Brotli. The default of Brotli takes a hundred times as long. */
const BROTLI_QUALITY = 5;

/**
 * Returns functions that decompress pages: those of Node, Snappy by WebAssembly, and those of the package for other
 * codecs. `take`: returns memory for so many bytes.
 */
export function decompressorsOf(
  peers: ParquetPeers,
  take: (length: number) => Uint8Array = (length) => new Uint8Array(length),
): Compressors {
  const decompressors: Compressors = {
    ...peers.decompressors,
    SNAPPY: (bytes, length) => {
      const inflated = pageKernel().uncompress(bytes, length);
      const page = take(length);
      page.set(inflated);
      return page;
    },
    GZIP: (bytes, length) => zlib.gunzipSync(bytes, spaceFor(length)),
    BROTLI: (bytes, length) => zlib.brotliDecompressSync(bytes, spaceFor(length)),
    ...(zstdDecompressSync === undefined
      ? {}
      : {
          ZSTD: (bytes: Uint8Array, length: number) => zstdDecompressSync(bytes, spaceFor(length)),
        }),
  };
  const codecs = Object.entries(decompressors);
  return Object.fromEntries(codecs.map(([codec, work]) => [codec, exceptEmpty(work)]));
}

type Decompress = NonNullable<Compressors[CompressionCodec]>;

/**
 * Lets a codec have no empty page: it may be stored as no bytes, as a length of 0 or as the end of a stream, and not all codecs
 * read that.
 */
function exceptEmpty(decompress: Decompress): Decompress {
  return (bytes, length) => (length === 0 ? new Uint8Array(0) : decompress(bytes, length));
}

/** Returns functions that compress pages. What they return is void after the next call. */
export function compressorsOf(): PageCompressors {
  const brotli = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  return {
    SNAPPY: (bytes) => pageKernel().compress(bytes),
    GZIP: (bytes) => zlib.gzipSync(bytes, spaceFor(bytes.length)),
    BROTLI: (bytes) => zlib.brotliCompressSync(bytes, { ...brotli, ...spaceFor(bytes.length) }),
    ...(zstdCompressSync === undefined
      ? {}
      : { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes, spaceFor(bytes.length)) }),
  };
}

/** Says how many bytes zlib writes at a time. It takes 16 KiB otherwise, and copies them together. */
function spaceFor(length: number): { chunkSize: number } {
  return { chunkSize: Math.min(length + SPARE, MAX_CHUNK) };
}

/**
 * Returns the codec that a chunk is written with: its own, or Snappy if nothing here compresses
 * with its own.
 */
export function codecToWrite(codec: CompressionCodec, compressors: Compressors): CompressionCodec {
  return codec === "UNCOMPRESSED" || compressors[codec] !== undefined ? codec : "SNAPPY";
}
