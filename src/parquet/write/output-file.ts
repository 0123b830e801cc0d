import type { CompressionCodec, Encoding, SchemaElement, Statistics } from "hyparquet";
import { boundsOf } from "../bounds.ts";
import { chunkStart } from "../chunk-place.ts";
import type { PageCompressors } from "../codecs.ts";
import { type Leaf, physicalElement } from "../leaf.ts";
import type { ParquetPeers } from "../peers.ts";
import {
  inOrder,
  type RawChunk,
  type RawChunkMeta,
  type RawElement,
  type RawFooter,
  type RawGroup,
  type RawStruct,
} from "../raw-footer.ts";
import { appendWithChecksums } from "../stored-pages.ts";
import { ChunkWriter, type PageForm } from "./chunk-writer.ts";

const MAGIC = Buffer.from("PAR1");
const PAGE_BYTES = 1 << 20;
/** The numbers of types in Thrift's compact protocol. */
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
/** The numbers of values in parquet.thrift. */
const UTF8 = 0;
const OPTIONAL = 1;

/** Holds the values of a chunk as the package's writer takes them. */
export interface ChunkValues {
  /** Holds a value or null for each level. */
  readonly values: unknown[];
  readonly definitionLevels: number[];
  readonly repetitionLevels: number[];
  readonly maxDefinitionLevel: number;
}

/** Holds what the footer says of a chunk. */
interface ChunkFacts {
  readonly encodings: readonly string[];
  readonly num_values: bigint;
  readonly total_uncompressed_size: bigint;
  readonly total_compressed_size: bigint;
  readonly data_page_offset: bigint;
  readonly dictionary_page_offset: bigint | undefined;
  readonly statistics: Statistics;
}

/** Takes bytes in order. */
export interface ByteOutput {
  write(bytes: Uint8Array): Promise<void>;
}

/** Writes a Parquet file, row group by row group; a column at a time is in memory. */
export class ParquetOutput {
  readonly #output: ByteOutput;
  readonly #peers: ParquetPeers;
  readonly #compressors: PageCompressors;
  readonly #writer: InstanceType<ParquetPeers["ByteWriter"]>;
  readonly #groups: RawGroup[] = [];
  #chunks: RawChunk[] = [];
  #groupStart = MAGIC.length;
  #chunkStart = 0;
  #rows = 0n;
  /** Counts the row groups that `check` has passed. */
  #checked = 0;

  constructor(output: ByteOutput, peers: ParquetPeers, compressors: PageCompressors) {
    this.#output = output;
    this.#peers = peers;
    this.#compressors = compressors;
    this.#writer = new peers.ByteWriter();
    this.#writer.appendBytes(MAGIC);
  }

  /** Counts the bytes written so far. */
  get bytes(): number {
    return this.#writer.offset;
  }

  /** Writes the next chunk as it is stored in another file. */
  async copy(meta: RawChunkMeta, bytes: Uint8Array): Promise<void> {
    await this.#flush();
    const start = this.#writer.offset;
    const shift = BigInt(start - chunkStart(meta));
    // Page indexes and Bloom filters stay in the other file, and geometry's bounds are not needed to read.
    const { field_14: _, field_15: __, field_17: ___, ...kept } = meta;
    const { field_9: data, field_10: index, field_11: dictionary } = meta;
    const moved: RawChunkMeta = {
      ...(kept as RawChunkMeta),
      field_9: data + shift,
      ...(index === undefined ? {} : { field_10: index + shift }),
      ...(dictionary === undefined || dictionary === 0n ? {} : { field_11: dictionary + shift }),
    };
    this.#chunks.push({ field_2: BigInt(start), field_3: inOrder(moved) });
    this.#writer.offset += bytes.length;
    await this.#output.write(bytes);
  }

  /** Begins a chunk whose values are copied as they are stored. Call `endChunk` when it is finished. */
  beginChunk(leaf: Leaf, form: PageForm): ChunkWriter {
    this.#chunkStart = this.#writer.offset;
    const flush = (): Promise<void> => this.#flush();
    return new ChunkWriter(leaf, form, this.#compressors, this.#peers, this.#writer, flush);
  }

  /** Ends a chunk. */
  async endChunk(leaf: Leaf, { codec }: PageForm, writer: ChunkWriter): Promise<void> {
    const written = await writer.finish();
    const start = this.#chunkStart;
    this.#addChunk(leaf, codec, {
      encodings: written.encodings,
      num_values: BigInt(written.entries),
      total_uncompressed_size: BigInt(written.inflatedBytes),
      total_compressed_size: BigInt(this.#writer.offset - start),
      data_page_offset: BigInt(start + written.dictionaryBytes),
      dictionary_page_offset: written.dictionaryBytes > 0 ? BigInt(start) : undefined,
      statistics: { ...written.bounds, null_count: BigInt(written.nulls) },
    });
    await this.#flush();
  }

