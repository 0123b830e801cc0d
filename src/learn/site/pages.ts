import { addCount, entryOf } from "../../base/tallies.ts";
import { type PageStates, statesOf } from "./page-states.ts";

/** Stands for the page of a node whose page is not known. */
export const UNKNOWN_PAGE = -1;

/** Holds what is known of the pages of nodes, numbered from 0 on. */
export interface Pages {
  /** Holds the page of each node, or `UNKNOWN_PAGE`. */
  readonly page: Int32Array;
  /** Counts the different pages. */
  readonly total: number;
  /** Counts the nodes whose page is known. */
  readonly known: number;
  /**
   * Estimates the share of fetches of one URL that give the same page again, 0.5 to 1: what two URLs have in common can
   * only be judged against it.
   */
  readonly equality: number;
  /**
   * Estimates the share of nodes that show a page of their own because it had changed when it was fetched, of those
   * whose page others have. It is 0 if too few were captured twice, or if so many changed that this is not by chance.
   */
  readonly changed: number;
  /** Holds the nodes whose captures had different fingerprints. */
  readonly changing: ReadonlySet<number>;
  /** Counts the nodes left out because they showed an error with the status of a page. */
  readonly softErrors: number;
}

/**
 * Numbers the pages of nodes by the fingerprints that the captures of each node had. Fingerprints that URLs have
 * together are states of one page. A node whose captures still are different pages is taken for the one that most
 * captures have; of several such, for one that few nodes share, if any.
 */
export function pagesOf(names: readonly (readonly string[])[]): Pages {
  const found = statesOf(names);
  const { states } = found;
  const page = new Int32Array(names.length).fill(UNKNOWN_PAGE);
  let known = 0;
  for (const [node, captures] of states.entries()) {
    if (captures.length === 0) continue;
    page[node] = captures.length === 1 ? (captures[0] as number) : mostOf(captures, found);
    if (page[node] !== UNKNOWN_PAGE) known++;
  }
  const used = new Map<number, number>();
  for (const [node, own] of page.entries()) {
    if (own < 0) continue;
    page[node] = entryOf(used, own, () => used.size);
  }
  return {
    page,
    total: used.size,
    known,
    equality: equalityOf(found),
    changed: changedOf(found),
    changing: changingOf(names),
    softErrors: 0,
  };
}

/** Counts the nodes beyond one for each page, of those whose page is known. */
export function countRedundant(pages: Iterable<number>): number {
  const seen = new Set<number>();
  let known = 0;
  for (const page of pages) {
    if (page < 0) continue;
    known++;
    seen.add(page);
  }
  return known - seen.size;
}

function changingOf(names: readonly (readonly string[])[]): Set<number> {
  const changing = new Set<number>();
  for (const [node, captures] of names.entries()) {
    if (captures.some((name) => name !== captures[0])) changing.add(node);
  }
  return changing;
}

/** Limits the nodes that share the state of a page. A state of more may be an error that any URL shows. */
const FEW = 8;

/**
 * Returns the state that most captures have. If several do, prefers one that few nodes share, then the first. Where
 * this is one that no other node has, and another is what most nodes always show that have it, either may have been
 * there by chance: the page is not known.
 */
function mostOf(captures: readonly number[], { nodesOf, steadiness }: PageStates): number {
  const counts = new Map<number, number>();
  for (const state of captures) addCount(counts, state);
  const rank = (state: number): number => {
    const nodes = nodesOf[state] as number;
    return nodes === 1 ? FEW + 1 : nodes <= FEW ? nodes : nodes + 1;
  };
  const [[best, most], ...others] = [...counts].toSorted(
    ([a, n], [b, m]) => m - n || rank(a) - rank(b) || a - b,
  ) as [[number, number], ...[number, number][]];
  const isEither =
    nodesOf[best] === 1 &&
    others.some(([state, count]) => count === most && (steadiness[state] as number) > 0);
  return isEither ? UNKNOWN_PAGE : best;
}

/** With fewer pairs of captures than these, nothing is said about how pages change. */
const MIN_PAIRS = 40;
/** A site whose captures agree less often is judged as if they agreed this often. */
const MIN_EQUALITY = 0.5;

function equalityOf({ states }: PageStates): number {
  let [pairs, equal, several, known] = [0, 0, 0, 0];
  for (const captures of states) {
    if (captures.length > 0) known++;
    if (captures.length < 2) continue;
    several++;
    const counts = new Map<number, number>();
    for (const state of captures) addCount(counts, state);
    for (const count of counts.values()) equal += count * (count - 1);
    pairs += captures.length * (captures.length - 1);
  }
  if (pairs < MIN_PAIRS) return 1;
  const share = Math.max(equal / pairs, MIN_EQUALITY);
  // URLs that were captured more than once were judged by all of their captures.
  return 1 - (1 - share) * (1 - several / known);
}

/** Limits the share of captures that changed by chance. A site of which more changed may have changed as a whole. */
const MOST_CHANGED = 0.02;

function changedOf({ states, names, nodesOf, nodesOfName }: PageStates): number {
  let [captures, changed, several, known] = [0, 0, 0, 0];
  for (const [node, own] of states.entries()) {
    if (own.length > 0) known++;
    if (own.length < 2) continue;
    several++;
    if (own.every((state) => nodesOf[state] === 1)) continue;
    captures += own.length;
    const shown = names[node] as readonly number[];
    if (shown.every((name) => name === shown[0])) continue;
    for (const name of shown) if (nodesOfName[name] === 1) changed++;
  }
  if (captures < MIN_PAIRS || changed > MOST_CHANGED * captures) return 0;
  return (changed / captures) * (1 - several / known);
}
