import { KIND, TABLE } from "../layout.ts";
import type { PlanEntry, PlanReader } from "./plan-reader.ts";

const IN_EXACT = 1;
const IN_PREFIXES = 2;
const IN_SUFFIXES = 4;

/** Finds names by themselves, by a prefix or by a suffix. */
export class NameTable {
  readonly #exact: ReadonlyMap<string, number>;
  readonly #prefixes: ReadonlyMap<string, number>;
  readonly #suffixes: ReadonlyMap<string, number>;
  readonly #prefixLengths: readonly number[];
  readonly #suffixLengths: readonly number[];
  readonly #ignoreCase: boolean;
  /**
   * Says, for each pair of characters without their case, which maps may have a name that begins with them:
   * bits.
   */
  readonly #begins = new Uint8Array(1024);

  constructor(entries: readonly PlanEntry[], ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
    const ofKind = (kind: number) =>
      new Map(entries.filter((each) => each.kind === kind).map(({ name, value }) => [name, value]));
    this.#exact = ofKind(KIND.EXACT);
    this.#prefixes = ofKind(KIND.PREFIX);
    this.#suffixes = ofKind(KIND.SUFFIX);
    this.#prefixLengths = lengthsOf(this.#prefixes);
    this.#suffixLengths = lengthsOf(this.#suffixes);
    for (const { name, kind } of entries) {
      const pair = pairOf(name.charCodeAt(0), name.length > 1 ? name.charCodeAt(1) : 0);
      const isAnywhere = name === "" || kind === KIND.SUFFIX;
      // After a prefix of one character, any second character may follow.
      const first = isAnywhere ? 0 : pair;
      const pairs = isAnywhere ? 1024 : name.length === 1 && kind === KIND.PREFIX ? 32 : 1;
      const bit = kind === KIND.EXACT ? IN_EXACT : kind === KIND.PREFIX ? IN_PREFIXES : IN_SUFFIXES;
      for (let at = first; at < first + pairs; at++) {
        this.#begins[at] = (this.#begins[at] as number) | bit;
      }
    }
  }

  has(name: string): boolean {
    return this.valueOf(name) !== undefined;
  }

  /** Returns where the text of the entry ends that matches a name: a prefix, else the whole name; 0 for a suffix. */
  textEnd(name: string): number {
    const folded = this.#ignoreCase ? name.toLowerCase() : name;
    const prefix = this.#prefixLengths.find((length) =>
      this.#prefixes.has(folded.slice(0, length)),
    );
    return prefix ?? (this.#exact.has(folded) ? name.length : 0);
  }

  /**
   * Returns whether a name that begins with these two characters may be in the table; `second` is 0 for a
   * name of one.
   */
  mayHave(first: number, second: number): boolean {
    return this.#begins[pairOf(first, second)] !== 0;
  }

  /** Returns the value of the entry that matches a name: its own, or a prefix or suffix of it. */
  valueOf(name: string): number | undefined {
    const second = name.length > 1 ? name.charCodeAt(1) : 0;
    const begins = this.#begins[pairOf(name.charCodeAt(0), second)] as number;
    if (begins === 0) return undefined;
    const folded = this.#ignoreCase ? name.toLowerCase() : name;
    const exact = (begins & IN_EXACT) === 0 ? undefined : this.#exact.get(folded);
    if (exact !== undefined) return exact;
    if ((begins & IN_PREFIXES) !== 0) {
      for (const length of this.#prefixLengths) {
        const value =
          length > folded.length ? undefined : this.#prefixes.get(folded.slice(0, length));
        if (value !== undefined) return value;
      }
    }
    if ((begins & IN_SUFFIXES) === 0) return undefined;
    for (const length of this.#suffixLengths) {
      const value = length > folded.length ? undefined : this.#suffixes.get(folded.slice(-length));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

/**
 * Returns the place of two characters in a table. Upper and lower case share a place, as some other
 * characters do.
 */
function pairOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31);
}

/** Returns the lengths of names, the shortest first. */
function lengthsOf(names: ReadonlyMap<string, number>): number[] {
  return [...new Set([...names.keys()].map(({ length }) => length))].toSorted((a, b) => a - b);
}

/** Reads a table of names; returns null if there is none. */
export function readNames(reader: PlanReader, table: number): NameTable | null {
  return reader.optional(
    "names",
    table,
    () => new NameTable(reader.entries(table), reader.word(table + 4 * TABLE.IGNORE_CASE) === 1),
  );
}
