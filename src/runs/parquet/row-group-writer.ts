import type { CompressionCodec } from "hyparquet";
import { isError } from "../../base/status.ts";
import type { Column } from "../../engine/engine.ts";
import type { AddedColumn } from "../../formats/format.ts";
import { codecToWrite } from "../../parquet/codecs.ts";
import { findValueLeaf } from "../../parquet/comparable.ts";
import type { Entries } from "../../parquet/entries.ts";
import type { ParquetFile } from "../../parquet/input-file.ts";
import { countLeaf, type Leaf, textLeaf } from "../../parquet/leaf.ts";
import type { DecodedPage, Page } from "../../parquet/pages.ts";
import type { ParquetPeers } from "../../parquet/peers.ts";
import type { RawGroup } from "../../parquet/raw-footer.ts";
import type { TextColumn } from "../../parquet/text-reader.ts";
import type { PageForm } from "../../parquet/write/column-chunk-writer.ts";
import {
  encodingToKeep,
  type GroupOutput,
  type KeptEncoding,
  type WrittenGroup,
} from "../../parquet/write/group-output.ts";
import { PageTools } from "../../parquet/write/page-tools.ts";
import { decodedValues, plainValues, RowChoice, rowsOf } from "../../parquet/write/row-choice.ts";
import type { PreparedRun } from "../frame/prepare.ts";
import { type Chunk, GroupColumns, type ReadColumn } from "./group-columns.ts";
import type { NewRows } from "./new-rows.ts";
import { rowKeys } from "./row-keys.ts";
import type { UrlTexts } from "./url-texts.ts";
import { ValueColumn } from "./value-column.ts";

/** Names the column of keys that `--emit both` adds. */
export const KEY_COLUMN = "normalized_url" satisfies AddedColumn;
/** Names the column of `--count`. */
export const COUNT_COLUMN = "count" satisfies AddedColumn;

/** Says which values of a job are about what is written. */
type WritingJob = Pick<PreparedRun["job"], "emit" | "onError" | "field" | "form">;

/** Names a codec that cannot be used to compress here, and the one in its place. */
export interface ReplacedCodec {
  readonly codec: CompressionCodec;
  readonly written: CompressionCodec;
}

/**
 * Writes the output of row groups. Columns that lose no rows are copied as stored. From the others, the chosen values
 * are written again in their stored form.
 */
export class RowGroupWriter {
  readonly #columns: GroupColumns;
  readonly #peers: ParquetPeers;
  readonly #job: WritingJob;
  readonly #tools: PageTools;
  /** The codecs that cannot be used to compress here and were reported. */
  readonly #replaced = new Set<CompressionCodec>();
  readonly #pause: () => Promise<void>;
  readonly #onReplaced: (codec: ReplacedCodec) => void;

  /** Waits for `pause` before each page; a stop makes `pause` throw. */
  constructor(
    peers: ParquetPeers,
    job: WritingJob,
    pause: () => Promise<void>,
    onReplaced: (codec: ReplacedCodec) => void,
  ) {
    this.#pause = pause;
    this.#tools = new PageTools(peers);
    this.#peers = peers;
    this.#job = job;
    this.#columns = new GroupColumns(peers, job.field.field.name, pause);
    this.#onReplaced = onReplaced;
  }

