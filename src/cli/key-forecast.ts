import type { FingerprintSet } from "../seen/memory/fingerprint-set.ts";

/** From this many keys on, a guess of how many there will be is worth its memory. */
const GUESS_FROM = 100_000;

/** Makes room in a set for as many keys as an input may bring, so that it grows in fewer steps. */
export class KeyForecast {
  readonly #set: FingerprintSet;
  readonly #sizeBefore: number;
  #expected = 0;

  /** Begins before the first key of the input is added. */
  constructor(set: FingerprintSet) {
    this.#set = set;
    this.#sizeBefore = set.size;
  }

  /** Tells how much of the input is done, from 0 to 1. */
  expect(done: number): void {
    const count = this.#set.size - this.#sizeBefore;
    // Again only when the last guess is used up.
    if (count < GUESS_FROM || count < this.#expected || done <= 0 || done > 1) return;
    // Keys come again more and more, so what is left brings less than this.
    this.#expected = Math.ceil(Math.min(count / done, 4 * count));
    this.#set.reserve(this.#sizeBefore + this.#expected);
  }
}
