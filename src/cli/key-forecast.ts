import type { FingerprintSet } from "../seen/memory/fingerprint-set.ts";

/** From this many keys on, a guess of how many there will be is worth its memory. */
const GUESS_FROM = 100_000;
/** The room that is made at a time, as a multiple of what is used: the first keys may be all there are. */
const MOST_GROWTH = 5;

/** Makes room in a set for as many keys as an input may bring, so that it grows in fewer steps. */
export class KeyForecast {
  readonly #set: Pick<FingerprintSet, "size" | "reserve">;
  readonly #sizeBefore: number;
  #expected = 0;

  /** Begins before the first key of the input is added. */
  constructor(set: Pick<FingerprintSet, "size" | "reserve">) {
    this.#set = set;
    this.#sizeBefore = set.size;
  }

  /** Tells how much of the input is done, from 0 to 1. */
  expect(done: number): void {
    const count = this.#set.size - this.#sizeBefore;
    // Again only when the last guess is used up.
    if (count < GUESS_FROM || count <= this.#expected || done <= 0 || done >= 1) return;
    // Keys come again more and more, so what is left brings less than this. It is reached in even steps: the
    // last, which moves most keys, comes early.
    const ratio = 1 / done;
    const steps = Math.max(1, Math.ceil(Math.log(ratio) / Math.log(MOST_GROWTH)));
    this.#expected = Math.ceil(count * ratio ** (1 / steps));
    this.#set.reserve(this.#sizeBefore + this.#expected);
  }
}
