import { KIND, TABLE } from "./layout.ts";
import type { PlanEntry, PlanReader } from "./plan-reader.ts";

/** Names looked up by themselves or by a prefix. */
export class NameTable {
  readonly #exact = new Map<string, number>();
  readonly #prefixes = new Map<string, number>();
  readonly #prefixLengths: number[];
  readonly #ignoreCase: boolean;
  /** Of each ASCII character, whether a name or a prefix begins with it; of a "" with all. */
  readonly #begins = new Uint8Array(128);

  constructor(entries: readonly PlanEntry[], ignoreCase: boolean) {
    this.#ignoreCase = ignoreCase;
    for (const { name, kind, value } of entries) {
      (kind === KIND.PREFIX ? this.#prefixes : this.#exact).set(name, value);
      if (name === "") this.#begins.fill(1);
      else this.#begins[name.charCodeAt(0)] = 1;
    }
    this.#prefixLengths = [...new Set([...this.#prefixes.keys()].map(({ length }) => length))];
  }

  has(name: string): boolean {
    return this.valueOf(name) !== undefined;
  }

  /** The value of the entry that a name is, or begins with. */
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
    return undefined;
  }
}

/** Reads a table of names; null where there is none. */
export function readNames(reader: PlanReader, table: number): NameTable | null {
  return reader.optional(
    table,
    () => new NameTable(reader.entries(table), reader.word(table + 4 * TABLE.IGNORE_CASE) === 1),
  );
}
