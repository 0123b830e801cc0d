import { entryOf } from "../../base/tallies.ts";
import { doubled, type Hash } from "../hashes/hash.ts";

/** Lists the nodes that a rule changes, and the hash of what it makes of each: counting adds these up. */
export interface Changes {
  readonly nodes: Int32Array;
  readonly low: Int32Array;
  readonly high: Int32Array;
}

/** Collects changes. Its memory is used again for the next rule. */
export class ChangeList {
  #nodes = new Int32Array(64);
  #low = new Int32Array(64);
  #high = new Int32Array(64);
  #count = 0;

  /** Adds a node, and the hash of what becomes of it. */
  add(node: number, { low, high }: Readonly<Hash>): void {
    const at = this.#count++;
    if (at === this.#nodes.length) {
      this.#nodes = doubled(this.#nodes);
      this.#low = doubled(this.#low);
      this.#high = doubled(this.#high);
    }
    this.#nodes[at] = node;
    this.#low[at] = low;
    this.#high[at] = high;
  }

  /** Returns what was added in the order of the nodes, whatever the order it came in, and is empty afterwards. */
  take(): Changes {
    const count = this.#count;
    this.#count = 0;
    const nodes = this.#nodes.subarray(0, count);
    const isInOrder = nodes.every((node, at) => at === 0 || (nodes[at - 1] as number) < node);
    const order = isInOrder
      ? null
      : nodes.map((_, at) => at).sort((a, b) => (nodes[a] as number) - (nodes[b] as number));
    const inOrder = (values: Int32Array) =>
      order?.map((place) => values[place] as number) ?? values.slice(0, count);
    return { nodes: inOrder(this.#nodes), low: inOrder(this.#low), high: inOrder(this.#high) };
  }
}

/** Holds changes, to find equal ones. */
export class Twins {
  readonly #known = new Map<string, Changes[]>();

  /** Returns changes that are equal to these and were given before, or else these. */
  first(changes: Changes): Changes {
    const known = entryOf(this.#known, signatureOf(changes), () => []);
    const twin = known.find((other) => isEqual(other, changes));
    if (twin !== undefined) return twin;
    known.push(changes);
    return changes;
  }

  /** Lets go of changes that were given. */
  forget(changes: Changes): void {
    const signature = signatureOf(changes);
    const left = this.#known.get(signature)?.filter((other) => other !== changes);
    if (left !== undefined) this.#known.set(signature, left);
  }
}

function signatureOf({ nodes, low }: Changes): string {
  let [ofNodes, ofHashes] = [0, 0];
  for (let at = 0; at < nodes.length; at++) {
    ofNodes = (Math.imul(ofNodes, 31) + (nodes[at] as number)) | 0;
    ofHashes = (Math.imul(ofHashes, 31) + (low[at] as number)) | 0;
  }
  return `${nodes.length} ${ofNodes} ${ofHashes}`;
}

function isEqual(a: Changes, b: Changes): boolean {
  return isSame(a.nodes, b.nodes) && isSame(a.low, b.low) && isSame(a.high, b.high);
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}
