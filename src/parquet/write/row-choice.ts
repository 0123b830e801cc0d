import type { DecodedArray } from "hyparquet";
import type { Entries } from "../entries.ts";
import { type Leaf, physicalElement } from "../leaf.ts";
import type { DecodedPage, Page } from "../pages.ts";
import type { ParquetPeers } from "../peers.ts";
import { PlainValues } from "../plain-values.ts";

/** Chooses rows of a column, page after page: those whose byte in `isChosen` is 1. */
export class RowChoice {
  readonly #leaf: Leaf;
  readonly #isChosen: Uint8Array;
  readonly #rows: Int32Array;
  /** The row of the entry that was seen last. */
  #row = -1;

  /** `rows`: what `rowsOf` returns for `isChosen`. */
  constructor(leaf: Leaf, isChosen: Uint8Array, rows: Int32Array) {
    this.#leaf = leaf;
    this.#isChosen = isChosen;
    this.#rows = rows;
  }

  /** Returns the chosen entries of the next page; numbers are among its values, or among those of its dictionary. */
  choose(page: Page | DecodedPage): Entries {
    return hasValuesAlone(page) ? this.#chooseValues(page) : this.#chooseEntries(page);
  }

  #chooseValues({ entries, definitionLevels, repetitionLevels, numbers: known }: Page): Entries {
    const first = this.#row + 1;
    const from = this.#placeOf(first);
    const numbers = this.#rows.slice(from, this.#placeOf(first + entries));
    const chosen = numbers.length;
    for (let at = 0; at < chosen; at++) {
      const number = (numbers[at] as number) - first;
      numbers[at] = known === null ? number : (known[number] as number);
    }
    this.#row += entries;
    return {
      entries: chosen,
      definitionLevels: definitionLevels.subarray(0, chosen), // they are all the same
      repetitionLevels,
      numbers,
    };
  }

  /** Counts the chosen rows before a row. */
  #placeOf(row: number): number {
    let low = 0;
    for (let high = this.#rows.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle] as number) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #chooseEntries(page: Page | DecodedPage): Entries {
    const { entries, definitionLevels, repetitionLevels } = page;
    const { maxDefinitionLevel } = this.#leaf;
    const isChosen = this.#isChosen;
    const known = "numbers" in page ? page.numbers : null;
    const hasNulls = definitionLevels.length > 0;
    const hasLists = repetitionLevels.length > 0;
    const numbers = new Int32Array(entries);
    const definitions = new Uint8Array(definitionLevels.length);
    const repetitions = new Uint8Array(repetitionLevels.length);
    let chosen = 0;
    let value = 0;
    let chosenValues = 0;
    let row = this.#row;
    for (let entry = 0; entry < entries; entry++) {
      if (!hasLists || repetitionLevels[entry] === 0) row++;
      const isValue = !hasNulls || definitionLevels[entry] === maxDefinitionLevel;
      if (isChosen[row] === 1) {
        if (hasNulls) definitions[chosen] = definitionLevels[entry] as number;
        if (hasLists) repetitions[chosen] = repetitionLevels[entry] as number;
        chosen++;
        if (isValue) numbers[chosenValues++] = known === null ? value : (known[value] as number);
      }
      if (isValue) value++;
    }
    this.#row = row;
    return {
      entries: chosen,
      definitionLevels: definitions.subarray(0, hasNulls ? chosen : 0),
      repetitionLevels: repetitions.subarray(0, hasLists ? chosen : 0),
      numbers: numbers.subarray(0, chosenValues),
    };
  }

  /** Ends the column. Throws if its pages did not have the rows of the row group. */
  end(): void {
    checkRows(this.#row + 1, this.#isChosen.length);
  }
}

/** Returns the rows whose byte is 1, in order. */
export function rowsOf(isChosen: Uint8Array): Int32Array {
  const rows = new Int32Array(isChosen.length);
  let count = 0;
  for (let row = 0; row < isChosen.length; row++) {
    rows[count] = row;
    count += isChosen[row] as number;
  }
  return rows.subarray(0, count);
}

/** Returns the values of a page in PLAIN. */
export function plainValues(
  page: Page | DecodedPage,
  leaf: Leaf,
  { ByteWriter, writePlain }: ParquetPeers,
): PlainValues {
  if (!("decoded" in page)) return page.values;
  const { type, type_length } = physicalElement(leaf);
  const writer = new ByteWriter();
  writePlain(writer, page.decoded, type as "BYTE_ARRAY", type_length);
  return PlainValues.read(
    writer.getBytes(),
    page.decoded.length,
    type as "BYTE_ARRAY",
    type_length,
  );
}

/** Returns whether a page has neither nulls nor lists. */
function hasValuesAlone(page: Page | DecodedPage): page is Page {
  if ("decoded" in page || page.repetitionLevels.length > 0) return false;
  return (page.numbers?.length ?? page.values.count) === page.entries;
}

/** Returns a page with its values in PLAIN. */
export function plainPage(page: Page | DecodedPage, leaf: Leaf, peers: ParquetPeers): Page {
  if (!("decoded" in page)) return page;
  const { entries, definitionLevels, repetitionLevels } = page;
  const values = plainValues(page, leaf, peers);
  return { entries, definitionLevels, repetitionLevels, values, numbers: null };
}

/** Returns the values of a page, or those of its dictionary, decoded one by one. */
export function decodedValues(
  page: Page | DecodedPage,
  leaf: Leaf,
  { readPlain }: ParquetPeers,
): DecodedArray {
  if ("decoded" in page) return page.decoded;
  const { bytes, count } = page.values;
  const { type, type_length } = physicalElement(leaf);
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
  return readPlain(reader, type as "BYTE_ARRAY", count, type_length);
}

/** Throws if a column does not have as many rows as its row group. */
export function checkRows(rows: number, expected: number): void {
  if (rows !== expected) throw new Error(`it has ${rows} rows where ${expected} belong`);
}
