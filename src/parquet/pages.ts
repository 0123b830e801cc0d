import type { CompressionCodec, Compressors, DecodedArray } from "hyparquet";
import type { ColumnDecoder, PageHeader } from "hyparquet/src/types.js";
import { countLevel } from "./entries.ts";
import { type Leaf, physicalElement } from "./leaf.ts";
import { checkLevelRunsV2, checkRunsV1, checkValueRuns, levelWidth } from "./page-runs.ts";
import type { ParquetPeers } from "./peers.ts";
import { PlainValues } from "./plain-values.ts";
import { atPage, type ChunkCounts, type StoredPage, storedPages } from "./stored-pages.ts";

/** Holds the values of a data page, and where nulls and lists are. */
export interface Page {
  /** Counts values and nulls. */
  readonly entries: number;
  /** Holds a level for each value or null; empty where the column is never null. */
  readonly definitionLevels: Uint8Array;
  /** Holds a level for each value or null; empty where the column has no lists. */
  readonly repetitionLevels: Uint8Array;
  /** Holds the values, or those of the dictionary. */
  readonly values: PlainValues;
  /**
   * Holds the number in the dictionary of each entry that is not null; null if the page has no
   * dictionary.
   */
  readonly numbers: Int32Array | null;
}

/** Holds the values of a data page that are decoded one by one, because they are neither PLAIN nor in a dictionary. */
export interface DecodedPage
  extends Pick<Page, "entries" | "definitionLevels" | "repetitionLevels"> {
  readonly decoded: DecodedArray;
}

/** Holds what the footer says of a chunk. */
export interface ChunkFacts extends ChunkCounts {
  readonly codec: CompressionCodec;
}

/** Holds a page that is not compressed any more: its levels and its values, each as they are stored. */
interface RawPage {
  readonly entries: number;
  readonly encoding: string;
  readonly repetitions: Uint8Array;
  readonly definitions: Uint8Array;
  readonly values: Uint8Array;
}

export class PageReader {
  readonly #leaf: Leaf;
  readonly #facts: ChunkFacts;
  readonly #compressors: Compressors;
  readonly #peers: ParquetPeers;
  #dictionary: PlainValues | null = null;

  constructor(leaf: Leaf, facts: ChunkFacts, compressors: Compressors, peers: ParquetPeers) {
    this.#leaf = leaf;
    this.#facts = facts;
    this.#compressors = compressors;
    this.#peers = peers;
  }

