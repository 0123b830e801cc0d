/** Holds a set of 64-bit numbers in two halves, in the order in which they were first added. */
export class PairSet {
  /** Holds the upper 32 bits of each member; `size` of them are in use. */
  high: Uint32Array;
  /** Holds the lower 32 bits of each member; `size` of them are in use. */
  low: Uint32Array;
  size = 0;
  /**
   * Holds 1 + the place of a member, or 0. The slots are a power of two, at least twice the
   * members.
   */
  #slots: Int32Array;

  /** `expected`: members to make room for; more of them are taken too, up to 2^29. */
  constructor(expected = 0) {
    const room = 1 << Math.max(4, 32 - Math.clz32(expected));
    this.high = new Uint32Array(room);
    this.low = new Uint32Array(room);
    this.#slots = new Int32Array(room * 2);
  }

  /**
   * Returns the place of a member, from 0 on. Adds the member if it is new. Both halves: 0 to 2^32
   * - 1.
   */
  add(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    let slot = mix(high, low) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const place = (this.#slots[slot] as number) - 1;
      if (place < 0) break;
      if (this.low[place] === low && this.high[place] === high) return place;
    }
    if (this.size === this.high.length) {
      this.#grow();
      return this.add(high, low);
    }
    this.high[this.size] = high;
    this.low[this.size] = low;
    this.#slots[slot] = ++this.size;
    return this.size - 1;
  }

  #grow(): void {
    const twice = new PairSet(this.size);
    for (let place = 0; place < this.size; place++) {
      twice.add(this.high[place] as number, this.low[place] as number);
    }
    this.high = twice.high;
    this.low = twice.low;
    this.#slots = twice.#slots;
  }
}

function mix(high: number, low: number): number {
  let mixed = Math.imul(high, 0x9e3779b1) ^ low;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
