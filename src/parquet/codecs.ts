import * as zlib from "node:zlib";
import type { CompressionCodec, Compressors } from "hyparquet";
import type { ParquetPeers } from "./peers.ts";

/** Describes members of newer Node versions that the types of the oldest version lack. */
const { zstdCompressSync, zstdDecompressSync } = zlib as {
  zstdCompressSync?: (bytes: Uint8Array) => Uint8Array;
  zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array;
};

/** Compresses pages, by codec. */
export type PageCompressors = { [codec in CompressionCodec]?: (bytes: Uint8Array) => Uint8Array };

/** The quality of Brotli. The default of Brotli takes a hundred times as long. */
const BROTLI_QUALITY = 5;

/**
 * Returns functions that decompress pages: those of Node, and those of the package for other
 * codecs.
 */
export function decompressorsOf(peers: ParquetPeers): Compressors {
  return {
    ...peers.decompressors,
    GZIP: (bytes) => zlib.gunzipSync(bytes),
    BROTLI: (bytes) => zlib.brotliDecompressSync(bytes),
    ...(zstdDecompressSync === undefined
      ? {}
      : { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) }),
  };
}

/** Returns functions that compress pages. */
export function compressorsOf(peers: ParquetPeers): PageCompressors {
  const brotli = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  return {
    SNAPPY: peers.snappyCompress,
    GZIP: (bytes) => zlib.gzipSync(bytes),
    BROTLI: (bytes) => zlib.brotliCompressSync(bytes, brotli),
    ...(zstdCompressSync === undefined
      ? {}
      : { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes) }),
  };
}

/**
 * Returns the codec that a chunk is written with: its own, or Snappy if nothing here compresses
 * with its own.
 */
export function codecToWrite(codec: CompressionCodec, compressors: Compressors): CompressionCodec {
  return codec === "UNCOMPRESSED" || compressors[codec] !== undefined ? codec : "SNAPPY";
}
