import type { Rule } from "../../site-rules/rule.ts";
import { type Hash, hashText, type TextHash } from "../site/hash.ts";
import { HashIndex } from "../site/hash-index.ts";
import type { Nodes } from "../site/nodes.ts";
import { Candidates } from "./candidates.ts";
import { addDifferences } from "./differences.ts";
import { tokenize } from "./tokens.ts";

/** Tokens that may be left out, URLs that differ in one place, and pairs that must, before a rule is counted. */
const LONGEST = 35;
const LARGEST_BUCKET = 6;
const FEWEST_PAIRS = 10;
const MOST = 150;

/**
 * Returns rules that URLs alone suggest (Bar-Yossef, Keidar, Schonfeld, TWEB 2009): what makes one
 * URL of the list another when tokens are left out of it, and what URLs differ in that are the same
 * around it.
 */
export function mineUrls(site: string, nodes: Nodes): Rule[] {
  const candidates = new Candidates();
  const buckets = new Buckets(nodes.count);
  for (let node = 0; node < nodes.count; node++) {
    const target = nodes.targets[node] as string;
    const tokens = tokenize(target);
    const hashes = new TokenHashes(tokens, nodes.isHttps[node] as boolean);
    addDeletions(node, hashes, nodes, candidates);
    buckets.add(node, tokens, hashes);
  }
  for (const members of buckets.lists()) {
    for (const [index, a] of members.entries()) {
      for (const b of members.slice(index + 1)) {
        addDifferences(nodes.targets[a] as string, nodes.targets[b] as string, a, candidates);
      }
    }
  }
  return candidates.list(site, FEWEST_PAIRS, MOST);
}

/** Hashes of what stands before each token, and after it. */
class TokenHashes {
  readonly count: number;
  readonly #before: Hash[] = [];
  readonly #after: TextHash[] = [];

  constructor(tokens: readonly string[], isHttps: boolean) {
    this.count = tokens.length;
    const start = isHttps ? 1 : 0;
    let before: Hash = { low: start, high: start };
    this.#before.push(before);
    const own = tokens.map(hashText);
    for (const hash of own) {
      before = joined(before, hash);
      this.#before.push(before);
    }
    let after: TextHash = { low: 0, high: 0, lowPower: 1, highPower: 1 };
    for (const hash of own.toReversed()) {
      after = {
        ...joined(hash, after),
        lowPower: Math.imul(hash.lowPower, after.lowPower),
        highPower: Math.imul(hash.highPower, after.highPower),
      };
      this.#after.push(after);
    }
    this.#after.reverse();
    this.#after.push({ low: 0, high: 0, lowPower: 1, highPower: 1 });
  }

  /** Hash of the URL without the tokens from `start` to `end`. */
  without(start: number, end: number): Hash {
    return joined(this.#before[start] as Hash, this.#after[end] as TextHash);
  }
}

function joined(first: Hash, second: TextHash): Hash {
  return {
    low: (Math.imul(first.low, second.lowPower) + second.low) | 0,
    high: (Math.imul(first.high, second.highPower) + second.high) | 0,
  };
}

function addDeletions(
  node: number,
  hashes: TokenHashes,
  nodes: Nodes,
  candidates: Candidates,
): void {
  for (let start = 1; start < hashes.count; start++) {
    const last = Math.min(hashes.count, start + LONGEST);
    for (let end = start + 1; end <= last; end++) {
      const shorter = nodes.index.find(hashes.without(start, end));
      if (shorter < 0) continue;
      addDifferences(
        nodes.targets[node] as string,
        nodes.targets[shorter] as string,
        shorter,
        candidates,
      );
    }
  }
}

/** URLs by all but one of their segments, values or names. */
class Buckets {
  readonly #index: HashIndex;
  readonly #members: number[][] = [];

  constructor(nodes: number) {
    this.#index = new HashIndex(4 * nodes);
  }

  add(node: number, tokens: readonly string[], hashes: TokenHashes): void {
    for (let start = 1; start < tokens.length; ) {
      let end = start;
      while (end < tokens.length && !/^[/?&=;:]$/.test(tokens[end] as string)) end++;
      if (end > start) {
        const { low, high } = hashes.without(start, end);
        const number = this.#index.add({ low: low ^ Math.imul(start, 0x9e3779b1), high });
        const members = this.#members[number];
        if (members === undefined) this.#members.push([node]);
        else if (members.length <= LARGEST_BUCKET) members.push(node);
      }
      start = end + 1;
    }
  }

  /**
   * Returns the lists of two to `LARGEST_BUCKET` members. A longer list differs in a name or a
   * number of things.
   */
  lists(): number[][] {
    return this.#members.filter(({ length }) => length > 1 && length <= LARGEST_BUCKET);
  }
}
