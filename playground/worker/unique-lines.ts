import { wholeNumbers } from "./growing.ts";

/** Words of a fingerprint of 16 bytes. */
const WORDS = 4;

/**
 * Holds the first line of each key, in the order of the list, and finds a key by its fingerprint. A
 * key is named by its number from 0 on.
 */
export class UniqueLines {
  /** Holds the lines, each with LF. They need at most the bytes of the list and one more LF. */
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #end = 0;
  readonly #starts = wholeNumbers();
  readonly #fingerprints = wholeNumbers();
  /** Numbers of keys, one more than they are; 0 is free. The length is a power of 2. */
  #slots = new Uint32Array(1 << 12);

  /**
   * Throws an `Error` with a message for people if the browser has no memory for a list of this
   * length.
   */
  constructor(listBytes: number) {
    try {
      this.#bytes = new Uint8Array(listBytes + 1);
    } catch (error) {
      const size = `${(listBytes / 1e9).toFixed(1)} GB`;
      throw new Error(
        `This list has ${size}, for which the browser gives no memory: run npx urlmill dedupe FILE.`,
        { cause: error },
      );
    }
  }

  get length(): number {
    return this.#starts.length;
  }

  /** Returns the lines of all keys. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Returns the number of a key; -1 if it has none yet. `at`: the word where the fingerprint begins. */
  find(fingerprints: Uint32Array, at: number): number {
    return (this.#slots[this.#slotOf(fingerprints, at)] as number) - 1;
  }

  /** Gives a key that has no number the next one, and holds its line, which has no LF. */
  add(fingerprints: Uint32Array, at: number, line: Uint8Array): void {
    if (2 * this.length >= this.#slots.length) this.#grow();
    const slot = this.#slotOf(fingerprints, at);
    this.#starts.push(this.#end);
    for (let word = 0; word < WORDS; word++) {
      this.#fingerprints.push(fingerprints[at + word] as number);
    }
    this.#bytes.set(line, this.#end);
    this.#end += line.length;
    this.#bytes[this.#end++] = 0x0a;
    this.#slots[slot] = this.length;
  }

  /** Returns the line of a key, without LF. */
  line(key: number): Uint8Array<ArrayBuffer> {
    const next = key + 1 < this.length ? this.#starts.at(key + 1) : this.#end;
    return this.#bytes.subarray(this.#starts.at(key), next - 1);
  }

  /** Says whether the line of a key is this one, to the letter. */
  isLine(key: number, line: Uint8Array): boolean {
    const held = this.line(key);
    if (held.length !== line.length) return false;
    for (let at = 0; at < line.length; at++) if (held[at] !== line[at]) return false;
    return true;
  }

  /** Returns the slot of a key, or the free one where it belongs. */
  #slotOf(fingerprints: Uint32Array, at: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = (fingerprints[at] as number) & mask; ; slot = (slot + 1) & mask) {
      const held = (this.#slots[slot] as number) - 1;
      if (held < 0 || this.#isFingerprint(held, fingerprints, at)) return slot;
    }
  }

  #isFingerprint(key: number, fingerprints: Uint32Array, at: number): boolean {
    for (let word = 0; word < WORDS; word++) {
      if (this.#fingerprints.at(key * WORDS + word) !== fingerprints[at + word]) return false;
    }
    return true;
  }

  #grow(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let key = 0; key < this.length; key++) {
      let slot = this.#fingerprints.at(key * WORDS) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = key + 1;
    }
  }
}
