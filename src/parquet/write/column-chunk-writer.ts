import type { CompressionCodec } from "hyparquet";
import { type Bounds, boundsOf } from "../bounds.ts";
import type { PageCompressors } from "../codecs.ts";
import { countLevel, type Entries, joinEntries, mergeEqual, pagesOf, usedOf } from "../entries.ts";
import type { Leaf } from "../leaf.ts";
import { levelWidth } from "../page-runs.ts";
import type { ParquetPeers } from "../peers.ts";
import type { PlainValues } from "../plain-values.ts";
import { checksumOf } from "../stored-pages.ts";
import type { PageTools } from "./page-tools.ts";

/** A page ends when its values have this many bytes. */
const PAGE_BYTES = 1 << 20;

/** Limits the values of a dictionary to what a Map can hold. */
const MAX_VALUES = 1 << 24;

export interface PageForm {
  readonly codec: CompressionCodec;
  /** Whether the header of each page has a checksum. */
  readonly hasChecksums: boolean;
}

export interface WrittenChunk {
  readonly encodings: readonly string[];
  readonly entries: number;
  readonly nulls: number;
  readonly bounds: ReturnType<Bounds["result"]>;
  readonly inflatedBytes: number;
  /** Counts the bytes of the dictionary page before the data pages; 0 if there is none. */
  readonly dictionaryBytes: number;
}

/** Writes the pages of one chunk: values are copied as they are stored, in PLAIN or as numbers in a dictionary. */
export class ColumnChunkWriter {
  readonly #leaf: Leaf;
  readonly #form: PageForm;
  readonly #compressors: PageCompressors;
  readonly #peers: ParquetPeers;
  readonly #writer: InstanceType<ParquetPeers["ByteWriter"]>;
  /** Writes to the file what the package's writer holds. */
  readonly #flush: () => Promise<void>;
  readonly #encodings = new Set<string>();
  readonly #bounds: Bounds | null;
  /**
   * Holds entries whose values are not copied yet; `#dictionary` is the dictionary of these values.
   */
  #coded: Entries[] = [];
  #dictionary: PlainValues | null = null;
  /** Holds the entries of the page in progress; `#plain` holds its values in PLAIN. */
  #levels: Entries[] = [];
  readonly #plain: InstanceType<ParquetPeers["ByteWriter"]>;
  #entries = 0;
  #nulls = 0;
  #inflatedBytes = 0;
  #dictionaryBytes = 0;
  #hasPages = false;

  constructor(
    leaf: Leaf,
    form: PageForm,
    tools: PageTools,
    writer: InstanceType<ParquetPeers["ByteWriter"]>,
    flush: () => Promise<void>,
  ) {
    this.#leaf = leaf;
    this.#form = form;
    this.#compressors = tools.compressors;
    this.#peers = tools.peers;
    this.#writer = writer;
    this.#flush = flush;
    this.#plain = tools.values();
    this.#bounds = boundsOf(leaf.element);
  }

