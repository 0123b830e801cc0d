import { doubled } from "../site/hash.ts";

/** Remembers a place for some numbers from 0 on, in memory that is used again. */
export class Places {
  #places = new Int32Array(1024).fill(-1);

  /** Returns the place of a number, or -1. */
  of(number: number): number {
    return this.#places[number] ?? -1;
  }

  /** Sets the place of a number. */
  set(number: number, place: number): void {
    while (number >= this.#places.length) {
      const { length } = this.#places;
      this.#places = doubled(this.#places).fill(-1, length);
    }
    this.#places[number] = place;
  }

  /** Forgets the places of these numbers; negative ones have none. */
  forget(numbers: Iterable<number>): void {
    for (const number of numbers) if (number >= 0) this.#places[number] = -1;
  }
}