  /** Writes decoded values as the next chunk, in an encoding that they had, or in that of booleans. */
  async writeDecoded(
    leaf: Leaf,
    { codec, hasChecksums }: PageForm,
    pageData: ChunkValues,
    encoding: KeptEncoding | undefined,
    encode: <T>(work: () => T) => T,
  ): Promise<void> {
    const { ByteWriter, writeColumn } = this.#peers;
    const writer = new ByteWriter();
    const { chunk } = encode(() =>
      writeColumn({
        writer,
        column: {
          columnName: leaf.name,
          element: physicalElement(leaf),
          schemaPath: leaf.path.map((node) => node.element),
          codec,
          compressors: this.#compressors,
          stats: true,
          pageSize: PAGE_BYTES,
          columnIndex: false,
          offsetIndex: false,
          ...(encoding === undefined ? {} : { encoding }),
        },
        pageData: pageData as Parameters<typeof writeColumn>[0]["pageData"],
      }),
    );
    const meta = chunk.meta_data;
    if (meta === undefined) throw new Error("the writer gives no metadata");
    const start = this.#writer.offset;
    if (hasChecksums) appendWithChecksums(this.#writer, writer.getBytes(), this.#peers);
    else this.#writer.appendBytes(writer.getBytes());
    const added = BigInt(this.#writer.offset - start - writer.offset);
    const { statistics = {} } = meta;
    const bounds = boundsOf(leaf.element) === null ? {} : statistics;
    const { null_count = 0n } = statistics;
    this.#addChunk(leaf, codec, {
      encodings: meta.encodings,
      num_values: meta.num_values,
      total_uncompressed_size: meta.total_uncompressed_size + added,
      total_compressed_size: meta.total_compressed_size + added,
      data_page_offset: BigInt(start),
      // Booleans and the encodings that are kept have no dictionary.
      dictionary_page_offset: undefined,
      statistics: { ...bounds, null_count },
    });
    await this.#flush();
  }

  #addChunk(leaf: Leaf, codec: CompressionCodec, facts: ChunkFacts): void {
    const { constants, unconvertStatistics } = this.#peers;
    const { null_count, ...bounds } = facts.statistics;
    // An empty list would count as null, so columns with lists have no count of nulls.
    const statistics = leaf.maxRepetitionLevel === 0 ? { null_count, ...bounds } : bounds;
    const { dictionary_page_offset: dictionary } = facts;
    this.#chunks.push({
      field_2: dictionary ?? facts.data_page_offset,
      field_3: inOrder<RawChunkMeta>({
        field_1: constants.ParquetTypes.indexOf(leaf.element.type as "INT32"),
        field_2: facts.encodings.map((name) => constants.Encodings.indexOf(name as Encoding)),
        field_3: leaf.path.slice(1).map((node) => Buffer.from(node.element.name)),
        field_4: constants.CompressionCodecs.indexOf(codec),
        field_5: facts.num_values,
        field_6: facts.total_uncompressed_size,
        field_7: facts.total_compressed_size,
        field_9: facts.data_page_offset,
        ...(dictionary === undefined ? {} : { field_11: dictionary }),
        field_12: inOrder(
          copyBytes(unconvertStatistics(statistics as object, physicalElement(leaf))),
        ),
      }),
    });
  }

  /** Ends a row group. `sorting`: the columns by which its rows are sorted, if they are known. */
  endGroup(rows: number, sorting: RawGroup["field_4"]): void {
    const size = (id: "field_6" | "field_7"): bigint =>
      this.#chunks.reduce((sum, { field_3 }) => sum + (field_3?.[id] ?? 0n), 0n);
    this.#groups.push(
      inOrder({
        field_1: this.#chunks,
        field_2: size("field_6"),
        field_3: BigInt(rows),
        ...(sorting === undefined ? {} : { field_4: sorting }),
        field_5: BigInt(this.#groupStart),
        field_6: size("field_7"),
      }),
    );
    this.#rows += BigInt(rows);
    this.#chunks = [];
    this.#groupStart = this.#writer.offset;
  }

  /**
   * Writes the footer, with the schema and metadata of `source` and the row groups that were
   * written.
   */
  async finish(source: RawFooter): Promise<void> {
    const start = this.#writer.offset;
    this.#serialize(this.#writer, source, this.#groups);
    this.#writer.appendUint32(this.#writer.offset - start);
    this.#writer.appendBytes(MAGIC);
    await this.#flush();
  }

  /**
   * Throws if a footer cannot be written with the row groups since the last check, because they are
   * damaged.
   */
  check(source: RawFooter): void {
    this.#serialize(new this.#peers.ByteWriter(), source, this.#groups.slice(this.#checked));
    this.#checked = this.#groups.length;
  }

  #serialize(
    writer: InstanceType<ParquetPeers["ByteWriter"]>,
    source: RawFooter,
    groups: readonly RawGroup[],
  ): void {
    const { ThriftStruct, serializeTCompactProtocol } = this.#peers;
    const footer = inOrder({
      ...source,
      field_2: source.field_2.map((element) => withBytes(element, ThriftStruct)),
      field_3: this.#rows,
      field_4: groups,
    });
    serializeTCompactProtocol(writer, footer as object as RawStruct);
  }

  /** Writes the bytes that the package's writer holds. */
  async #flush(): Promise<void> {
    const bytes = this.#writer.getBytes();
    await this.#output.write(bytes);
    this.#writer.index = 0;
  }
}

