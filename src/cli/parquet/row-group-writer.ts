import type { CompressionCodec, Compressors } from "hyparquet";
import { say } from "../../io/say.ts";
import { chooseRows, readTexts, type TextColumn } from "../../parquet/chosen-rows.ts";
import { codecToWrite, compressorsOf, decompressorsOf } from "../../parquet/codecs.ts";
import type { ParquetFile } from "../../parquet/input-file.ts";
import { findTextLeaf, type Leaf, textLeaf } from "../../parquet/leaf.ts";
import {
  type ByteOutput,
  type PageCompressors,
  ParquetOutput,
  withTextColumn,
} from "../../parquet/output-file.ts";
import { readPages } from "../../parquet/pages.ts";
import type { ParquetPeers } from "../../parquet/peers.ts";
import type { RawChunkMeta, RawFooter, RawGroup } from "../../parquet/raw-footer.ts";
import type { CommandOptions } from "../options.ts";
import type { NewRows } from "./new-rows.ts";
import type { UrlTexts } from "./url-texts.ts";

/** Names the column of keys that `--emit both` adds. */
export const KEY_COLUMN = "urlkey";

/**
 * Writes what becomes of row groups. Columns that lose no rows pass as they are stored; of the others, the chosen values
 * are written again, as they are stored.
 */
export class RowGroupWriter {
  readonly #output: ParquetOutput;
  readonly #peers: ParquetPeers;
  readonly #options: Pick<CommandOptions, "emit" | "onError" | "field" | "form">;
  readonly #compressors: PageCompressors;
  readonly #decompressors: Compressors;
  /** Codecs that nothing here compresses with, once they were told. */
  readonly #replaced = new Set<CompressionCodec>();
  /** The footer of the first file, with a column for the keys where one is added. */
  #footer: RawFooter | null = null;
  /** The chunk of URLs of the row group, as it is stored. */
  #stored: Uint8Array = new Uint8Array(0);

  constructor(
    output: ByteOutput,
    peers: ParquetPeers,
    options: Pick<CommandOptions, "emit" | "onError" | "field" | "form">,
  ) {
    this.#compressors = compressorsOf(peers);
    this.#decompressors = decompressorsOf(peers);
    this.#output = new ParquetOutput(output, peers, this.#compressors);
    this.#peers = peers;
    this.#options = options;
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#output.bytes;
  }

  /** Begins with a file; the first one's schema and metadata are those of the output. */
  begin(file: ParquetFile): void {
    if (this.#footer !== null) return;
    const isKeyed = this.#options.emit === "both";
    this.#footer = isKeyed ? withTextColumn(file.raw, KEY_COLUMN) : file.raw;
    this.#check(file);
  }

  /** Ends a file. Throws an IoError where what is written of it cannot stand in a footer. */
  end(file: ParquetFile): void {
    this.#check(file);
  }

  /** Checks what came into the footer since the last call: the file it came from is the damaged one. */
  #check(file: ParquetFile): void {
    try {
      this.#output.check(this.#footer as RawFooter);
    } catch (error) {
      throw file.damaged(`its footer: ${(error as Error).message}`);
    }
  }

