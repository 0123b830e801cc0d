import type { CompressionCodec, Encoding, SchemaElement, Statistics } from "hyparquet";
import { boundsOf } from "../bounds.ts";
import { chunkStart, type Leaf, physicalElement } from "../leaf.ts";
import type { ParquetPeers } from "../peers.ts";
import {
  inOrder,
  type RawChunk,
  type RawChunkMeta,
  type RawGroup,
  type RawStruct,
} from "../raw-footer.ts";
import { appendWithChecksums } from "../stored-pages.ts";
import { ColumnChunkWriter, type PageForm } from "./column-chunk-writer.ts";
import type { PageTools } from "./page-tools.ts";

const PAGE_BYTES = 1 << 20;

/** Holds the values of a chunk as the package's writer takes them. */
export interface ChunkValues {
  /** Holds a value or null for each level. */
  readonly values: unknown[];
  readonly definitionLevels: number[];
  readonly repetitionLevels: number[];
  readonly maxDefinitionLevel: number;
}

interface ChunkFacts {
  readonly encodings: readonly string[];
  readonly num_values: bigint;
  readonly total_uncompressed_size: bigint;
  readonly total_compressed_size: bigint;
  readonly data_page_offset: bigint;
  readonly dictionary_page_offset: bigint | undefined;
  readonly statistics: Statistics;
}

/** Holds a row group as a footer describes it, and the bytes of all its chunks. */
export interface WrittenGroup {
  readonly group: RawGroup;
  readonly bytes: number;
}

/** Takes bytes in order. They may be written over after each call. */
export interface ByteOutput {
  write(bytes: Uint8Array): Promise<void>;
}

/** Writes the chunks of one row group; a column at a time is in memory. */
export class GroupOutput {
  readonly #output: ByteOutput;
  readonly #tools: PageTools;
  readonly #writer: InstanceType<ParquetPeers["ByteWriter"]>;
  readonly #chunks: RawChunk[] = [];
  readonly #start: number;
  #chunkStart = 0;

  /** `start`: the offset in the file at which the row group begins, which is not 0: no chunk is there. */
  constructor(output: ByteOutput, start: number, tools: PageTools) {
    this.#output = output;
    this.#tools = tools;
    this.#start = start;
    this.#writer = tools.pagesFrom(start);
  }

  /** Writes the next chunk as it is stored in another file. */
  async copy(meta: RawChunkMeta, bytes: Uint8Array): Promise<void> {
    await this.#flush();
    const start = this.#writer.offset;
    const shift = BigInt(start - chunkStart(meta));
    // Page indexes and Bloom filters stay in the other file, and geometry's bounds are not needed to read.
    const { field_14: _, field_15: __, field_17: ___, ...kept } = meta;
    const placed = moved(kept as RawChunkMeta, shift);
    this.#chunks.push({ field_2: BigInt(start), field_3: inOrder(placed) });
    this.#writer.offset += bytes.length;
    await this.#output.write(bytes);
  }

  /** Begins a chunk whose values are copied as they are stored. Call `endChunk` when it is finished. */
  beginChunk(leaf: Leaf, form: PageForm): ColumnChunkWriter {
    this.#chunkStart = this.#writer.offset;
    const flush = (): Promise<void> => this.#flush();
    return new ColumnChunkWriter(leaf, form, this.#tools, this.#writer, flush);
  }

  async endChunk(leaf: Leaf, { codec }: PageForm, writer: ColumnChunkWriter): Promise<void> {
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
    const { ByteWriter, writeColumn } = this.#tools.peers;
    const writer = new ByteWriter();
    const { chunk } = encode(() =>
      writeColumn({
        writer,
        column: {
          columnName: leaf.name,
          element: physicalElement(leaf),
          schemaPath: leaf.path.map((node) => node.element),
          codec,
          compressors: this.#tools.compressors,
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
    if (hasChecksums) appendWithChecksums(this.#writer, writer.getBytes(), this.#tools.peers);
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
    const { constants, unconvertStatistics } = this.#tools.peers;
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

  /** Ends the row group. `sorting`: the columns by which its rows are sorted, if they are known. */
  end(rows: number, sorting: RawGroup["field_4"]): WrittenGroup {
    const size = (id: "field_6" | "field_7"): bigint =>
      this.#chunks.reduce((sum, { field_3 }) => sum + (field_3?.[id] ?? 0n), 0n);
    const group = inOrder<RawGroup>({
      field_1: this.#chunks,
      field_2: size("field_6"),
      field_3: BigInt(rows),
      ...(sorting === undefined ? {} : { field_4: sorting }),
      field_5: BigInt(this.#start),
      field_6: size("field_7"),
    });
    return { group, bytes: this.#writer.offset - this.#start };
  }

  /** Writes the bytes that the package's writer holds. */
  async #flush(): Promise<void> {
    const bytes = this.#writer.getBytes();
    await this.#output.write(bytes);
    this.#writer.index = 0;
  }
}

/** Returns the metadata of a chunk that is moved by so many bytes. */
function moved(meta: RawChunkMeta, shift: bigint): RawChunkMeta {
  const { field_9: data, field_10: index, field_11: dictionary } = meta;
  return {
    ...meta,
    field_9: data + shift,
    ...(index === undefined ? {} : { field_10: index + shift }),
    ...(dictionary === undefined || dictionary === 0n ? {} : { field_11: dictionary + shift }),
  };
}

/** Returns a row group that is moved to another offset in its file. */
export function movedGroup({ group, bytes }: WrittenGroup, to: number): WrittenGroup {
  const { field_1: chunks, field_5: start = 0n } = group;
  const shift = BigInt(to) - start;
  const moves = chunks.map(({ field_2: place = 0n, field_3: meta, ...rest }) => ({
    ...rest,
    field_2: place + shift,
    field_3: moved(meta as RawChunkMeta, shift),
  }));
  return { group: { ...group, field_1: moves, field_5: BigInt(to) }, bytes };
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
