import type { FingerprintSet } from "../seen/memory/fingerprint-set.ts";

/** The number of keys from which a forecast is worth its memory. */
const GUESS_FROM = 100_000;
/** The most room to make at a time, as a multiple of the room in use. The first keys may be all there are. */
const MOST_GROWTH = 5;

/** Reserves room in a set for the keys that an input may bring, so that the set grows in fewer steps. */
export class KeyForecast {
  readonly #set: Pick<FingerprintSet, "size" | "reserve">;
  readonly #sizeBefore: number;
  #expected = 0;

  /** Starts the forecast. Call it before the first key of the input is added. */
  constructor(set: Pick<FingerprintSet, "size" | "reserve">) {
    this.#set = set;
    this.#sizeBefore = set.size;
  }

  /** Takes the share of the input that is done, from 0 to 1. */
  expect(done: number): void {
    const count = this.#set.size - this.#sizeBefore;
    // Forecasts again only when the room of the last forecast is used up.
    if (count < GUESS_FROM || count <= this.#expected || done <= 0 || done >= 1) return;
    // Later input repeats more keys, so the rest adds fewer keys than this. The set grows in even steps to
    // this size, so that the last step, which moves most keys, comes early.
    const ratio = 1 / done;
    const steps = Math.max(1, Math.ceil(Math.log(ratio) / Math.log(MOST_GROWTH)));
    this.#expected = Math.ceil(count * ratio ** (1 / steps));
    this.#set.reserve(this.#sizeBefore + this.#expected);
  }
}
