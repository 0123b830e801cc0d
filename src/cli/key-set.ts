import { Kernel, ROWS } from "../engine/wasm/kernel.ts";
import { isError } from "../status.ts";

/** Bytes of a fingerprint. */
const FINGERPRINT = 16;
/** From this many keys on, a guess of how many there will be is worth its memory. */
const GUESS_FROM = 100_000;

/** The keys of a run, as fingerprints; says of each whether it is new. */
export interface KeySet {
  /**
   * Adds a fingerprint a row, 16 bytes each, but of rows whose status is an error. Returns a byte a row:
   * 1 where it was not there before.
   */
  insert(fingerprints: Uint8Array, status: Uint8Array): Uint8Array;
  /** Tells the set how much of the input is done, from 0 to 1, so that it grows in fewer steps. */
  expect(done: number): void;
}

/** The kernel's set: 16 bytes a key, and some. */
export class KernelKeySet implements KeySet {
  readonly #kernel: Kernel;
  #expected = 0;

  constructor(plan: Uint8Array) {
    this.#kernel = new Kernel(plan, 1 << 10);
  }

  insert(fingerprints: Uint8Array, status: Uint8Array): Uint8Array {
    const isNew = new Uint8Array(status.length);
    for (let first = 0; first < status.length; first += ROWS) {
      const end = Math.min(first + ROWS, status.length);
      const rows = fingerprints.subarray(FINGERPRINT * first, FINGERPRINT * end);
      isNew.set(this.#kernel.insertFingerprints(rows, status.subarray(first, end)), first);
    }
    return isNew;
  }

  expect(done: number): void {
    const count = this.#kernel.seenCount;
    // Again only when the last guess is used up.
    if (count < GUESS_FROM || count < this.#expected || done <= 0 || done > 1) return;
    // Keys come again more and more, so what is left brings less than this.
    this.#expected = Math.ceil(Math.min(count / done, 4 * count));
    this.#kernel.reserveFingerprints(this.#expected);
  }
}

/** V8's Set holds 2^24 entries at most; a new one begins below that. */
const SET_LIMIT = 15_000_000;

/** The same without WebAssembly: a fingerprint is a string of 16 characters. */
export class StringKeySet implements KeySet {
  readonly #sets: Set<string>[] = [new Set()];

  insert(fingerprints: Uint8Array, status: Uint8Array): Uint8Array {
    const { buffer, byteOffset, length } = fingerprints;
    const text = Buffer.from(buffer, byteOffset, length).toString("latin1");
    return status.map((code, row) => {
      const at = FINGERPRINT * row;
      return !isError(code) && this.#add(text.slice(at, at + FINGERPRINT)) ? 1 : 0;
    });
  }

  expect(): void {}

  #add(key: string): boolean {
    for (const set of this.#sets) if (set.has(key)) return false;
    let last = this.#sets.at(-1) as Set<string>;
    if (last.size >= SET_LIMIT) {
      last = new Set();
      this.#sets.push(last);
    }
    last.add(key);
    return true;
  }
}