  /** Reads the data pages, one after the other. */
  *read(bytes: Uint8Array<ArrayBuffer>): Generator<Page | DecodedPage> {
    for (const stored of storedPages(bytes, this.#facts, this.#peers)) {
      const page = this.#read(stored);
      if (page !== null) yield page;
    }
  }

  /**
   * Walks over all pages as `storedPages` does, and decodes the first data page alone: a wrong codec or level in the
   * footer would pass otherwise.
   */
  check(bytes: Uint8Array<ArrayBuffer>): void {
    let isFirst = true;
    for (const page of storedPages(bytes, this.#facts, this.#peers)) {
      if (isFirst && this.#decodes(page.header)) isFirst = this.#read(page) === null;
    }
  }

  /** Returns whether the levels of a page can be decoded. */
  #decodes({ data_page_header: v1 }: PageHeader): boolean {
    const { maxDefinitionLevel, maxRepetitionLevel } = this.#leaf;
    // Writers name BIT_PACKED for levels that are not there.
    return !(
      (maxDefinitionLevel > 0 && v1?.definition_level_encoding === "BIT_PACKED") ||
      (maxRepetitionLevel > 0 && v1?.repetition_level_encoding === "BIT_PACKED")
    );
  }

  /** Reads a page. Returns null if it is not a data page. */
  #read({ header, content, name }: StoredPage): Page | DecodedPage | null {
    const { dictionary_page_header: first, uncompressed_page_size } = header;
    if (header.type === "INDEX_PAGE") return null;
    if (first === undefined)
      return atPage(name, () => this.#decode(this.#rawPage(content, header)));
    // It may have more values than its chunk: some writers write one for several row groups.
    this.#dictionary = atPage(name, () =>
      this.#plain(this.#inflate(content, uncompressed_page_size), first.num_values),
    );
    return null;
  }

  #rawPage(content: Uint8Array, header: PageHeader): RawPage {
    const { data_page_header: v1, data_page_header_v2: v2, uncompressed_page_size } = header;
    const { maxDefinitionLevel, maxRepetitionLevel } = this.#leaf;
    if (v1 !== undefined) {
      if (!this.#decodes(header)) throw new Error("its levels are in BIT_PACKED");
      const page = this.#inflate(content, uncompressed_page_size);
      const { num_values: entries, encoding } = v1;
      // A page of no values may have no levels, not even their lengths.
      if (entries === 0 && page.length === 0) {
        return { entries, encoding, repetitions: page, definitions: page, values: page };
      }
      checkRunsV1(page, v1, this.#leaf);
      const [repetitions, afterRepetitions] = sized(page, 0, maxRepetitionLevel);
      const [definitions, at] = sized(page, afterRepetitions, maxDefinitionLevel);
      return { entries, encoding, repetitions, definitions, values: page.subarray(at) };
    }
    if (v2 === undefined) throw new Error(`it is of the kind ${header.type}`);
    checkLevelRunsV2(content, v2, this.#leaf);
    const repetitionBytes = v2.repetition_levels_byte_length;
    const levels = repetitionBytes + v2.definition_levels_byte_length;
    const stored = content.subarray(levels);
    // A page of nulls alone may have no values to inflate.
    const isInflated = v2.is_compressed === false || stored.length === 0;
    const values = isInflated ? stored : this.#inflate(stored, uncompressed_page_size - levels);
    checkValueRuns(values, v2.encoding, v2.num_values);
    return {
      entries: v2.num_values,
      encoding: v2.encoding,
      repetitions: content.subarray(0, repetitionBytes),
      definitions: content.subarray(repetitionBytes, levels),
      values,
    };
  }

  #decode(page: RawPage): Page | DecodedPage {
    const { entries, encoding, values } = page;
    const { maxDefinitionLevel, maxRepetitionLevel } = this.#leaf;
    const repetitionLevels = this.#levels(page.repetitions, maxRepetitionLevel, entries);
    const isWhole = isOneRun(page.definitions, maxDefinitionLevel, entries);
    const definitionLevels = isWhole
      ? new Uint8Array(maxDefinitionLevel === 0 ? 0 : entries).fill(maxDefinitionLevel)
      : this.#levels(page.definitions, maxDefinitionLevel, entries);
    const count = isWhole ? entries : countLevel(definitionLevels, maxDefinitionLevel);
    const levels = { entries, definitionLevels, repetitionLevels };
    if (encoding === "RLE_DICTIONARY" || encoding === "PLAIN_DICTIONARY") {
      if (this.#dictionary === null) throw new Error("its dictionary is missing");
      return { ...levels, values: this.#dictionary, numbers: this.#numbers(values, count) };
    }
    if (encoding === "PLAIN" && this.#leaf.element.type !== "BOOLEAN") {
      return { ...levels, values: this.#plain(values, count), numbers: null };
    }
    return { ...levels, decoded: this.#decoded(values, encoding, count) };
  }

  #levels(bytes: Uint8Array, most: number, count: number): Uint8Array {
    const levels = new Uint8Array(most === 0 ? 0 : count);
    if (most === 0 || count === 0) return levels;
    this.#peers.readRleBitPackedHybrid(readerOf(bytes), levelWidth(most), levels, bytes.length);
    for (let at = 0; at < count; at++) {
      const level = levels[at] as number;
      if (level > most) throw new Error(`a level is ${level} where ${most} is the highest`);
    }
    return levels;
  }

  #numbers(bytes: Uint8Array, count: number): Int32Array {
    const numbers = new Int32Array(count);
    if (count === 0) return numbers;
    const [width] = bytes;
    if (width === undefined) throw new Error("it has fewer values than it says");
    const reader = readerOf(bytes.subarray(1));
    if (width > 0) this.#peers.readRleBitPackedHybrid(reader, width, numbers, bytes.length - 1);
    const known = (this.#dictionary as PlainValues).count;
    for (let at = 0; at < count; at++) {
      const number = numbers[at] as number;
      if (number < 0 || number >= known) throw new Error("a value is not in the dictionary");
    }
    return numbers;
  }

  /** Lets the package decode values of any other encoding, as a page without levels. */
  #decoded(values: Uint8Array, encoding: string, count: number): DecodedArray {
    // Writers leave out the head of an encoding where there is nothing to encode.
    if (count === 0) return [];
    const element = { ...physicalElement(this.#leaf), repetition_type: "REQUIRED" as const };
    const decoder = { type: element.type, element, schemaPath: [] } as unknown as ColumnDecoder;
    const header = { num_values: count, encoding } as Parameters<ParquetPeers["readDataPage"]>[1];
    const { dataPage } = this.#peers.readDataPage(values, header, decoder);
    if (dataPage.length < count) throw new Error("it has fewer values than it says");
    return dataPage;
  }

  #plain(bytes: Uint8Array, count: number): PlainValues {
    const { type, type_length } = physicalElement(this.#leaf);
    if (type === undefined) throw new Error("it has no type");
    return PlainValues.read(bytes, count, type, type_length);
  }

  #inflate(content: Uint8Array, length: number): Uint8Array {
    return this.#peers.decompressPage(content, length, this.#facts.codec, this.#compressors);
  }
}

/**
 * Returns the levels of a page of version 1, which come after their length, and the offset of their
 * end.
 */
function sized(page: Uint8Array, at: number, most: number): [levels: Uint8Array, end: number] {
  if (most === 0) return [page.subarray(0, 0), at];
  const { view } = readerOf(page);
  const from = at + 4;
  const end = from + view.getUint32(at, true);
  if (end > page.length) throw new Error("its levels are not within it");
  return [page.subarray(from, end), end];
}

/** Returns whether levels are one run of the highest, as in a page without nulls, or absent. */
function isOneRun(levels: Uint8Array, most: number, count: number): boolean {
  if (most === 0) return true;
  let header = 0;
  let at = 0;
  for (let scale = 1; at < levels.length; scale *= 128) {
    const byte = levels[at++] as number;
    header += (byte & 0x7f) * scale;
    if (byte < 0x80) break;
  }
  return header % 2 === 0 && header / 2 >= count && levels[at] === most;
}

function readerOf(bytes: Uint8Array): { view: DataView; offset: number } {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
}