  /** Reads the URLs of a row group. */
  readUrls(file: ParquetFile, group: number): Promise<TextColumn> {
    return file.working(async () => {
      const leaf = this.#urlLeaf(file);
      const { meta, rows } = chunkOf(file, group, leaf);
      const bytes = await file.readChunk(meta);
      this.#stored = bytes;
      return file.reading(leaf, () => readTexts(this.#pages(bytes, leaf, meta), leaf, rows));
    });
  }

  /** Writes a row group: all rows, or those that are new. */
  write(file: ParquetFile, group: number, urls: UrlTexts, found: NewRows | null): Promise<void> {
    return file.working(() => this.#write(file, group, urls, found));
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
      const { meta } = chunkOf(file, group, leaf);
      if (leaf === urlLeaf && isRewritten) {
        await this.#writeKeys(leaf, meta, urls, isChosen);
      } else {
        await this.#passColumn(file, leaf, meta, isChosen, leaf === urlLeaf ? this.#stored : null);
      }
    }
    if (emit === "both") {
      const { meta } = chunkOf(file, group, urlLeaf);
      const codec = this.#codec(meta);
      const values = keyValues(urls, isChosen);
      const definitionLevels = values.map((value) => (value === null ? 0 : 1));
      const pageData = { values, definitionLevels, repetitionLevels: [], maxDefinitionLevel: 1 };
      await this.#output.write(textLeaf(KEY_COLUMN, file.leaves), codec, pageData);
    }
    const { field_4: sorting } = file.raw.field_4[group] as RawGroup;
    const mayBeUnsorted = isRewritten && sorting?.some(({ field_1 }) => field_1 === urlLeaf.index);
    this.#output.endGroup(chosen, mayBeUnsorted === true ? undefined : sorting);
  }

  finish(): Promise<void> {
    return this.#output.finish(this.#footer as RawFooter);
  }

  async #passColumn(
    file: ParquetFile,
    leaf: Leaf,
    meta: RawChunkMeta,
    isChosen: Uint8Array | null,
    stored: Uint8Array | null,
  ): Promise<void> {
    const bytes = (stored as Uint8Array<ArrayBuffer> | null) ?? (await file.readChunk(meta));
    if (isChosen === null) return this.#output.copy(meta, bytes);
    const values = file.reading(leaf, () =>
      chooseRows(this.#pages(bytes, leaf, meta), leaf, isChosen),
    );
    // A damaged file can have values that no column holds.
    const encode = <T>(work: () => T): T => file.reading(leaf, work);
    await this.#output.write(leaf, this.#codec(meta), values, meta.field_2, encode);
  }

  /** Writes the column of URLs with keys in their place. */
  async #writeKeys(
    leaf: Leaf,
    meta: RawChunkMeta,
    urls: UrlTexts,
    isChosen: Uint8Array | null,
  ): Promise<void> {
    const { levels } = urls.column;
    const { maxDefinitionLevel } = leaf;
    const isEmptied = this.#options.onError === "empty";
    const values = keyValues(urls, isChosen, (row) => {
      const text = urls.textOf(row);
      return text !== null && isEmptied ? new Uint8Array(0) : text;
    });
    const definitionLevels =
      isChosen === null ? levels : levels.filter((_, row) => isChosen[row] === 1);
    const pageData = { values, definitionLevels, repetitionLevels: [], maxDefinitionLevel };
    await this.#output.write(leaf, this.#codec(meta), pageData, meta.field_2);
  }

  #pages(bytes: Uint8Array<ArrayBuffer>, leaf: Leaf, meta: RawChunkMeta) {
    const facts = {
      codec: this.#codecOf(meta),
      valueCount: Number(meta.field_5),
      inflatedBytes: Number(meta.field_6),
    };
    return readPages(bytes, leaf, facts, this.#decompressors, this.#peers);
  }

  #urlLeaf(file: ParquetFile): Leaf {
    return findTextLeaf(file.leaves, this.#options.field.field.name, file.name);
  }

  #codecOf(meta: RawChunkMeta): CompressionCodec {
    return this.#peers.constants.CompressionCodecs[meta.field_4] as CompressionCodec;
  }

  /** The codec to write with; says once where it is not that of the input. */
  #codec(meta: RawChunkMeta): CompressionCodec {
    const codec = this.#codecOf(meta);
    const written = codecToWrite(codec, this.#compressors);
    if (written !== codec && !this.#replaced.has(codec)) {
      this.#replaced.add(codec);
      say(
        `columns in ${codec} are written in ${written}: this Node does not compress with ${codec}`,
      );
    }
    return written;
  }
}

/** The key of each row that is written; `otherwise` gives what a row without one gets. */
function keyValues(
  urls: UrlTexts,
  isChosen: Uint8Array | null,
  otherwise: (row: number) => Uint8Array | null = () => null,
): (Uint8Array | null)[] {
  const { rows, texts } = urls.column;
  const made = new Array<Uint8Array | undefined>(texts.length);
  const values: (Uint8Array | null)[] = [];
  for (let row = 0; row < rows.length; row++) {
    if (isChosen !== null && isChosen[row] !== 1) continue;
    if (urls.codeOf(row) !== null) {
      values.push(otherwise(row));
      continue;
    }
    const text = rows[row] as number;
    made[text] ??= urls.keyOf(text);
    values.push(made[text] as Uint8Array);
  }
  return values;
}

function chunkOf(
  file: ParquetFile,
  group: number,
  leaf: Leaf,
): { meta: RawChunkMeta; rows: number } {
  const { field_1: chunks, field_3: rows } = file.raw.field_4[group] as RawGroup;
  return { meta: file.metaOf(chunks[leaf.index], leaf), rows: Number(rows) };
}
