import { UrlmillError } from "../base/errors.ts";
import type { Leaf } from "./leaf.ts";
import type { Page } from "./pages.ts";
import type { PlainValues } from "./plain-values.ts";
import { checkRows, type TextColumn } from "./write/chosen-rows.ts";

/** Limits the bytes of a column. */
const MAX_BYTES = 0x7fffffff;

/** Gathers the texts of a column of bytes without lists, page after page. */
export class TextReader {
  readonly #leaf: Leaf;
  readonly #rows: Int32Array;
  readonly #levels: Uint8Array;
  /** Lists the values that texts are taken from. */
  readonly #sources: PlainValues[] = [];
  #dictionary: PlainValues | null = null;
  /** Gives the number of the dictionary's first text. */
  #base = 0;
  #texts = 0;
  #row = 0;

  constructor(leaf: Leaf, rowCount: number) {
    this.#leaf = leaf;
    this.#rows = new Int32Array(rowCount);
    this.#levels = new Uint8Array(leaf.maxDefinitionLevel > 0 ? rowCount : 0);
  }

  /** Takes the next page. Throws if it has more rows than are left. */
  take({ entries, definitionLevels, numbers, values }: Omit<Page, "repetitionLevels">): void {
    const { maxDefinitionLevel } = this.#leaf;
    const rows = this.#rows;
    checkRows(Math.max(this.#row + entries, rows.length), rows.length);
    const first = this.#add(values, numbers !== null);
    this.#levels.set(definitionLevels, this.#row);
    let value = 0;
    for (let entry = 0; entry < entries; entry++) {
      const isNull =
        maxDefinitionLevel > 0 && (definitionLevels[entry] as number) < maxDefinitionLevel;
      if (isNull) rows[this.#row++] = -1;
      else {
        rows[this.#row++] = first + (numbers === null ? value : (numbers[value] as number));
        value++;
      }
    }
  }

  /** Adds texts; returns the number of the first. A dictionary is added once. */
  #add(values: PlainValues, isDictionary: boolean): number {
    if (isDictionary && values === this.#dictionary) return this.#base;
    const first = this.#texts;
    this.#sources.push(values);
    this.#texts += values.count;
    if (isDictionary) {
      this.#dictionary = values;
      this.#base = first;
    }
    return first;
  }

  /** Ends the column. Throws if its pages had fewer rows, or `BATCH_TOO_LARGE` for more than 2 GiB of texts. */
  finish(): TextColumn {
    checkRows(this.#row, this.#rows.length);
    const bytes = this.#sources.reduce((sum, { contentBytes }) => sum + contentBytes, 0);
    if (bytes > MAX_BYTES) {
      throw new UrlmillError(
        "BATCH_TOO_LARGE",
        "a row group has more than 2 GiB of URLs; write the file with smaller row groups",
      );
    }
    const data = new Uint8Array(this.#sources.reduce((sum, { bytes }) => sum + bytes.length, 0));
    const offsets = new Int32Array(this.#texts + 1);
    let length = 0;
    let text = 0;
    for (const values of this.#sources) {
      // Texts move down in place, over the lengths between them, which takes half the time of
      // another copy.
      data.set(values.bytes, length);
      const shift = length + values.prefix;
      for (let at = 0; at < values.count; at++) {
        const from = shift + values.startOf(at);
        const to = shift + values.endOf(at) - values.prefix;
        data.copyWithin(length, from, to);
        length += to - from;
        offsets[++text] = length;
      }
    }
    return { data: data.subarray(0, length), offsets, rows: this.#rows, levels: this.#levels };
  }
}
