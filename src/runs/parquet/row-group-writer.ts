import type { CompressionCodec, Compressors } from "hyparquet";
import { isError } from "../../base/status.ts";
import { say } from "../../io/say.ts";
import { chunkName, chunkStart } from "../../parquet/chunk-place.ts";
import {
  codecToWrite,
  compressorsOf,
  decompressorsOf,
  type PageCompressors,
} from "../../parquet/codecs.ts";
import type { Entries } from "../../parquet/entries.ts";
import type { ParquetFile } from "../../parquet/input-file.ts";
import { findTextLeaf, type Leaf, textLeaf } from "../../parquet/leaf.ts";
import { type ChunkFacts, type DecodedPage, type Page, PageReader } from "../../parquet/pages.ts";
import type { ParquetPeers } from "../../parquet/peers.ts";
import type { RawChunkMeta, RawFooter, RawGroup } from "../../parquet/raw-footer.ts";
import { hasChecksums } from "../../parquet/stored-pages.ts";
import { type TextColumn, TextReader } from "../../parquet/text-reader.ts";
import {
  decodedValues,
  plainPage,
  plainValues,
  RowChoice,
} from "../../parquet/write/chosen-rows.ts";
import type { PageForm } from "../../parquet/write/chunk-writer.ts";
import {
  type ByteOutput,
  encodingToKeep,
  type KeptEncoding,
  ParquetOutput,
  withPlainRoot,
  withTextColumn,
} from "../../parquet/write/output-file.ts";
import type { CommandOptions } from "../options.ts";
import type { NewRows } from "./new-rows.ts";
import { rowKeys } from "./row-keys.ts";
import type { UrlTexts } from "./url-texts.ts";

/** Names the column of keys that `--emit both` adds. */
export const KEY_COLUMN = "normalized_url";

/**
 * Writes the output of row groups. Columns that lose no rows are copied as stored. From the others, the chosen values
 * are written again in their stored form.
 */
export class RowGroupWriter {
  readonly #output: ParquetOutput;
  readonly #peers: ParquetPeers;
  readonly #options: Pick<CommandOptions, "emit" | "onError" | "field" | "form">;
  readonly #compressors: PageCompressors;
  readonly #decompressors: Compressors;
  /** The codecs that cannot be used to compress here and were reported. */
  readonly #replaced = new Set<CompressionCodec>();
  /** The footer of the first file, with a column for the keys if one is added. */
  #footer: RawFooter | null = null;
  /** The chunk of URLs of the row group, as stored. */
  #stored: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** The columns of the row group whose pages are needed again: that of the URLs, and others while there is room. */
  readonly #kept = new Map<Leaf, ReadColumn>();
  /** How many bytes other columns may still take. */
  #room = 0;
  readonly #pause: () => Promise<void>;

  /** Waits for `pause` before each page; a stop makes `pause` throw. */
  constructor(
    output: ByteOutput,
    peers: ParquetPeers,
    options: Pick<CommandOptions, "emit" | "onError" | "field" | "form">,
    pause: () => Promise<void>,
  ) {
    this.#pause = pause;
    this.#compressors = compressorsOf(peers);
    this.#decompressors = decompressorsOf(peers);
    this.#output = new ParquetOutput(output, peers, this.#compressors);
    this.#peers = peers;
    this.#options = options;
  }

  /** Returns the number of bytes written so far. */
  get bytes(): number {
    return this.#output.bytes;
  }

  /** Begins a file. The first file gives the schema and metadata of the output. */
  begin(file: ParquetFile): void {
    if (this.#footer !== null) return;
    const isKeyed = this.#options.emit === "both";
    const raw = withPlainRoot(file.raw);
    this.#footer = isKeyed ? withTextColumn(raw, KEY_COLUMN) : raw;
    this.#check(file);
  }

  /** Ends a file. Throws an IoError if its written metadata is not valid in a footer. */
  end(file: ParquetFile): void {
    this.#check(file);
  }

  /** Checks the footer entries added since the last call. If one is wrong, its file is damaged. */
  #check(file: ParquetFile): void {
    try {
      this.#output.check(this.#footer as RawFooter);
    } catch (error) {
      throw file.damaged(`its footer: ${(error as Error).message}`);
    }
  }

