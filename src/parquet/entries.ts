import type { Leaf } from "./leaf.ts";
import type { PlainValues } from "./plain-values.ts";

/** Limits the entries of a page whose values are numbers in a dictionary. */
const PAGE_ENTRIES = 1 << 18;

/** Holds entries of a column: where nulls and lists are, and which values the others have. */
export interface Entries {
  /** Counts values and nulls. */
  readonly entries: number;
  /** Holds a level for each entry; empty where the column is never null. */
  readonly definitionLevels: Uint8Array;
  /** Holds a level for each entry; empty where the column has no lists. */
  readonly repetitionLevels: Uint8Array;
  /** Holds the number of each value among others. */
  readonly numbers: Int32Array;
}

/** Counts how often a level is among others. */
export function countLevel(levels: Uint8Array, level: number): number {
  let count = 0;
  for (let at = 0; at < levels.length; at++) if (levels[at] === level) count++;
  return count;
}

/** Joins entries, one after the other. */
export function joinEntries(parts: readonly Entries[]): Entries {
  if (parts.length === 1) return parts[0] as Entries;
  const numbers = new Int32Array(parts.reduce((sum, part) => sum + part.numbers.length, 0));
  let at = 0;
  for (const part of parts) {
    numbers.set(part.numbers, at);
    at += part.numbers.length;
  }
  return {
    entries: parts.reduce((sum, part) => sum + part.entries, 0),
    definitionLevels: Buffer.concat(parts.map((part) => part.definitionLevels)),
    repetitionLevels: Buffer.concat(parts.map((part) => part.repetitionLevels)),
    numbers,
  };
}

/** Divides entries into pages, always between rows. */
export function* pagesOf(
  { entries, definitionLevels, repetitionLevels, numbers }: Entries,
  { maxDefinitionLevel }: Leaf,
): Generator<Entries> {
  let value = 0;
  for (let from = 0; from < entries; ) {
    let to = Math.min(from + PAGE_ENTRIES, entries);
    while (to < entries && (repetitionLevels[to] ?? 0) > 0) to++;
    const levels = definitionLevels.subarray(from, to);
    const values = levels.length === 0 ? to - from : countLevel(levels, maxDefinitionLevel);
    const end = value + values;
    yield {
      entries: to - from,
      definitionLevels: levels,
      repetitionLevels: repetitionLevels.subarray(from, to),
      numbers: numbers.subarray(value, end),
    };
    from = to;
    value = end;
  }
}

/** Holds numbers of values in a dictionary, and for each entry a code: the place of its value among these. */
export interface Coded {
  readonly used: Int32Array;
  readonly codes: Int32Array;
}

/** Returns the values of a dictionary that are used, in its order, and the codes of the entries. */
export function usedOf(numbers: Int32Array, dictionaryCount: number): Coded {
  const codeOf = new Int32Array(dictionaryCount);
  for (let at = 0; at < numbers.length; at++) codeOf[numbers[at] as number] = 1;
  const used = new Int32Array(Math.min(numbers.length, dictionaryCount));
  let count = 0;
  for (let number = 0; number < dictionaryCount; number++) {
    if (codeOf[number] === 0) continue;
    codeOf[number] = count;
    used[count++] = number;
  }
  const codes = new Int32Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) codes[at] = codeOf[numbers[at] as number] as number;
  return { used: used.subarray(0, count), codes };
}

/**
 * Merges values with equal bytes into the first of them. pyarrow drops a value that a dictionary has twice, and then
 * reads all codes after it one too high.
 */
export function mergeEqual(coded: Coded, dictionary: PlainValues): Coded {
  const { used, codes } = coded;
  const distinct = new DistinctValues(dictionary, used.length);
  const merged = used.map((number) => distinct.codeOf(number));
  if (distinct.numbers.length === used.length) return coded;
  return { used: distinct.numbers, codes: codes.map((code) => merged[code] as number) };
}

/** Gives one code to values of a dictionary with equal bytes. */
class DistinctValues {
  readonly #dictionary: PlainValues;
  /** Has codes plus 1 by the hashes of their values; a value whose place is taken has the next that is free. */
  readonly #places: Int32Array;
  /** Has the number of the first value of each code. */
  readonly #numbers: Int32Array;
  #count = 0;

  constructor(dictionary: PlainValues, most: number) {
    this.#dictionary = dictionary;
    this.#places = new Int32Array(1 << (33 - Math.clz32(most)));
    this.#numbers = new Int32Array(most);
  }

  /** Returns the numbers of values that differ. */
  get numbers(): Int32Array {
    return this.#numbers.subarray(0, this.#count);
  }

  codeOf(number: number): number {
    const places = this.#places;
    const mask = places.length - 1;
    for (let place = this.#dictionary.hashOf(number) & mask; ; place = (place + 1) & mask) {
      const code = (places[place] as number) - 1;
      if (code < 0) return this.#add(number, place);
      if (this.#dictionary.areEqual(number, this.#numbers[code] as number)) return code;
    }
  }

  #add(number: number, place: number): number {
    this.#numbers[this.#count] = number;
    this.#places[place] = this.#count + 1;
    return this.#count++;
  }
}
