type Numbers = Uint32Array | Float64Array;

/** Holds numbers, one after the other, in memory that doubles when it is full. */
export class Growing<T extends Numbers> {
  length = 0;
  #values: T;
  readonly #allocate: (length: number) => T;

  constructor(allocate: (length: number) => T) {
    this.#allocate = allocate;
    this.#values = allocate(1024);
  }

  /** Returns the number at a place that was pushed before. */
  at(index: number): number {
    return this.#values[index] as number;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = this.#allocate(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }
}

/** Returns an empty list of whole numbers below 2^32. */
export function wholeNumbers(): Growing<Uint32Array> {
  return new Growing((length) => new Uint32Array(length));
}

/** Returns an empty list of any numbers, such as places in a file. */
export function anyNumbers(): Growing<Float64Array> {
  return new Growing((length) => new Float64Array(length));
}
