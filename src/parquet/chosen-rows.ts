import type { DecodedArray } from "hyparquet";
import type { Leaf } from "./leaf.ts";
import type { Page } from "./pages.ts";

/** Holds the values of a chunk as the writer takes them. */
export interface ChunkValues {
  /** A value or null for each level. */
  readonly values: unknown[];
  readonly definitionLevels: number[];
  readonly repetitionLevels: number[];
  readonly maxDefinitionLevel: number;
}

/** Gathers the values of those rows whose byte in `isChosen` is 1. Throws where the pages have other rows. */
export function chooseRows(pages: Iterable<Page>, leaf: Leaf, isChosen: Uint8Array): ChunkValues {
  const { maxDefinitionLevel, maxRepetitionLevel } = leaf;
  const values: unknown[] = [];
  const levels: number[] = [];
  const repetitionLevels: number[] = [];
  let row = -1;
  for (const page of pages) {
    const entries = entriesOf(page);
    let at = 0;
    for (let entry = 0; entry < entries; entry++) {
      const repetition = maxRepetitionLevel === 0 ? 0 : (page.repetitionLevels[entry] as number);
      if (repetition === 0) row++;
      const level = levelAt(page, entry, maxDefinitionLevel);
      const isValue = level === maxDefinitionLevel;
      if (isChosen[row] === 1) {
        values.push(isValue ? valueAt(page, at) : null);
        if (maxDefinitionLevel > 0) levels.push(level);
        if (maxRepetitionLevel > 0) repetitionLevels.push(repetition);
      }
      if (isValue) at++;
    }
  }
  checkRows(row + 1, isChosen.length);
  return { values, definitionLevels: levels, repetitionLevels, maxDefinitionLevel };
}

/** Holds a column of texts: each different one once where the file has a dictionary. */
export interface TextColumn {
  readonly texts: Uint8Array[];
  /** The number of each row's text, or -1 for null. */
  readonly rows: Int32Array;
  /** The definition level of each row; empty where the column is never null. */
  readonly levels: number[];
}

/** Reads a column of bytes without lists. Throws where the pages have other rows. */
export function readTexts(pages: Iterable<Page>, leaf: Leaf, rowCount: number): TextColumn {
  const { maxDefinitionLevel } = leaf;
  const texts: Uint8Array[] = [];
  const rows = new Int32Array(rowCount);
  const levels: number[] = [];
  let known: DecodedArray | null = null;
  let base = 0;
  let row = 0;
  for (const page of pages) {
    const { dictionary } = page;
    if (dictionary !== null && dictionary !== known) {
      known = dictionary;
      base = texts.length;
      for (const text of dictionary) texts.push(text);
    }
    const entries = entriesOf(page);
    checkRows(Math.max(row + entries, rowCount), rowCount);
    let at = 0;
    for (let entry = 0; entry < entries; entry++) {
      const level = levelAt(page, entry, maxDefinitionLevel);
      if (maxDefinitionLevel > 0) levels.push(level);
      if (level < maxDefinitionLevel) {
        rows[row++] = -1;
      } else if (dictionary === null) {
        rows[row++] = texts.length;
        texts.push(valueAt(page, at++) as Uint8Array);
      } else {
        rows[row++] = base + numberAt(page, at++);
      }
    }
  }
  checkRows(row, rowCount);
  return { texts, rows, levels };
}

/** How many values and nulls a page has. */
function entriesOf({ definitionLevels, repetitionLevels, values }: Page): number {
  return definitionLevels.length || repetitionLevels.length || values.length;
}

/** The definition level of an entry. Throws for one that the column cannot have. */
function levelAt({ definitionLevels }: Page, entry: number, highest: number): number {
  const level = definitionLevels[entry] ?? highest;
  if (level > highest) throw new Error(`a level is ${level} where ${highest} is the highest`);
  return level;
}

function valueAt(page: Page, at: number): unknown {
  if (page.dictionary !== null) return page.dictionary[numberAt(page, at)];
  if (at >= page.values.length) throw new Error("a page has fewer values than it says");
  return page.values[at];
}

function numberAt({ dictionary, values }: Page, at: number): number {
  const number = values[at] as number;
  if (number >= 0 && number < (dictionary?.length ?? 0)) return number;
  throw new Error("a value is not in the dictionary");
}

function checkRows(rows: number, expected: number): void {
  if (rows !== expected) throw new Error(`it has ${rows} rows where ${expected} belong`);
}
