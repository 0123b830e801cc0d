import { addCount, entryOf } from "../../base/tallies.ts";
export interface PageStates {
  /** Lists the state of each capture, for each node. */
  readonly states: readonly (readonly number[])[];
  /** Lists the fingerprints of each node's captures as numbers, and counts the nodes of each. */
  readonly names: readonly (readonly number[])[];
  readonly nodesOfName: Int32Array;
  /** Counts, for each state, the nodes that were captured in it. */
  readonly nodesOf: Int32Array;
  /**
   * Counts, for each state, the nodes that were captured more than once, always in it, less those that were not always in it.
   */
  readonly steadiness: Int32Array;
}

/** Two fingerprints are one page if more than this share of the URLs of each have both. */
const TOGETHER = 0.5;
/** Limits the states of a page. A URL with more fingerprints may show any page. */
const MAX_STATES = 4;

/**
 * Numbers the states of pages by the fingerprints of captures. Two fingerprints are one page that changed if most URLs
 * that have either, and were captured more than once, have both. So a page that many URLs show once, such as an error
 * of the site, joins nothing.
 */
export function statesOf(names: readonly (readonly string[])[]): PageStates {
  const numbers = new Map<string, number>();
  const captured = names.map((captures) =>
    // The order of captures has no meaning.
    (captures.length < 2 ? captures : captures.toSorted()).map((name) =>
      entryOf(numbers, name, () => numbers.size),
    ),
  );
  const parent = joined(captured, numbers.size);
  const own = counted(captured, numbers.size);
  const named = { names: captured, nodesOfName: own.nodesOf };
  if (parent === null) return { states: captured, ...own, ...named };
  const states = captured.map((captures) => captures.map((number) => root(parent, number)));
  return { states, ...counted(states, numbers.size), ...named };
}

/** Joins fingerprints that URLs have together; returns null if no URL has two. */
function joined(captured: readonly (readonly number[])[], total: number): Int32Array | null {
  const urls = new Int32Array(total);
  const together = new Map<number, number>();
  for (const captures of captured) {
    if (captures.length < 2) continue;
    const own = [...new Set(captures)].toSorted((a, b) => a - b);
    for (const number of own) urls[number] = (urls[number] as number) + 1;
    if (own.length > MAX_STATES) continue;
    for (const [at, first] of own.entries()) {
      for (const second of own.slice(at + 1)) {
        const key = first * total + second;
        addCount(together, key);
      }
    }
  }
  if (together.size === 0) return null;
  const parent = Int32Array.from({ length: total }, (_, number) => number);
  for (const [key, count] of together) {
    const [first, second] = [Math.floor(key / total), key % total];
    const most = Math.max(urls[first] as number, urls[second] as number);
    if (count > TOGETHER * most) parent[root(parent, second)] = root(parent, first);
  }
  return parent;
}

function root(parent: Int32Array, number: number): number {
  let at = number;
  while (parent[at] !== at) at = parent[at] as number;
  return at;
}

function counted(
  states: readonly (readonly number[])[],
  numbers: number,
): Pick<PageStates, "nodesOf" | "steadiness"> {
  const nodesOf = new Int32Array(numbers);
  const steadiness = new Int32Array(numbers);
  for (const captures of states) {
    const different = captures.length < 2 ? captures : new Set(captures);
    for (const state of different) nodesOf[state] = (nodesOf[state] as number) + 1;
    if (captures.length < 2) continue;
    const step = new Set(captures).size === 1 ? 1 : -1;
    for (const state of different) steadiness[state] = (steadiness[state] as number) + step;
  }
  return { nodesOf, steadiness };
}
