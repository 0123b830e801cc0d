import { UrlmillError } from "../../../base/errors.ts";

/** The elements of a block: those of 1,024 keys if each key has one. So the least memory has room for a block of each array. */
const BLOCK_BITS = 10;
const BLOCK = 1 << BLOCK_BITS;
/** Limits the elements, so that shifts of 32 bits find their blocks. */
const LONGEST = 2 ** 32;

/**
 * An array of numbers that grows by blocks, so that what it has never moves and no old copy waits for the garbage collector.
 */
export class GrowingArray<T extends Uint32Array | Float64Array> {
  readonly #make: new (
    length: number,
  ) => T;
  readonly #blocks: T[] = [];

  constructor(make: new (length: number) => T) {
    this.#make = make;
  }

  /** Returns the length of an array with room for so many elements. */
  static roomFor(length: number): number {
    return Math.ceil(length / BLOCK) * BLOCK;
  }

  /** The number of elements that have room. */
  get room(): number {
    return BLOCK * this.#blocks.length;
  }

  get(at: number): number {
    return (this.#blocks[at >>> BLOCK_BITS] as T)[at & (BLOCK - 1)] as number;
  }

  set(at: number, value: number): void {
    (this.#blocks[at >>> BLOCK_BITS] as T)[at & (BLOCK - 1)] = value;
  }

  /** Adds one to an element. */
  increment(at: number): void {
    const block = this.#blocks[at >>> BLOCK_BITS] as T;
    const within = at & (BLOCK - 1);
    block[within] = (block[within] as number) + 1;
  }

  /** Makes room for so many elements. New ones are 0. Throws `SET_FULL` if there is no memory, or no number, for them. */
  reserve(length: number): void {
    if (length > LONGEST) throw noRoom("more keys have no numbers");
    while (this.room < length) this.#blocks.push(allocated(() => new this.#make(BLOCK)));
  }

  /** Makes all elements 0. */
  clear(): void {
    for (const block of this.#blocks) block.fill(0);
  }
}

/** Returns new memory. Throws `SET_FULL` if the platform has none. */
export function allocated<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw noRoom("the platform has no memory for more keys");
  }
}

export function noRoom(message: string): UrlmillError {
  return new UrlmillError("SET_FULL", message);
}
