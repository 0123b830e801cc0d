import type { Compressors } from "hyparquet";
import { decompressorsOf } from "../../parquet/codecs.ts";
import type { ParquetFile } from "../../parquet/input-file.ts";
import { chunkName, chunkStart, findTextLeaf, type Leaf } from "../../parquet/leaf.ts";
import { Arena } from "../../parquet/memory/arena.ts";
import { type ChunkFacts, type DecodedPage, type Page, PageReader } from "../../parquet/pages.ts";
import type { ParquetPeers } from "../../parquet/peers.ts";
import type { RawChunkMeta, RawGroup } from "../../parquet/raw-footer.ts";
import { hasChecksums } from "../../parquet/stored-pages.ts";
import { type TextColumn, TextReader } from "../../parquet/text-reader.ts";
import { plainPage } from "../../parquet/write/row-choice.ts";

/** Limits the bytes of pages that are kept while whole rows are compared. */
const KEPT_BYTES = 1 << 26;
/** How many bytes an entry of a page takes besides its value: its level, its place, its number. */
const ENTRY_BYTES = 9;

/** Holds a chunk as the footer describes it. */
export interface Chunk {
  readonly leaf: Leaf;
  readonly meta: RawChunkMeta;
  readonly facts: ChunkFacts;
  /** Calls what reads its pages. Any error that damage makes it throw becomes an IoError. */
  readonly reading: <T>(read: () => T) => T;
}

/** Holds memory for pages, and functions that decompress them to it. */
class PageMemory {
  readonly arena = new Arena();
  readonly decompressors: Compressors;

  constructor(peers: ParquetPeers) {
    this.decompressors = decompressorsOf(peers, (length) => this.arena.take(length));
  }
}

/** Holds the pages of a column, and whether they have checksums. */
export interface ReadColumn {
  readonly pages: Iterable<Page | DecodedPage>;
  readonly hasChecksums: boolean;
}

/** Reads the columns of one row group after the other. Keeps pages that are needed again. */
export class GroupColumns {
  readonly #peers: ParquetPeers;
  /** Holds what is needed as long as the row group: the URLs, and columns that are kept. */
  readonly #groupMemory: PageMemory;
  /** Holds a column that is read once, until the next one is read. */
  readonly #columnMemory: PageMemory;
  readonly #urlColumn: string;
  readonly #pause: () => Promise<void>;
  /** The chunk of URLs of the row group, as stored. */
  #stored: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** The columns of the row group whose pages are needed again: that of the URLs, and others while there is room. */
  readonly #kept = new Map<Leaf, ReadColumn>();
  /** How many bytes other columns may still take. */
  #room = 0;

  /** `urlColumn`: the name of the column of URLs. Waits for `pause` before each page. */
  constructor(peers: ParquetPeers, urlColumn: string, pause: () => Promise<void>) {
    this.#peers = peers;
    this.#groupMemory = new PageMemory(peers);
    this.#columnMemory = new PageMemory(peers);
    this.#urlColumn = urlColumn;
    this.#pause = pause;
  }

