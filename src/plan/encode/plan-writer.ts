import { ENTRY, HEADER, hashBackward, hashForward, KIND, longest, TABLE } from "../layout.ts";

export interface Entry {
  readonly name: string;
  readonly kind: number;
  readonly value: number;
}

/** Compares two entries by the code units of their names. */
export function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Writes words one after the other, after the header. */
export class PlanWriter {
  readonly #words: number[] = new Array<number>(HEADER.WORDS).fill(0);
  readonly #written = new Map<unknown, number>();

  /** Returns the address at which `write` wrote the part named `key`. Calls `write` only the first time. */
  once(key: unknown, write: () => number): number {
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const at = write();
    this.#written.set(key, at);
    return at;
  }

  reserve(words: number): number {
    const at = this.#words.length * 4;
    for (let word = 0; word < words; word++) this.#words.push(0);
    return at;
  }

  set(address: number, value: number): void {
    this.#words[address / 4] = value;
  }

  /** Sets a word of the header, such as `HEADER.SITES`. */
  setHeader(word: number, value: number): void {
    this.#words[word] = value;
  }

  /** Raises the version of the plan to that of a part that it has. */
  needVersion(version: number): void {
    this.setHeader(HEADER.VERSION, Math.max(version, this.#words[HEADER.VERSION] as number));
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#words.length * 4);
    const view = new DataView(bytes.buffer);
    for (const [word, value] of this.#words.entries()) view.setUint32(word * 4, value, true);
    return bytes;
  }

  /** Writes words and returns their address. Equal words are written once. */
  words(words: readonly number[]): number {
    return this.once(`words ${words.join(" ")}`, () => {
      const at = this.reserve(words.length);
      for (const [word, value] of words.entries()) this.set(at + 4 * word, value);
      return at;
    });
  }

  /** Writes a text as `text` does, but equal texts only once. */
  sharedText(text: string): number {
    return this.once(`text ${text}`, () => this.text(text));
  }

  text(text: string): number {
    const at = this.reserve(1);
    this.set(at, text.length);
    this.#characters(text);
    return at;
  }

  optionalTable(entries: readonly Entry[], hash = hashForward, ignoreCase = false): number {
    return entries.length === 0 ? 0 : this.table(entries, hash, ignoreCase);
  }

  /** Writes a table. An entry that is given twice is written once. */
  table(given: readonly Entry[], hash = hashForward, ignoreCase = false): number {
    const entries = [
      ...new Map(given.map((entry) => [`${entry.kind} ${entry.name}`, entry])).entries(),
    ]
      .toSorted(byName)
      .map(([, entry]) => entry);
    const slots = 2 ** Math.ceil(Math.log2(2 * entries.length + 1));
    const at = this.reserve(TABLE.WORDS + slots);
    let prefixes = 0;
    let suffixes = 0;
    for (const { name, kind, value } of entries) {
      const entry = this.reserve(ENTRY.WORDS);
      const hashed = kind === KIND.SUFFIX ? hashBackward(name) : hash(name);
      this.set(entry + 4 * ENTRY.HASH, hashed);
      this.set(entry + 4 * ENTRY.KIND, kind);
      this.set(entry + 4 * ENTRY.VALUE, value);
      this.set(entry + 4 * ENTRY.LENGTH, name.length);
      this.#characters(name);
      let slot = hashed & (slots - 1);
      const address = () => at + 4 * (TABLE.WORDS + slot);
      while (this.#words[address() / 4] !== 0) slot = (slot + 1) & (slots - 1);
      this.set(address(), entry);
      if (kind === KIND.PREFIX) prefixes |= lengthBit(name);
      if (kind === KIND.SUFFIX) suffixes |= lengthBit(name);
    }
    this.set(at + 4 * TABLE.MASK, slots - 1);
    this.set(at + 4 * TABLE.IGNORE_CASE, ignoreCase ? 1 : 0);
    this.set(at + 4 * TABLE.PREFIX_LENGTHS, prefixes >>> 0);
    this.set(at + 4 * TABLE.SUFFIX_LENGTHS, suffixes >>> 0);
    this.set(at + 4 * TABLE.LONGEST, longest(entries.map(({ name }) => name)));
    return at;
  }

  #characters(text: string): void {
    for (let at = 0; at < text.length; at += 4) {
      let word = 0;
      for (let byte = 3; byte >= 0; byte--) word = (word << 8) | (text.charCodeAt(at + byte) || 0);
      this.#words.push(word >>> 0);
    }
  }
}

function lengthBit(name: string): number {
  return 1 << (Math.min(name.length, 32) - 1);
}