  /** Reads the URLs of a row group. */
  readUrls(file: ParquetFile, group: number): Promise<TextColumn> {
    return file.working(`row group ${group + 1}`, () => this.#columns.readUrls(file, group));
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
        const chunk = this.#columns.chunk(file, group, leaf);
        for await (const page of this.#columns.readAndKeep(file, chunk)) {
          await this.#pause();
          chunk.reading(() => take(page));
        }
      }),
    );
  }

  /** Returns the value of each row of the row group whose URLs were read last, from a column of this name. */
  readValues(file: ParquetFile, group: number, column: string): Promise<Column> {
    return file.working(`row group ${group + 1}`, async () => {
      const leaf = findValueLeaf(file.leaves, column, file.name);
      const chunk = this.#columns.chunk(file, group, leaf);
      const values = new ValueColumn(leaf, chunk.facts.rowCount, this.#peers);
      for await (const page of this.#columns.readAndKeep(file, chunk)) {
        await this.#pause();
        chunk.reading(() => values.take(page));
      }
      return chunk.reading(() => values.end());
    });
  }

  /**
   * Writes all rows of a row group, or only the new ones, to the output that `begin` returns. Returns null if there is nothing
   * to write.
   */
  write(
    file: ParquetFile,
    group: number,
    urls: UrlTexts,
    found: NewRows | null,
    begin: (tools: PageTools) => Promise<GroupOutput>,
  ): Promise<WrittenGroup | null> {
    return file.working(`row group ${group + 1}`, async () => {
      if (found?.chosen === 0) return null;
      return this.#write(file, group, urls, found, await begin(this.#tools));
    });
  }

  async #write(
    file: ParquetFile,
    group: number,
    urls: UrlTexts,
    found: NewRows | null,
    output: GroupOutput,
  ): Promise<WrittenGroup> {
    const { emit, form } = this.#job;
    const rows = urls.column.rows.length;
    const chosen = found?.chosen ?? rows;
    const isChosen = chosen === rows ? null : (found?.isChosen ?? null);
    const chosenRows = isChosen === null ? new Int32Array(0) : rowsOf(isChosen);
    const urlLeaf = this.#columns.urlLeaf(file);
    const mayDiffer = form !== "url" || urls.changed > 0 || urls.firstError !== null;
    const isRewritten = emit === "normalized" && mayDiffer;
    for (const leaf of file.leaves) {
      const chunk = this.#columns.chunk(file, group, leaf);
      if (leaf === urlLeaf && isRewritten) {
        await this.#writeKeys(output, leaf, await this.#urlForm(file, chunk), urls, isChosen);
      } else if (isChosen === null) {
        await output.copy(chunk.meta, await this.#columns.stored(file, chunk));
      } else {
        const column = await this.#columns.read(file, chunk);
        await this.#chooseRows(output, chunk, column, new RowChoice(leaf, isChosen, chosenRows));
        if (leaf !== urlLeaf) this.#columns.release(leaf);
      }
    }
    if (emit === "both") {
      const pages = await this.#urlForm(file, this.#columns.chunk(file, group, urlLeaf));
      await this.#writeTexts(
        output,
        textLeaf(KEY_COLUMN, file.leaves),
        pages,
        urls,
        isChosen,
        null,
      );
    }
    if (found !== null && found.counts !== null) {
      const pages = await this.#urlForm(file, this.#columns.chunk(file, group, urlLeaf));
      const index = file.leaves.length + (emit === "both" ? 1 : 0);
      await writeCounts(output, countLeaf(COUNT_COLUMN, file.leaves, index), pages, found.counts);
    }
    const { field_4: sorting } = file.raw.field_4[group] as RawGroup;
    const mayBeUnsorted = isRewritten && sorting?.some(({ field_1 }) => field_1 === urlLeaf.index);
    return output.end(chosen, mayBeUnsorted === true ? undefined : sorting);
  }

  /** Returns how to write keys: as the URLs were. */
  async #urlForm(file: ParquetFile, chunk: Chunk): Promise<PageForm> {
    return this.#form(chunk, (await this.#columns.read(file, chunk)).hasChecksums);
  }

  async #chooseRows(
    output: GroupOutput,
    chunk: Chunk,
    { pages, hasChecksums }: ReadColumn,
    choice: RowChoice,
  ): Promise<void> {
    const { leaf, meta } = chunk;
    const form = this.#form(chunk, hasChecksums);
    const names = meta.field_2.map((encoding) => this.#peers.constants.Encodings[encoding]);
    const kept = encodingToKeep(names, leaf.element);
    if (kept !== undefined || leaf.element.type === "BOOLEAN") {
      return this.#writeDecoded(output, chunk, form, pages, choice, kept);
    }
    const writer = output.beginChunk(leaf, form);
    for (const page of pages) {
      await this.#pause();
      const entries = choice.choose(page);
      if (entries.entries === 0) continue;
      const isCoded = "numbers" in page && page.numbers !== null;
      const values = chunk.reading(() => plainValues(page, leaf, this.#peers));
      await (isCoded ? writer.addCoded(entries, values) : writer.addPlain(entries, values));
    }
    chunk.reading(() => choice.end());
    await output.endChunk(leaf, form, writer);
  }

  /**
   * Writes a column whose values must be decoded: booleans, and encodings in which values depend on their neighbours.
   */
  async #writeDecoded(
    output: GroupOutput,
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
    await output.writeDecoded(leaf, form, data, kept, chunk.reading);
  }

  /** Writes the column of URLs, with keys in place of the URLs. */
  #writeKeys(
    output: GroupOutput,
    leaf: Leaf,
    form: PageForm,
    urls: UrlTexts,
    isChosen: Uint8Array | null,
  ): Promise<void> {
    const isEmptied = this.#job.onError === "empty";
    const otherwise = (text: Uint8Array): Uint8Array => (isEmptied ? new Uint8Array(0) : text);
    return this.#writeTexts(output, leaf, form, urls, isChosen, otherwise);
  }

  /** Writes a column of keys. `otherwise` gives the key of a text that is not a URL. Without it, that key is null. */
  async #writeTexts(
    output: GroupOutput,
    leaf: Leaf,
    form: PageForm,
    urls: UrlTexts,
    isChosen: Uint8Array | null,
    otherwise: ((text: Uint8Array) => Uint8Array) | null,
  ): Promise<void> {
    const writer = output.beginChunk(leaf, form);
    const keys = urls.keyTexts(otherwise, this.#peers);
    for (const entries of keyEntries(urls, isChosen, leaf, otherwise === null)) {
      await this.#pause();
      await writer.addCoded(entries, keys);
    }
    await output.endChunk(leaf, form, writer);
  }

  /**
   * Returns how to write pages again: with the codec of the chunk, and with checksums if it has them. Reports once if
   * the codec must be another.
   */
  #form({ facts: { codec } }: Chunk, hasChecksums: boolean): PageForm {
    const written = codecToWrite(codec, this.#tools.compressors);
    if (written !== codec && !this.#replaced.has(codec)) {
      this.#replaced.add(codec);
      this.#onReplaced({ codec, written });
    }
    return { codec: written, hasChecksums };
  }
}

function writeCounts(
  output: GroupOutput,
  leaf: Leaf,
  form: PageForm,
  counts: Float64Array,
): Promise<void> {
  const values = Array.from(counts, BigInt);
  const data = { values, definitionLevels: [], repetitionLevels: [], maxDefinitionLevel: 0 };
  return output.writeDecoded(leaf, form, data, undefined, (write) => write());
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
