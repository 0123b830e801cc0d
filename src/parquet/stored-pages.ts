import { crc32 } from "node:zlib";
import type { PageHeader } from "hyparquet/src/types.js";
import { reasonOf } from "./leaf.ts";
import type { ParquetPeers } from "./peers.ts";

/** Holds what the footer says of the pages of a chunk. */
export interface ChunkCounts {
  /** Counts values and nulls of all pages. */
  readonly valueCount: number;
  readonly rowCount: number;
  /** Counts the bytes of all pages, not compressed. */
  readonly inflatedBytes: number;
  /** Gives the offset of the first data page in the chunk; 0 if writers name the dictionary in its place. */
  readonly dataOffset: number;
  /** Gives the highest levels of the column. A page of version 2 has no levels where they are 0. */
  readonly maxDefinitionLevel: number;
  readonly maxRepetitionLevel: number;
}

export interface StoredPage {
  readonly header: PageHeader;
  readonly content: Uint8Array;
  /** Names it in messages: pages of a chunk, with its dictionary, are counted from 1. */
  readonly name: string;
}

/**
 * Walks over the pages of a chunk. Throws if a page is not within the chunk, if its content does not have the checksum
 * that its header gives, or if all pages together do not have the values and rows that the footer says.
 */
export function* storedPages(
  bytes: Uint8Array<ArrayBuffer>,
  counts: ChunkCounts,
  peers: ParquetPeers,
): Generator<StoredPage> {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
  let values = 0;
  let rows: number | null = 0;
  let firstData: number | null = null;
  for (let page = 1; reader.offset < bytes.length; page++) {
    const name = `page ${page}`;
    const start = reader.offset;
    const header = atPage(name, () => readHeader(reader, peers));
    const content = atPage(name, () => contentOf(bytes, reader.offset, header, counts));
    reader.offset += content.length;
    const { data_page_header: v1, data_page_header_v2: v2 } = header;
    const data = v1 ?? v2;
    if (data !== undefined) {
      firstData ??= start;
      values += data.num_values;
      rows = v2 === undefined || rows === null ? null : rows + v2.num_rows;
    }
    yield { header, content, name };
  }
  checkSum("values", values, counts.valueCount);
  // Only pages of version 2 say how many rows they have.
  if (rows !== null) checkSum("rows", rows, counts.rowCount);
  if (counts.dataOffset !== 0 && counts.dataOffset !== firstData) {
    throw new Error("its first data page is not where the footer says");
  }
}

/** Returns whether the pages of a chunk have checksums: whether its first page has one. */
export function hasChecksums(bytes: Uint8Array<ArrayBuffer>, peers: ParquetPeers): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return peers.parquetHeader({ view, offset: 0 }).crc !== undefined;
}

/** Returns the checksum of a page as its header holds it: CRC-32 of all bytes after the header, signed. */
export function checksumOf(...parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => crc32(part, sum), 0) | 0;
}

/** Appends pages to others, each with a checksum in its header. */
export function appendWithChecksums(
  writer: InstanceType<ParquetPeers["ByteWriter"]>,
  pages: Uint8Array<ArrayBuffer>,
  peers: ParquetPeers,
): void {
  const reader = { view: new DataView(pages.buffer, pages.byteOffset, pages.length), offset: 0 };
  while (reader.offset < pages.length) {
    const header = peers.parquetHeader(reader);
    const end = reader.offset + header.compressed_page_size;
    const content = pages.subarray(reader.offset, end);
    peers.writePageHeader(writer, { ...header, crc: checksumOf(content) });
    writer.appendBytes(content);
    reader.offset = end;
  }
}

/** Calls `work`, and names the page in any error. */
export function atPage<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${name}: ${reasonOf(error)}`);
  }
}

function readHeader(
  reader: { view: DataView<ArrayBuffer>; offset: number },
  peers: ParquetPeers,
): PageHeader {
  const header = peers.parquetHeader(reader);
  const { data_page_header: v1, data_page_header_v2: v2, dictionary_page_header: first } = header;
  const described = { DATA_PAGE: v1, DATA_PAGE_V2: v2, DICTIONARY_PAGE: first, INDEX_PAGE: {} };
  if (described[header.type] === undefined) throw new Error("its header is of no known kind");
  const others = [v1, v2, first].filter(
    (each) => each !== undefined && each !== described[header.type],
  );
  if (others.length > 0) throw new Error("its header is of two kinds");
  const count = (v1 ?? v2 ?? first)?.num_values ?? 0;
  if (!Number.isInteger(count) || count < 0) throw new Error(`it has ${count} values`);
  const data = v1 ?? v2;
  if (data !== undefined && data.encoding === undefined)
    throw new Error("its encoding is not known");
  return header;
}

function contentOf(
  bytes: Uint8Array,
  start: number,
  header: PageHeader,
  counts: ChunkCounts,
): Uint8Array {
  const { inflatedBytes, valueCount } = counts;
  const { compressed_page_size, uncompressed_page_size, crc } = header;
  const end = start + compressed_page_size;
  if (!(end >= start && end <= bytes.length)) throw new Error("it is not in its chunk");
  if (!(uncompressed_page_size >= 0 && uncompressed_page_size <= inflatedBytes)) {
    throw new Error("it is too long");
  }
  checkLevels(header, counts);
  const count = (header.data_page_header ?? header.data_page_header_v2)?.num_values ?? 0;
  if (count > valueCount) throw new Error("it has more values than its chunk");
  const content = bytes.subarray(start, end);
  if (crc !== undefined && crc !== checksumOf(content)) throw new Error("its checksum is wrong");
  return content;
}

function checkLevels(
  { data_page_header_v2: v2 }: PageHeader,
  { maxDefinitionLevel, maxRepetitionLevel }: ChunkCounts,
): void {
  if (v2 === undefined) return;
  const isDefined = v2.definition_levels_byte_length > 0 && maxDefinitionLevel === 0;
  const isRepeated = v2.repetition_levels_byte_length > 0 && maxRepetitionLevel === 0;
  if (isDefined || isRepeated) throw new Error("it has levels that its column does not have");
}

function checkSum(what: string, found: number, expected: number): void {
  if (found !== expected) {
    throw new Error(`its pages have ${found} ${what}, and the footer says ${expected}`);
  }
}