  /**
   * Adds entries whose values are numbers in a dictionary. The dictionary is written if that makes
   * the chunk smaller.
   */
  async addCoded(entries: Entries, dictionary: PlainValues): Promise<void> {
    if (this.#hasPages || this.#levels.length > 0) return this.addPlain(entries, dictionary);
    if (this.#dictionary !== null && this.#dictionary !== dictionary) await this.#endCoded();
    if (this.#hasPages || this.#levels.length > 0) return this.addPlain(entries, dictionary);
    this.#dictionary = dictionary;
    this.#coded.push(entries);
  }

  async addPlain(entries: Entries, values: PlainValues): Promise<void> {
    await this.#endCoded();
    // A row, which may be a list, is never divided between pages.
    const [repetition = 0] = entries.repetitionLevels;
    if (this.#plain.index >= PAGE_BYTES && repetition === 0) await this.#endPlain();
    const { numbers } = entries;
    values.appendTo(this.#plain, numbers);
    this.#bounds?.take(values, numbers);
    this.#levels.push(entries);
  }

  async finish(): Promise<WrittenChunk> {
    await this.#endCoded();
    await this.#endPlain();
    return {
      encodings: [...this.#encodings],
      entries: this.#entries,
      nulls: this.#nulls,
      bounds: this.#bounds?.result() ?? {},
      inflatedBytes: this.#inflatedBytes,
      dictionaryBytes: this.#dictionaryBytes,
    };
  }

  async #endPlain(): Promise<void> {
    if (this.#levels.length === 0) return;
    const entries = joinEntries(this.#levels);
    this.#levels = [];
    await this.#writePage("PLAIN", this.#plain.getBytes(), entries);
    this.#plain.index = 0;
  }

  /** Writes the coded values and the used part of the dictionary. Writes PLAIN instead if that is not larger. */
  async #endCoded(): Promise<void> {
    const dictionary = this.#dictionary;
    if (dictionary === null) return;
    const coded = joinEntries(this.#coded);
    this.#coded = [];
    this.#dictionary = null;
    const { numbers } = coded;
    const all = usedOf(numbers, dictionary.count);
    const codedBytes =
      dictionary.bytesOf(all.used) + Math.ceil((numbers.length * widthOf(all.used)) / 8);
    if (codedBytes >= dictionary.bytesOf(numbers) || all.used.length > MAX_VALUES) {
      for (const page of pagesOf(coded, this.#leaf)) await this.addPlain(page, dictionary);
      return;
    }
    const { used, codes } = mergeEqual(all, dictionary);
    const width = widthOf(used);
    this.#bounds?.take(dictionary, used);
    this.#writeDictionary(dictionary, used);
    for (const page of pagesOf({ ...coded, numbers: codes }, this.#leaf)) {
      const content = new this.#peers.ByteWriter();
      content.appendUint8(width);
      this.#peers.writeRleBitPackedHybrid(content, page.numbers, width);
      await this.#writePage("RLE_DICTIONARY", content.getBytes(), page);
    }
  }

  #writeDictionary(dictionary: PlainValues, used: Int32Array): void {
    const values = new this.#peers.ByteWriter();
    dictionary.appendTo(values, used);
    const content = values.getBytes();
    const before = this.#writer.offset;
    this.#encodings.add("PLAIN");
    this.#append(content, [], (compressed_page_size) => ({
      type: "DICTIONARY_PAGE",
      uncompressed_page_size: content.length,
      compressed_page_size,
      dictionary_page_header: { num_values: used.length, encoding: "PLAIN" },
    }));
    this.#dictionaryBytes = this.#writer.offset - before;
  }

  async #writePage(
    encoding: "PLAIN" | "RLE_DICTIONARY",
    content: Uint8Array,
    { entries, definitionLevels, repetitionLevels, numbers }: Entries,
  ): Promise<void> {
    const { maxDefinitionLevel, maxRepetitionLevel } = this.#leaf;
    const repetitions = this.#encodeLevels(repetitionLevels, maxRepetitionLevel);
    const definitions = this.#encodeLevels(definitionLevels, maxDefinitionLevel);
    const levelBytes = repetitions.length + definitions.length;
    const nulls = entries - numbers.length;
    const rows = maxRepetitionLevel === 0 ? entries : countLevel(repetitionLevels, 0);
    this.#encodings.add(encoding);
    this.#hasPages = true;
    this.#entries += entries;
    this.#nulls += nulls;
    this.#append(content, [repetitions, definitions], (compressedBytes) => ({
      type: "DATA_PAGE_V2",
      uncompressed_page_size: levelBytes + content.length,
      compressed_page_size: levelBytes + compressedBytes,
      data_page_header_v2: {
        num_values: entries,
        num_nulls: nulls,
        num_rows: rows,
        encoding,
        definition_levels_byte_length: definitions.length,
        repetition_levels_byte_length: repetitions.length,
        is_compressed: true,
      },
    }));
    await this.#flush();
  }

  /** Appends a page: a header, levels, and the content, which is compressed. */
  #append(
    content: Uint8Array,
    levels: readonly Uint8Array[],
    header: (compressedBytes: number) => Parameters<ParquetPeers["writePageHeader"]>[1],
  ): void {
    const writer = this.#writer;
    const { codec, hasChecksums } = this.#form;
    const compressed = this.#compressors[codec]?.(content) ?? content;
    const before = writer.offset;
    const crc = hasChecksums ? { crc: checksumOf(...levels, compressed) } : {};
    this.#peers.writePageHeader(writer, { ...header(compressed.length), ...crc });
    for (const bytes of levels) writer.appendBytes(bytes);
    this.#inflatedBytes += writer.offset - before + content.length;
    writer.appendBytes(compressed);
  }

  #encodeLevels(levels: Uint8Array, most: number): Uint8Array {
    const writer = new this.#peers.ByteWriter();
    if (most === 0) return writer.getBytes();
    if (most < 256 && isOneLevel(levels)) {
      writer.appendVarInt(2 * levels.length);
      writer.appendUint8(levels[0] as number);
    } else {
      this.#peers.writeRleBitPackedHybrid(writer, levels, levelWidth(most));
    }
    return writer.getBytes();
  }
}

/** Returns whether levels are all the same, so that they are one run. */
function isOneLevel(levels: Uint8Array): boolean {
  const [first] = levels;
  for (let at = 1; at < levels.length; at++) if (levels[at] !== first) return false;
  return first !== undefined;
}

/** Counts the bits of a code of such values. */
function widthOf(used: Int32Array): number {
  return 32 - Math.clz32(Math.max(0, used.length - 1));
}
