import { KIND, TABLE } from "./layout.ts";
import type { PlanEntry, PlanReader } from "./plan-reader.ts";

/** Names looked up by themselves, by a prefix or by a suffix. */
export class NameTable {
  readonly #exact: ReadonlyMap<string, number>;
  readonly #prefixes: ReadonlyMap<string, number>;
  readonly #suffixes: ReadonlyMap<string, number>;
  readonly #prefixLengths: readonly number[];
  readonly #suffixLengths: readonly number[];
  readonly #ignoreCase: boolean;
  /**
   * Says for each ASCII character whether a name that begins with it can be found; "" begins with
   * all of them.
   */
  readonly #begins = new Uint8Array(128);

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
      if (name === "" || kind === KIND.SUFFIX) this.#begins.fill(1);
      else this.#begins[name.charCodeAt(0)] = 1;
    }
  }

  has(name: string): boolean {
    return this.valueOf(name) !== undefined;
  }

  /** The value of the entry that a name is, or begins or ends with. */
  valueOf(name: string): number | undefined {
    const first = name.charCodeAt(0);
    const isUpper = this.#ignoreCase && first >= 0x41 && first <= 0x5a;
    if (this.#begins[isUpper ? first | 0x20 : first] === 0) return undefined;
    const folded = this.#ignoreCase ? name.toLowerCase() : name;
    const exact = this.#exact.get(folded);
    if (exact !== undefined) return exact;
    for (const length of this.#prefixLengths) {
      const value = this.#prefixes.get(folded.slice(0, length));
      if (value !== undefined) return value;
    }
    for (const length of this.#suffixLengths) {
      const value = length > folded.length ? undefined : this.#suffixes.get(folded.slice(-length));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

function lengthsOf(names: ReadonlyMap<string, number>): number[] {
  return [...new Set([...names.keys()].map(({ length }) => length))];
}

/** Reads a table of names; null where there is none. */
export function readNames(reader: PlanReader, table: number): NameTable | null {
  return reader.optional(
    table,
    () => new NameTable(reader.entries(table), reader.word(table + 4 * TABLE.IGNORE_CASE) === 1),
  );
}
