import { UrlmillError } from "../../base/errors.ts";
import {
  ANY_PARAMS_PLAN_VERSION,
  ENTRY,
  HEADER,
  KIND,
  LATEST_PLAN_VERSION,
  LISTS_PLAN_VERSION,
  PLAN_VERSION,
  TABLE,
  UNWRAP_PLAN_VERSION,
} from "../layout.ts";

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
  /** Says whether the plan is of LISTS_PLAN_VERSION or later. */
  readonly isOfLists: boolean;
  /** Says whether the plan is of ANY_PARAMS_PLAN_VERSION or later. */
  readonly hasAnyParams: boolean;
  /** Says whether the plan is of UNWRAP_PLAN_VERSION or later. */
  readonly hasLabels: boolean;
  /** The parts that were read, by what they were read as and by address. */
  readonly #read = new Map<string, Map<number, unknown>>();

  /** Throws `ENGINE_FAILED` for a plan of another version. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const version = this.word(4 * HEADER.VERSION);
    this.isOfLists = version >= LISTS_PLAN_VERSION;
    this.hasAnyParams = version >= ANY_PARAMS_PLAN_VERSION;
    this.hasLabels = version >= UNWRAP_PLAN_VERSION;
    if (version < PLAN_VERSION || version > LATEST_PLAN_VERSION) throw unreadablePlan();
  }

  word(address: number): number {
    return this.#view.getUint32(address, true);
  }

  /** Returns the text that the word at `address` points to. */
  textAt(address: number): string {
    const text = this.word(address);
    return this.once("text", text, () => this.#text(text + 4, this.word(text)));
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

  /** Does the same as `once`; returns null at 0. */
  optional<T>(what: string, address: number, read: () => T): T | null {
    return address === 0 ? null : this.once(what, address, read);
  }

  /** Reads the part at an address once, because many may share it. `what` names what it is read as. */
  once<T>(what: string, address: number, read: () => T): T {
    let known = this.#read.get(what);
    if (known === undefined) {
      known = new Map();
      this.#read.set(what, known);
    }
    if (!known.has(address)) known.set(address, read());
    return known.get(address) as T;
  }

  #text(start: number, length: number): string {
    return decoder.decode(this.#bytes.subarray(start, start + length));
  }
}

/** Makes the error for a plan that no engine of this release reads. */
export function unreadablePlan(): UrlmillError {
  const message = "the plan is damaged, or of another version: make it anew with this release";
  return new UrlmillError("ENGINE_FAILED", message);
}

/** Returns the longest URL that a plan allows, in bytes. Throws what `decodePlan` throws. */
export function maxLengthOf(plan: Uint8Array): number {
  return new PlanReader(plan).word(4 * HEADER.MAX_LENGTH);
}