  /** Reads the URLs of a row group, which is the one that the other methods read from then on. */
  async readUrls(file: ParquetFile, group: number): Promise<TextColumn> {
    const leaf = this.urlLeaf(file);
    const chunk = this.chunk(file, group, leaf);
    const memory = this.#groupMemory;
    this.#kept.clear();
    memory.arena.reset();
    const bytes = await file.readChunk(chunk.meta, memory.arena);
    this.#stored = bytes;
    const texts = new TextReader(leaf, chunk.facts.rowCount);
    for (const page of this.#pages(chunk, bytes, memory)) {
      await this.#pause();
      chunk.reading(() => texts.take(plainPage(page, leaf, this.#peers)));
    }
    const column = chunk.reading(() => texts.finish());
    this.#room = KEPT_BYTES;
    this.#kept.set(leaf, { pages: column.pages, hasChecksums: this.#hasChecksums(chunk, bytes) });
    return column;
  }

  /** Yields the pages of a column. Keeps them if there is room. Pages with decoded values take too much. */
  async *readAndKeep(file: ParquetFile, chunk: Chunk): AsyncGenerator<Page | DecodedPage> {
    const { leaf, facts } = chunk;
    const size = sizeOf(facts);
    const known = this.#kept.get(leaf);
    let keeps = known === undefined && size <= this.#room;
    const { pages, hasChecksums } =
      known ?? (await this.#read(file, chunk, keeps ? this.#groupMemory : this.#nextColumn()));
    const kept: Page[] = [];
    for (const page of pages) {
      yield page;
      if ("decoded" in page) keeps = false;
      else if (keeps) kept.push(page);
    }
    if (!keeps) return;
    this.#room -= size;
    this.#kept.set(leaf, { pages: kept, hasChecksums });
  }

  /** Returns a column as it is stored. The URLs were read before; the pages of other columns are only walked over. */
  async stored(file: ParquetFile, chunk: Chunk): Promise<Uint8Array<ArrayBuffer>> {
    if (chunk.leaf === this.urlLeaf(file)) return this.#stored;
    const memory = this.#nextColumn();
    const bytes = await file.readChunk(chunk.meta, memory.arena);
    chunk.reading(() => this.#reader(chunk, memory).check(bytes));
    return bytes;
  }

  /** Forgets the pages of a column that is not needed again. */
  release(leaf: Leaf): void {
    this.#kept.delete(leaf);
  }

  #reader({ leaf, facts }: Chunk, { decompressors }: PageMemory): PageReader {
    return new PageReader(leaf, facts, decompressors, this.#peers);
  }

  /** Reads a column, unless its pages were kept. They are void when the next column is read. */
  async read(file: ParquetFile, chunk: Chunk): Promise<ReadColumn> {
    return this.#kept.get(chunk.leaf) ?? (await this.#read(file, chunk, this.#nextColumn()));
  }

  async #read(file: ParquetFile, chunk: Chunk, memory: PageMemory): Promise<ReadColumn> {
    const bytes = await file.readChunk(chunk.meta, memory.arena);
    const isChecked = this.#hasChecksums(chunk, bytes);
    return { pages: this.#pages(chunk, bytes, memory), hasChecksums: isChecked };
  }

  /** Returns the memory for the next column, which voids the last one. */
  #nextColumn(): PageMemory {
    this.#columnMemory.arena.reset();
    return this.#columnMemory;
  }

  #hasChecksums({ reading }: Chunk, bytes: Uint8Array<ArrayBuffer>): boolean {
    return reading(() => hasChecksums(bytes, this.#peers));
  }

  *#pages(
    chunk: Chunk,
    bytes: Uint8Array<ArrayBuffer>,
    memory: PageMemory,
  ): Generator<Page | DecodedPage> {
    const pages = this.#reader(chunk, memory).read(bytes);
    for (;;) {
      const next = chunk.reading(() => pages.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  urlLeaf(file: ParquetFile): Leaf {
    return findTextLeaf(file.leaves, this.#urlColumn, file.name);
  }

  /** Returns a chunk as the footer describes it. Throws an IoError if it cannot be read. */
  chunk(file: ParquetFile, group: number, leaf: Leaf): Chunk {
    const { field_1: chunks, field_3: rows } = file.raw.field_4[group] as RawGroup;
    const meta = file.metaOf(chunks[leaf.index], leaf);
    const name = chunkName(leaf, group);
    const codec = this.#peers.constants.CompressionCodecs[meta.field_4];
    if (codec === undefined) throw file.damaged(`${name}: the codec ${meta.field_4} is not known`);
    const facts = {
      codec,
      valueCount: Number(meta.field_5),
      rowCount: Number(rows),
      inflatedBytes: Number(meta.field_6),
      dataOffset: Number(meta.field_9) - chunkStart(meta),
      maxDefinitionLevel: leaf.maxDefinitionLevel,
      maxRepetitionLevel: leaf.maxRepetitionLevel,
    };
    return { leaf, meta, facts, reading: (read) => file.reading(name, read) };
  }
}

function sizeOf({ inflatedBytes, valueCount }: ChunkFacts): number {
  return inflatedBytes + ENTRY_BYTES * valueCount;
}
