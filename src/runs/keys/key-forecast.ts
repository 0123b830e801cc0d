import type { FingerprintSet } from "../../fingerprints/fingerprint-set.ts";
import { say } from "../../io/say.ts";

/** The number of keys from which a forecast is worth its memory. */
const GUESS_FROM = 100_000;
/** The most room to make at a time, as a multiple of the room in use. The first keys may be all there are. */
const MAX_GROWTH = 5;
/** The share of the set's room that is used when a forecast may first say that the rest will not do. */
const WARN_FROM = 1 / 8;

/** Says how many keys an input will bring if it goes on as it began, and how many have room. */
export interface Shortage {
  readonly expected: number;
  readonly capacity: number;
}

/** What a forecast asks of a set. */
type GrowingSet = Pick<FingerprintSet, "size" | "reserve" | "capacity">;

/**
 * Reserves room in a set for the keys that an input may bring, so that the set grows in fewer steps. It keeps no hold of the
 * set, which may be handed over.
 */
export class KeyForecast {
  readonly #warn: (shortage: Shortage) => void;
  readonly #sizeBefore: number;
  #expected = 0;
  #hasWarned = false;

  /**
   * Starts the forecast. `sizeBefore`: the size of the set before the first key of the input is added. `warn` is called once,
   * if the set will probably be full before the end of the input.
   */
  constructor(sizeBefore: number, warn: (shortage: Shortage) => void) {
    this.#warn = warn;
    this.#sizeBefore = sizeBefore;
  }

  /** Takes the set, and the share of the input that is done, from 0 to 1. */
  expect(set: GrowingSet, done: number): void {
    const count = set.size - this.#sizeBefore;
    if (count < GUESS_FROM || done <= 0 || done >= 1) return;
    this.#checkRoom(set, this.#sizeBefore + Math.ceil(count / done));
    // Forecasts again only when the room of the last forecast is used up.
    if (count <= this.#expected) return;
    // Later input repeats more keys, so the rest adds fewer keys than this. The set grows in even steps to
    // this size, so that the last step, which moves most keys, comes early.
    const ratio = 1 / done;
    const steps = Math.max(1, Math.ceil(Math.log(ratio) / Math.log(MAX_GROWTH)));
    this.#expected = Math.ceil(count * ratio ** (1 / steps));
    set.reserve(this.#sizeBefore + this.#expected);
  }

  #checkRoom({ size, capacity }: GrowingSet, expected: number): void {
    if (this.#hasWarned || expected <= capacity || size < WARN_FROM * capacity) return;
    this.#hasWarned = true;
    this.#warn({ expected, capacity });
  }
}

/** Tells a user that a set will probably be full before the end of the input, and what to do. */
export function sayShortage({ expected, capacity }: Shortage, bits: number): void {
  const millions = (count: number): string => `${(count / 1e6).toPrecision(3)} million`;
  say(
    `about ${millions(expected)} keys are expected, and memory has room for ${millions(capacity)}: if the input goes on as it began, memory is full before its end. To have more room, ${waysOut(bits)}`,
  );
}

/** Returns what a user can do if keys of so many bits have no room. */
export function waysOut(bits: number | undefined): string {
  const half = bits === 64 ? "" : "use --bits 64, which takes half the memory; or ";
  return `${half}divide the list by host and dedupe each part, or give the process more memory`;
}
