import type { CompressionCodec, Compressors, DecodedArray } from "hyparquet";
import type { ColumnDecoder } from "hyparquet/src/types.js";
import { type Leaf, physicalElement } from "./leaf.ts";
import { checkLevelRunsV2, checkRunsV1, checkValueRuns } from "./page-runs.ts";
import type { ParquetPeers } from "./peers.ts";

/** Holds the values of a data page as they are stored, and where nulls and lists are. */
export interface Page {
  /** A level a value or null; empty where the column is never null. */
  readonly definitionLevels: readonly number[];
  /** A level a value or null; empty where the column has no lists. */
  readonly repetitionLevels: readonly number[];
  /** The values that are not null, or their numbers in the dictionary. */
  readonly values: DecodedArray;
  /** What the values are numbers in; null where they are values. */
  readonly dictionary: DecodedArray | null;
}

/** Says what the footer knows of a chunk. */
export interface ChunkFacts {
  readonly codec: CompressionCodec;
  /** Counts values and nulls: no page has more. */
  readonly valueCount: number;
  /** Counts the bytes of all pages, not compressed. */
  readonly inflatedBytes: number;
}

/** Reads the data pages of a chunk, one after the other. */
export function* readPages(
  bytes: Uint8Array<ArrayBuffer>,
  leaf: Leaf,
  { codec, valueCount, inflatedBytes }: ChunkFacts,
  compressors: Compressors,
  peers: ParquetPeers,
): Generator<Page> {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
  const element = physicalElement(leaf);
  const { type } = element;
  if (type === undefined) throw new Error("it has no type");
  const decoder = { type, element, schemaPath: leaf.path, codec, compressors } as ColumnDecoder;
  let dictionary: DecodedArray | null = null;
  while (reader.offset < bytes.length) {
    const header = peers.parquetHeader(reader);
    const end = reader.offset + header.compressed_page_size;
    if (end < reader.offset || end > bytes.length) throw new Error("a page is not in its chunk");
    if (header.uncompressed_page_size > inflatedBytes) throw new Error("a page is too long");
    const content = bytes.subarray(reader.offset, end);
    reader.offset = end;
    const { data_page_header: v1, data_page_header_v2: v2, dictionary_page_header: first } = header;
    const count = v1?.num_values ?? v2?.num_values ?? first?.num_values ?? 0;
    if (count < 0 || count > valueCount) throw new Error("a page has more values than its chunk");
    const inflate = () =>
      peers.decompressPage(content, header.uncompressed_page_size, codec, compressors);
    if (header.type === "DICTIONARY_PAGE" && first !== undefined) {
      const page = inflate();
      const view = new DataView(page.buffer, page.byteOffset, page.length);
      const { type_length } = element;
      dictionary = peers.readPlain({ view, offset: 0 }, type, first.num_values, type_length);
      continue;
    }
    if (header.type === "INDEX_PAGE") continue;
    let page: ReturnType<typeof peers.readDataPage>;
    if (v1 !== undefined) {
      const isOld = [v1.definition_level_encoding, v1.repetition_level_encoding].includes(
        "BIT_PACKED",
      );
      if (isOld && leaf.maxDefinitionLevel > 0) throw new Error("its levels are in BIT_PACKED");
      const inflated = inflate();
      checkRunsV1(inflated, v1, leaf);
      page = peers.readDataPage(inflated, v1, decoder);
    } else if (v2 !== undefined) {
      checkLevelRunsV2(content, v2, leaf);
      const levels = v2.repetition_levels_byte_length + v2.definition_levels_byte_length;
      const valueBytes = header.uncompressed_page_size - levels;
      const stored = content.subarray(levels);
      const values =
        v2.is_compressed === false
          ? stored
          : peers.decompressPage(stored, valueBytes, codec, compressors);
      checkValueRuns(values, v2.encoding, v2.num_values);
      const inflated = Buffer.concat([content.subarray(0, levels), values]);
      const asIs = { ...header, data_page_header_v2: { ...v2, is_compressed: false } };
      page = peers.readDataPageV2(inflated, asIs, decoder);
    } else {
      throw new Error(`a page is of the kind ${header.type}`);
    }
    const encoding = (v1 ?? v2)?.encoding;
    const isCoded = encoding === "RLE_DICTIONARY" || encoding === "PLAIN_DICTIONARY";
    if (isCoded && dictionary === null) throw new Error("its dictionary is missing");
    yield {
      definitionLevels: page.definitionLevels ?? [],
      repetitionLevels: page.repetitionLevels,
      values: page.dataPage,
      dictionary: isCoded ? dictionary : null,
    };
  }
}
