import type { Hash } from "../hashes/hash.ts";
import { HashIndex } from "../hashes/hash-index.ts";

/** Limits the members of a bucket. In a larger bucket the URLs differ in the name or number of a thing. */
const LARGEST = 6;

/** Gathers nodes by a hash, and forgets those beyond a few of one hash. */
export class Buckets {
  readonly #index: HashIndex;
  /** Counts the members of each bucket, up to one more than `LARGEST`. */
  #sizes: Uint8Array;
  /** Names the last entry of each bucket; an entry is a node and the entry before it, or -1. */
  #last: Int32Array;
  #nodes: Int32Array;
  #before: Int32Array;
  #entries = 0;

  constructor(expected: number) {
    this.#index = new HashIndex(expected);
    this.#sizes = new Uint8Array(expected);
    this.#last = new Int32Array(expected);
    this.#nodes = new Int32Array(expected);
    this.#before = new Int32Array(expected);
  }

  add(hash: Hash, node: number): void {
    const buckets = this.#index.size;
    const number = this.#index.add(hash);
    if (number === this.#sizes.length) {
      this.#sizes = grown(this.#sizes, new Uint8Array(2 * number));
      this.#last = grown(this.#last, new Int32Array(2 * number));
    }
    if (number === buckets) this.#last[number] = -1;
    else if ((this.#sizes[number] as number) > LARGEST) return;
    if (this.#entries === this.#nodes.length) {
      this.#nodes = grown(this.#nodes, new Int32Array(2 * this.#entries));
      this.#before = grown(this.#before, new Int32Array(2 * this.#entries));
    }
    this.#nodes[this.#entries] = node;
    this.#before[this.#entries] = this.#last[number] as number;
    this.#last[number] = this.#entries++;
    this.#sizes[number] = (this.#sizes[number] as number) + 1;
  }

  /** Counts the buckets of two to `LARGEST` members. */
  get count(): number {
    let count = 0;
    for (let number = 0; number < this.#index.size; number++) if (this.#isUseful(number)) count++;
    return count;
  }

  /** Yields the members of every `step`th bucket of two to `LARGEST`, in the order they came. */
  *lists(step: number): Generator<number[]> {
    let at = 0;
    for (let number = 0; number < this.#index.size; number++) {
      if (!this.#isUseful(number) || at++ % step !== 0) continue;
      const members: number[] = [];
      for (let entry = this.#last[number] as number; entry >= 0; ) {
        members.push(this.#nodes[entry] as number);
        entry = this.#before[entry] as number;
      }
      yield members.reverse();
    }
  }

  #isUseful(number: number): boolean {
    const size = this.#sizes[number] as number;
    return size > 1 && size <= LARGEST;
  }
}

function grown<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
