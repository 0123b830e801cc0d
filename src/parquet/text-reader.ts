import { UrlmillError } from "../base/errors.ts";
import type { Leaf } from "./leaf.ts";
import type { Page } from "./pages.ts";
import type { PlainValues } from "./plain-values.ts";
import { checkRows } from "./write/row-choice.ts";

/** Limits the bytes of a column. */
const MAX_BYTES = 0x7fffffff;

interface Source {
  readonly values: PlainValues;
  readonly first: number;
}

/** Holds a column of texts as its pages have them. If the file has a dictionary, each different text is here once. */
export class TextColumn {
  readonly pages: readonly Page[];
  readonly count: number;
  /** Holds the number of each row's text, or -1 for null. */
  readonly rows: Int32Array;
  /** Holds the definition level of each row; empty where the column is never null. */
  readonly levels: Uint8Array;
  readonly #sources: readonly Source[];

  constructor(
    pages: readonly Page[],
    sources: readonly Source[],
    rows: Int32Array,
    levels: Uint8Array,
  ) {
    const last = sources.at(-1);
    this.pages = pages;
    this.count = last === undefined ? 0 : last.first + last.values.count;
    this.rows = rows;
    this.levels = levels;
    this.#sources = sources;
  }

  textOf(text: number): Uint8Array {
    const { values, first } = this.#sources[this.#sourceOf(text)] as Source;
    const from = values.startOf(text - first) + values.prefix;
    return values.bytes.subarray(from, values.endOf(text - first));
  }

  /** Joins the texts from a number to another: the bytes, and the offset of each text and of the end. */
  slice(from: number, to: number): { data: Uint8Array; offsets: Int32Array } {
    const offsets = new Int32Array(to - from + 1);
    const parts = from === to ? [] : this.#partsOf(from, to);
    const data = new Uint8Array(parts.reduce((sum, part) => sum + part.bytes, 0));
    let text = 0;
    for (const { values, first, end } of parts) {
      values.copyContents(first, end, data, offsets.subarray(text));
      text += end - first;
    }
    return { data: data.subarray(0, offsets[text]), offsets };
  }

  /** Returns the values in which texts are, in order. */
  #partsOf(
    from: number,
    to: number,
  ): { values: PlainValues; first: number; end: number; bytes: number }[] {
    const sources = this.#sources.slice(this.#sourceOf(from), this.#sourceOf(to - 1) + 1);
    return sources.flatMap(({ values, first: base }) => {
      const first = Math.max(from - base, 0);
      const end = Math.min(to - base, values.count);
      return end > first
        ? [{ values, first, end, bytes: values.endOf(end - 1) - values.startOf(first) }]
        : [];
    });
  }

  /** Returns the last source whose first text is not after a text. */
  #sourceOf(text: number): number {
    let low = 0;
    for (let high = this.#sources.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((this.#sources[middle] as Source).first <= text) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Gathers the texts of a column of bytes without lists, page after page. */
export class TextReader {
  readonly #leaf: Leaf;
  readonly #rows: Int32Array;
  readonly #levels: Uint8Array;
  readonly #pages: Page[] = [];
  readonly #sources: Source[] = [];
  #dictionary: Source | null = null;
  #texts = 0;
  #row = 0;

  constructor(leaf: Leaf, rowCount: number) {
    this.#leaf = leaf;
    this.#rows = new Int32Array(rowCount);
    this.#levels = new Uint8Array(leaf.maxDefinitionLevel > 0 ? rowCount : 0);
  }

  /** Takes the next page. Throws if it has more rows than are left. */
  take(page: Page): void {
    const { entries, definitionLevels, numbers, values } = page;
    const { maxDefinitionLevel } = this.#leaf;
    const rows = this.#rows;
    const start = this.#row;
    checkRows(Math.max(start + entries, rows.length), rows.length);
    const first = this.#add(values, numbers !== null);
    this.#pages.push(page);
    this.#levels.set(definitionLevels, start);
    let value = 0;
    for (let entry = 0; entry < entries; entry++) {
      const isNull =
        maxDefinitionLevel > 0 && (definitionLevels[entry] as number) < maxDefinitionLevel;
      if (isNull) rows[start + entry] = -1;
      else {
        rows[start + entry] = first + (numbers === null ? value : (numbers[value] as number));
        value++;
      }
    }
    this.#row = start + entries;
  }

  /** Adds texts; returns the number of the first. A dictionary is added once. */
  #add(values: PlainValues, isDictionary: boolean): number {
    if (isDictionary && values === this.#dictionary?.values) return this.#dictionary.first;
    const source = { values, first: this.#texts };
    this.#sources.push(source);
    this.#texts += values.count;
    if (isDictionary) this.#dictionary = source;
    return source.first;
  }

  /** Ends the column. Throws if its pages had fewer rows, or `BATCH_TOO_LARGE` for more than 2 GiB of texts. */
  finish(): TextColumn {
    checkRows(this.#row, this.#rows.length);
    const bytes = this.#sources.reduce((sum, { values }) => sum + values.contentBytes, 0);
    if (bytes > MAX_BYTES) {
      throw new UrlmillError(
        "BATCH_TOO_LARGE",
        "a row group has more than 2 GiB of URLs; write the file with smaller row groups",
      );
    }
    return new TextColumn(this.#pages, this.#sources, this.#rows, this.#levels);
  }
}