  /** Reads the URLs of a row group. */
  readUrls(file: ParquetFile, group: number): Promise<TextColumn> {
    return file.working(`row group ${group + 1}`, async () => {
      const leaf = this.#urlLeaf(file);
      const chunk = this.#chunk(file, group, leaf);
      const bytes = await file.readChunk(chunk.meta);
      this.#stored = bytes;
      const texts = new TextReader(leaf, chunk.facts.rowCount);
      for (const page of this.#pages(chunk, bytes)) {
        await this.#pause();
        chunk.reading(() => texts.take(plainPage(page, leaf, this.#peers)));
      }
      const column = chunk.reading(() => texts.finish());
      this.#room = KEPT_BYTES;
      this.#kept.clear();
      this.#kept.set(leaf, { pages: column.pages, hasChecksums: this.#hasChecksums(chunk, bytes) });
      return column;
    });
  }

  /** Returns fingerprints of whole rows of the row group whose URLs were read last: of those that are marked with 1. */
  readRows(
    file: ParquetFile,
    group: number,
    isMarked: Uint8Array,
    key: Uint8Array,
  ): Promise<Uint8Array> {
    return file.working(`row group ${group + 1}`, () =>
      rowKeys(file, isMarked, key, this.#peers, async (leaf, take) => {
        const chunk = this.#chunk(file, group, leaf);
        const column = this.#keep(chunk, await this.#read(file, chunk));
        for (const page of column) {
          await this.#pause();
          chunk.reading(() => take(page));
        }
      }),
    );
  }

  /** Yields the pages of a column, and keeps them if there is room. Pages with decoded values take too much. */
  *#keep(
    { leaf, facts }: Chunk,
    { pages, hasChecksums }: ReadColumn,
  ): Generator<Page | DecodedPage> {
    const size = sizeOf(facts);
    let keeps = !this.#kept.has(leaf) && size <= this.#room;
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

  /** Writes all rows of a row group, or only the new ones. */
  write(file: ParquetFile, group: number, urls: UrlTexts, found: NewRows | null): Promise<void> {
    return file.working(`row group ${group + 1}`, () => this.#write(file, group, urls, found));
  }

  async #write(
    file: ParquetFile,
    group: number,
    urls: UrlTexts,
    found: NewRows | null,
  ): Promise<void> {
    const { emit, form } = this.#options;
    const rows = urls.column.rows.length;
    const chosen = found?.chosen ?? rows;
    if (chosen === 0) return;
    const isChosen = chosen === rows ? null : (found?.isChosen ?? null);
    const urlLeaf = this.#urlLeaf(file);
    const mayDiffer = form !== "url" || urls.changed > 0 || urls.firstError !== null;
    const isRewritten = emit === "normalized" && mayDiffer;
    for (const leaf of file.leaves) {
      const chunk = this.#chunk(file, group, leaf);
      if (leaf === urlLeaf && isRewritten) {
        await this.#writeKeys(leaf, await this.#urlForm(file, chunk), urls, isChosen);
      } else if (isChosen === null) {
        await this.#copyColumn(file, chunk, leaf === urlLeaf);
      } else {
        await this.#chooseRows(chunk, await this.#read(file, chunk), isChosen);
        if (leaf !== urlLeaf) this.#kept.delete(leaf);
      }
    }
    if (emit === "both") {
      const pages = await this.#urlForm(file, this.#chunk(file, group, urlLeaf));
      await this.#writeTexts(textLeaf(KEY_COLUMN, file.leaves), pages, urls, isChosen, null);
    }
    const { field_4: sorting } = file.raw.field_4[group] as RawGroup;
    const mayBeUnsorted = isRewritten && sorting?.some(({ field_1 }) => field_1 === urlLeaf.index);
    this.#output.endGroup(chosen, mayBeUnsorted === true ? undefined : sorting);
  }

  finish(): Promise<void> {
    return this.#output.finish(this.#footer as RawFooter);
  }

  /** Returns how to write keys: as the URLs were. */
  async #urlForm(file: ParquetFile, chunk: Chunk): Promise<PageForm> {
    return this.#form(chunk, (await this.#read(file, chunk)).hasChecksums);
  }

  /** Copies a column as it is stored. The URLs were read before; the pages of other columns are only walked over. */
  async #copyColumn(file: ParquetFile, chunk: Chunk, isUrls: boolean): Promise<void> {
    const bytes = isUrls ? this.#stored : await file.readChunk(chunk.meta);
    if (!isUrls) chunk.reading(() => this.#reader(chunk).check(bytes));
    await this.#output.copy(chunk.meta, bytes);
  }

  async #chooseRows(
    chunk: Chunk,
    { pages, hasChecksums }: ReadColumn,
    isChosen: Uint8Array,
  ): Promise<void> {
    const { leaf, meta } = chunk;
    const form = this.#form(chunk, hasChecksums);
    const names = meta.field_2.map((encoding) => this.#peers.constants.Encodings[encoding]);
    const kept = encodingToKeep(names, leaf.element);
    const choice = new RowChoice(leaf, isChosen);
    if (kept !== undefined || leaf.element.type === "BOOLEAN") {
      return this.#writeDecoded(chunk, form, pages, choice, kept);
    }
    const writer = this.#output.beginChunk(leaf, form);
    for (const page of pages) {
      await this.#pause();
      const entries = choice.choose(page);
      if (entries.entries === 0) continue;
      const isCoded = "numbers" in page && page.numbers !== null;
      const values = chunk.reading(() => plainValues(page, leaf, this.#peers));
      await (isCoded ? writer.addCoded(entries, values) : writer.addPlain(entries, values));
    }
    chunk.reading(() => choice.end());
    await this.#output.endChunk(leaf, form, writer);
  }

  /**
   * Writes a column whose values must be decoded: booleans, and encodings in which values depend on their neighbours.
   */
  async #writeDecoded(
    chunk: Chunk,
    form: PageForm,
    pages: Iterable<Page | DecodedPage>,
    choice: RowChoice,
    kept: KeptEncoding | undefined,
  ): Promise<void> {
    const { leaf } = chunk;
    const { maxDefinitionLevel } = leaf;
    const values: unknown[] = [];
    const definitionLevels: number[] = [];
    const repetitionLevels: number[] = [];
    for (const page of pages) {
      await this.#pause();
      const chosen = choice.choose(page);
      const decoded = chunk.reading(() => decodedValues(page, leaf, this.#peers));
      let value = 0;
      for (let entry = 0; entry < chosen.entries; entry++) {
        const level = chosen.definitionLevels[entry] ?? maxDefinitionLevel;
        const isValue = level === maxDefinitionLevel;
        values.push(isValue ? decoded[chosen.numbers[value++] as number] : null);
        if (maxDefinitionLevel > 0) definitionLevels.push(level);
      }
      for (const level of chosen.repetitionLevels) repetitionLevels.push(level);
    }
    chunk.reading(() => choice.end());
    const data = { values, definitionLevels, repetitionLevels, maxDefinitionLevel };
    // A damaged file can have values that a column cannot hold.
    await this.#output.writeDecoded(leaf, form, data, kept, chunk.reading);
  }

  /** Writes the column of URLs, with keys in place of the URLs. */
  #writeKeys(
    leaf: Leaf,
    form: PageForm,
    urls: UrlTexts,
    isChosen: Uint8Array | null,
  ): Promise<void> {
    const isEmptied = this.#options.onError === "empty";
    const otherwise = (text: Uint8Array): Uint8Array => (isEmptied ? new Uint8Array(0) : text);
    return this.#writeTexts(leaf, form, urls, isChosen, otherwise);
  }

  /** Writes a column of keys. `otherwise` gives the key of a text that is not a URL. Without it, that key is null. */
  async #writeTexts(
    leaf: Leaf,
    form: PageForm,
    urls: UrlTexts,
    isChosen: Uint8Array | null,
    otherwise: ((text: Uint8Array) => Uint8Array) | null,
  ): Promise<void> {
    const writer = this.#output.beginChunk(leaf, form);
    const keys = urls.keyTexts(otherwise, this.#peers);
    for (const entries of keyEntries(urls, isChosen, leaf, otherwise === null)) {
      await this.#pause();
      await writer.addCoded(entries, keys);
    }
    await this.#output.endChunk(leaf, form, writer);
  }

  #reader({ leaf, facts }: Chunk): PageReader {
    return new PageReader(leaf, facts, this.#decompressors, this.#peers);
  }

  /** Reads a column, unless its pages were kept. */
  async #read(file: ParquetFile, chunk: Chunk): Promise<ReadColumn> {
    const kept = this.#kept.get(chunk.leaf);
    if (kept !== undefined) return kept;
    const bytes = await file.readChunk(chunk.meta);
    return { pages: this.#pages(chunk, bytes), hasChecksums: this.#hasChecksums(chunk, bytes) };
  }

  #hasChecksums({ reading }: Chunk, bytes: Uint8Array<ArrayBuffer>): boolean {
    return reading(() => hasChecksums(bytes, this.#peers));
  }

  *#pages(chunk: Chunk, bytes: Uint8Array<ArrayBuffer>): Generator<Page | DecodedPage> {
    const pages = this.#reader(chunk).read(bytes);
    for (;;) {
      const next = chunk.reading(() => pages.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  #urlLeaf(file: ParquetFile): Leaf {
    return findTextLeaf(file.leaves, this.#options.field.field.name, file.name);
  }

  /** Returns a chunk as the footer describes it. Throws an IoError if it cannot be read. */
  #chunk(file: ParquetFile, group: number, leaf: Leaf): Chunk {
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

  /**
   * Returns how to write pages again: with the codec of the chunk, and with checksums if it has them. Reports once if
   * the codec must be another.
   */
  #form({ facts: { codec } }: Chunk, hasChecksums: boolean): PageForm {
    const written = codecToWrite(codec, this.#compressors);
    if (written !== codec && !this.#replaced.has(codec)) {
      this.#replaced.add(codec);
      say(
        `columns in ${codec} are written in ${written}: this Node does not compress with ${codec}`,
      );
    }
    return { codec: written, hasChecksums };
  }
}

/** Holds a chunk as the footer describes it. */
interface Chunk {
  readonly leaf: Leaf;
  readonly meta: RawChunkMeta;
  readonly facts: ChunkFacts;
  /** Calls what reads its pages. Any error that damage makes it throw becomes an IoError. */
  readonly reading: <T>(read: () => T) => T;
}

/** Holds the pages of a column, and whether they have checksums. */
interface ReadColumn {
  readonly pages: Iterable<Page | DecodedPage>;
  readonly hasChecksums: boolean;
}

/** Limits the bytes of pages that are kept while whole rows are compared. */
const KEPT_BYTES = 1 << 26;
/** How many bytes an entry of a page takes besides its value: its level, its place, its number. */
const ENTRY_BYTES = 9;

function sizeOf({ inflatedBytes, valueCount }: ChunkFacts): number {
  return inflatedBytes + ENTRY_BYTES * valueCount;
}

/** The number of rows of keys to pass on at a time. */
const KEY_ROWS = 1 << 16;

/**
 * Yields the entries of a column of keys, several rows at a time. `nullsErrors`: says whether texts that are not URLs
 * become null.
 */
function* keyEntries(
  { column, status }: UrlTexts,
  isChosen: Uint8Array | null,
  { maxDefinitionLevel }: Leaf,
  nullsErrors: boolean,
): Generator<Entries> {
  const { rows, levels } = column;
  for (let from = 0; from < rows.length; from += KEY_ROWS) {
    const to = Math.min(from + KEY_ROWS, rows.length);
    const numbers = new Int32Array(to - from);
    const definitions = new Uint8Array(maxDefinitionLevel > 0 ? to - from : 0);
    let entries = 0;
    let values = 0;
    for (let row = from; row < to; row++) {
      if (isChosen !== null && isChosen[row] !== 1) continue;
      const text = rows[row] as number;
      const isValue = text >= 0 && !(nullsErrors && isError(status[text] as number));
      if (isValue) numbers[values++] = text;
      if (maxDefinitionLevel > 0) {
        const level = nullsErrors ? 0 : (levels[row] as number);
        definitions[entries] = isValue ? maxDefinitionLevel : level;
      }
      entries++;
    }
    if (entries === 0) continue;
    yield {
      entries,
      definitionLevels: definitions.subarray(0, entries),
      repetitionLevels: new Uint8Array(0),
      numbers: numbers.subarray(0, values),
    };
  }
}
