import type { Hash } from "../hashes/hash.ts";
import { HashIndex } from "../hashes/hash-index.ts";
import type { Changes } from "./change-list.ts";

/**
 * Lists the nodes that a rule makes one: those from `start[group]` to `start[group + 1]`. Each group has two or more.
 */
export interface Merges {
  readonly groups: number;
  readonly start: Int32Array;
  readonly nodes: Int32Array;
}

/** Tells what changes merge among the nodes of an index. */
export class MergeGatherer {
  readonly #index: HashIndex;
  readonly #targets: HashIndex;
  readonly #isChanged: Uint8Array;

  constructor(index: HashIndex) {
    this.#index = index;
    this.#targets = new HashIndex(index.size);
    this.#isChanged = new Uint8Array(index.size);
  }

  gather({ nodes: changed, low, high }: Changes): Merges {
    const hash: Hash = { low: 0, high: 0 };
    const target = new Int32Array(changed.length);
    const all = new Int32Array(changed.length);
    let count = 0;
    for (let index = 0; index < changed.length; index++) {
      this.#isChanged[changed[index] as number] = 1;
      hash.low = low[index] as number;
      hash.high = high[index] as number;
      const number = this.#targets.add(hash);
      target[index] = number;
      if (number === count) all[count++] = this.#index.find(hash);
    }
    const own = all.subarray(0, count);
    for (let number = 0; number < count; number++) {
      const node = own[number] as number;
      if (node >= 0 && this.#isChanged[node] === 1) own[number] = -1;
    }
    for (const node of changed) this.#isChanged[node] = 0;
    this.#targets.clear();
    return mergesOf(changed, target, own);
  }
}

/**
 * Returns the groups of two or more nodes, in the order of their numbers. `target` holds the number of the group of
 * each changed node, and `own` the node that is what a group becomes, which comes first; or -1.
 */
export function mergesOf(changed: Int32Array, target: Int32Array, own: Int32Array): Merges {
  const size = new Int32Array(own.length);
  for (let number = 0; number < own.length; number++) if (own[number] !== -1) size[number] = 1;
  for (let index = 0; index < target.length; index++) {
    const number = target[index] as number;
    size[number] = (size[number] as number) + 1;
  }
  const start: number[] = [0];
  const next = new Int32Array(own.length).fill(-1);
  let end = 0;
  for (let number = 0; number < own.length; number++) {
    const count = size[number] as number;
    if (count < 2) continue;
    next[number] = end;
    end += count;
    start.push(end);
  }
  const nodes = new Int32Array(end);
  const put = (number: number, node: number): void => {
    const at = next[number] as number;
    if (at < 0) return;
    nodes[at] = node;
    next[number] = at + 1;
  };
  for (let number = 0; number < own.length; number++) {
    if (own[number] !== -1) put(number, own[number] as number);
  }
  for (let index = 0; index < target.length; index++) {
    put(target[index] as number, changed[index] as number);
  }
  return { groups: start.length - 1, start: Int32Array.from(start), nodes };
}

/** Returns the merges of nodes with equal keys. Keys are numbers below `keys`. */
export function mergesByKey(keyOf: Int32Array, keys: number): Merges {
  const nodes = Int32Array.from(keyOf.keys());
  return mergesOf(nodes, keyOf, new Int32Array(keys).fill(-1));
}
