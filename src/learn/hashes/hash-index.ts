import { type Hash, mixed } from "./hash.ts";

/** Numbers hashes from 0 on, in the order they come. */
export class HashIndex {
  #places: Int32Array;
  /** Hold the lanes of each hash by its number; only the first `size` are in use. */
  low: Int32Array;
  high: Int32Array;
  #mask: number;
  size = 0;

  /** `expected`: how many hashes there will be, roughly. */
  constructor(expected = 16) {
    const places = 2 ** Math.ceil(Math.log2(Math.max(16, 2 * expected)));
    this.#places = new Int32Array(places).fill(-1);
    this.low = new Int32Array(places >> 1);
    this.high = new Int32Array(places >> 1);
    this.#mask = places - 1;
  }

  at(number: number): Hash {
    return { low: this.low[number] as number, high: this.high[number] as number };
  }

  /** Returns the number of a hash, or -1 for one that was not added. */
  find({ low, high }: Hash): number {
    for (let place = mixed(low, high) & this.#mask; ; place = (place + 1) & this.#mask) {
      const number = this.#places[place] as number;
      if (number < 0 || (this.low[number] === low && this.high[number] === high)) return number;
    }
  }

  /** Returns the number of a hash. Assigns one if the hash has no number yet. */
  add({ low, high }: Hash): number {
    let place = mixed(low, high) & this.#mask;
    for (; ; place = (place + 1) & this.#mask) {
      const number = this.#places[place] as number;
      if (number < 0) break;
      if (this.low[number] === low && this.high[number] === high) return number;
    }
    if (this.size === this.low.length) {
      this.#grow();
      return this.add({ low, high });
    }
    this.low[this.size] = low;
    this.high[this.size] = high;
    this.#places[place] = this.size;
    return this.size++;
  }

  /** Forgets all hashes. It takes time by their number, not by the room for them. */
  clear(): void {
    if (this.size > this.#mask >> 4) this.#places.fill(-1);
    else {
      // Empties the last added first, so that the search for earlier ones does not end at an
      // emptied place.
      for (let number = this.size - 1; number >= 0; number--) {
        let place = mixed(this.low[number] as number, this.high[number] as number) & this.#mask;
        while (this.#places[place] !== number) place = (place + 1) & this.#mask;
        this.#places[place] = -1;
      }
    }
    this.size = 0;
  }

  #grow(): void {
    const [low, high, size] = [this.low, this.high, this.size];
    const places = 2 * (this.#mask + 1);
    this.#places = new Int32Array(places).fill(-1);
    this.#mask = places - 1;
    this.low = new Int32Array(places >> 1);
    this.high = new Int32Array(places >> 1);
    this.size = 0;
    for (let number = 0; number < size; number++) {
      this.add({ low: low[number] as number, high: high[number] as number });
    }
  }
}
