import { UrlmillError } from "../errors.ts";
import { ENTRY, HEADER, KIND, PLAN_VERSION, TABLE } from "./layout.ts";

/** Holds an entry of a table. */
export interface PlanEntry {
  readonly name: string;
  readonly kind: number;
  readonly value: number;
}

/** Names and texts in a plan are ASCII. */
const decoder = new TextDecoder();

/** Reads the parts that layout.ts describes from the bytes of a plan. Addresses count from its start. */
export class PlanReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #read = new Map<number, unknown>();

  /** Throws `ENGINE_UNAVAILABLE` for a plan of another version. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.word(4 * HEADER.VERSION) !== PLAN_VERSION) {
      throw new UrlmillError("ENGINE_UNAVAILABLE", "the plan is of another version");
    }
  }

  word(address: number): number {
    return this.#view.getUint32(address, true);
  }

  /** Returns the text that the word at `address` points to. */
  textAt(address: number): string {
    const text = this.word(address);
    return this.#once(text, () => this.#text(text + 4, this.word(text)));
  }

  entries(table: number): PlanEntry[] {
    if (table === 0) return [];
    const slots = this.word(table + 4 * TABLE.MASK) + 1;
    return Array.from({ length: slots }, (_, slot) => this.word(table + 4 * (TABLE.WORDS + slot)))
      .filter((entry) => entry !== 0)
      .map((entry) => ({
        name: this.#text(entry + 4 * ENTRY.WORDS, this.word(entry + 4 * ENTRY.LENGTH)),
        kind: this.word(entry + 4 * ENTRY.KIND),
        value: this.word(entry + 4 * ENTRY.VALUE),
      }));
  }

  /** Returns the texts of a table by name, of entries of one kind; null if there is no table. */
  texts(table: number, kind: number = KIND.EXACT): Map<string, string> | null {
    if (table === 0) return null;
    const entries = this.entries(table).filter((entry) => entry.kind === kind);
    return new Map(
      entries.map(({ name, value }) => [name, this.#text(value + 4, this.word(value))]),
    );
  }

  /** Reads the part at an address once, because many may share it; returns null at 0. */
  optional<T>(address: number, read: (address: number) => T): T | null {
    return address === 0 ? null : this.#once(address, () => read(address));
  }

  #once<T>(address: number, read: () => T): T {
    if (!this.#read.has(address)) this.#read.set(address, read());
    return this.#read.get(address) as T;
  }

  #text(start: number, length: number): string {
    return decoder.decode(this.#bytes.subarray(start, start + length));
  }
}

/** Returns the longest URL that a plan allows, in bytes. Throws what `decodePlan` throws. */
export function maxLengthOf(plan: Uint8Array): number {
  return new PlanReader(plan).word(4 * HEADER.MAX_LENGTH);
}