/**
 * Returns a footer whose root has no repetition. It has no meaning there (parquet.thrift), but some writers give one, and
 * some readers take a repeated root for a list.
 */
export function withPlainRoot(footer: RawFooter): RawFooter {
  const [root, ...elements] = footer.field_2 as [RawElement, ...RawElement[]];
  const { field_3: _, ...plain } = root;
  return { ...footer, field_2: [plain as RawElement, ...elements] };
}

/** Returns a footer with a further column of text at its end, which may be null. */
export function withTextColumn(footer: RawFooter, name: string): RawFooter {
  const [root, ...elements] = footer.field_2 as [RawElement, ...RawElement[]];
  const column: RawElement = {
    field_1: 6, // BYTE_ARRAY
    field_3: OPTIONAL,
    field_4: Buffer.from(name),
    field_6: UTF8,
    field_10: { field_1: {} },
  };
  return {
    ...footer,
    field_2: [inOrder({ ...root, field_5: (root.field_5 ?? 0) + 1 }), ...elements, column],
    ...(footer.field_7 === undefined ? {} : { field_7: [...footer.field_7, { field_1: {} }] }),
  };
}

/** Copies the bytes of a struct, because a view would keep its whole page in memory. */
function copyBytes(struct: RawStruct): RawStruct {
  const fields = Object.entries(struct).map(([field, value]) => [
    field,
    value instanceof Uint8Array ? new Uint8Array(value) : value,
  ]);
  return Object.fromEntries(fields);
}

/** Lists the types that the writer takes in encodings that it does not choose by itself. */
const KEPT_ENCODINGS = {
  DELTA_BINARY_PACKED: ["INT32", "INT64"],
  DELTA_LENGTH_BYTE_ARRAY: ["BYTE_ARRAY"],
  DELTA_BYTE_ARRAY: ["BYTE_ARRAY"],
  BYTE_STREAM_SPLIT: ["FLOAT", "DOUBLE"],
} as const;

/** Names an encoding that values are written in again. */
export type KeptEncoding = keyof typeof KEPT_ENCODINGS;

/** Returns the encoding that the values had; undefined if it was PLAIN or a dictionary. */
export function encodingToKeep(
  names: readonly (string | undefined)[],
  { type }: SchemaElement,
): KeptEncoding | undefined {
  if (names.some((name) => name?.endsWith("_DICTIONARY"))) return undefined;
  const kept = Object.keys(KEPT_ENCODINGS) as KeptEncoding[];
  return kept.find(
    (name) => names.includes(name) && KEPT_ENCODINGS[name].some((taken) => taken === type),
  );
}

/**
 * Marks fields as one byte wide, which a JavaScript number cannot show: width of integers, version
 * of VARIANT.
 */
function withBytes(element: RawElement, ThriftStruct: ParquetPeers["ThriftStruct"]): RawElement {
  const { field_10: logical } = element;
  if (logical === undefined) return element;
  const typed: RawStruct = { ...logical };
  for (const id of ["field_10", "field_16"] as const) {
    const { field_1: byte, field_2: flag } = (logical[id] ?? {}) as {
      field_1?: number;
      field_2?: boolean;
    };
    if (byte === undefined) continue;
    typed[id] = new ThriftStruct([
      [1, BYTE, byte],
      ...(flag === undefined
        ? []
        : ([[2, flag ? TRUE : FALSE, flag]] as [number, number, boolean][])),
    ]);
  }
  return { ...element, field_10: typed };
}
