import type { CompressionCodec, Encoding } from "hyparquet";
import type { PageHeader } from "hyparquet/src/types.js";
import { expect, test } from "vitest";
import { compressorsOf, decompressorsOf } from "../../src/parquet/codecs.ts";
import type { Leaf } from "../../src/parquet/leaf.ts";
import { PageReader } from "../../src/parquet/pages.ts";
import { loadParquetPeers } from "../../src/parquet/peers.ts";

const peers = await loadParquetPeers();
const decompressors = decompressorsOf(peers);
const NOTHING = new Uint8Array(0);

/** Returns what Node's codecs and Snappy make of no bytes. */
const packed = (codec: CompressionCodec): Uint8Array =>
  Uint8Array.from(compressorsOf()[codec]?.(NOTHING) ?? []);

/** The ways in which writers store no bytes. */
const STORED: readonly [codec: CompressionCodec, how: string, bytes: Uint8Array][] = [
  ["UNCOMPRESSED", "nothing", NOTHING],
  ["SNAPPY", "a length of 0", packed("SNAPPY")],
  ["GZIP", "a stream", packed("GZIP")],
  ["BROTLI", "a stream", packed("BROTLI")],
  ["ZSTD", "a frame", Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0)],
  ["LZ4_RAW", "a token", Uint8Array.of(0)],
  ["LZ4", "a token", Uint8Array.of(0)],
  ["LZ4", "a length of Hadoop", new Uint8Array(4)],
  ["LZ4", "a frame of Hadoop", Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, 0)],
  ...(["SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4_RAW", "LZ4"] as const).map(
    (codec) => [codec, "nothing", NOTHING] as [CompressionCodec, string, Uint8Array],
  ),
];

/** Types of columns with the encodings that their values may have. */
const ENCODINGS = {
  INT32: ["PLAIN", "RLE_DICTIONARY", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"],
  INT64: ["PLAIN", "DELTA_BINARY_PACKED"],
  BYTE_ARRAY: ["PLAIN", "PLAIN_DICTIONARY", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"],
  BOOLEAN: ["PLAIN", "RLE"],
  DOUBLE: ["BYTE_STREAM_SPLIT"],
} as const;

const NULLS = 3;
/** A run of nulls. */
const LEVELS = Uint8Array.of(2 * NULLS, 0);

/** Writes a chunk without values: a dictionary, a data page of version 1 without entries, and one of version 2 with nulls alone. */
function chunkOf(stored: Uint8Array, type: string, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const writer = new peers.ByteWriter();
  const append = (header: Partial<PageHeader>, levels = NOTHING): void => {
    peers.writePageHeader(writer, {
      uncompressed_page_size: levels.length,
      compressed_page_size: levels.length + stored.length,
      ...header,
    } as PageHeader);
    writer.appendBytes(levels);
    writer.appendBytes(stored);
  };
  const dictionary = { num_values: 0, encoding: "PLAIN" } as const;
  // Booleans have no dictionary.
  if (type !== "BOOLEAN") append({ type: "DICTIONARY_PAGE", dictionary_page_header: dictionary });
  append({
    type: "DATA_PAGE",
    data_page_header: {
      num_values: 0,
      encoding,
      definition_level_encoding: "RLE",
      repetition_level_encoding: "RLE",
    },
  });
  append(
    {
      type: "DATA_PAGE_V2",
      data_page_header_v2: {
        num_values: NULLS,
        num_nulls: NULLS,
        num_rows: NULLS,
        encoding,
        definition_levels_byte_length: LEVELS.length,
        repetition_levels_byte_length: 0,
        is_compressed: true,
      },
    },
    LEVELS,
  );
  return new Uint8Array(writer.getBytes());
}

const cases = Object.entries(ENCODINGS).flatMap(([type, encodings]) =>
  encodings.map((encoding) => [type, encoding] as const),
);

test.each(STORED)("pages without values are read: %s, stored as %s", (codec, _, stored) => {
  for (const [type, encoding] of cases) {
    const facts = {
      codec,
      valueCount: NULLS,
      rowCount: NULLS,
      inflatedBytes: 1000,
      dataOffset: 0,
      maxDefinitionLevel: 1,
      maxRepetitionLevel: 0,
    };
    const leaf = { ...facts, element: { name: "c", type } } as unknown as Leaf;
    const chunk = chunkOf(stored, type, encoding);
    const reader = new PageReader(leaf, facts, decompressors, peers);
    const pages = [...reader.read(chunk)];
    expect(
      pages.map(({ entries, definitionLevels }) => [entries, [...definitionLevels]]),
      `${type} ${encoding}`,
    ).toEqual([
      [0, []],
      [NULLS, [0, 0, 0]],
    ]);
    expect(() => new PageReader(leaf, facts, decompressors, peers).check(chunk)).not.toThrow();
  }
});
