import { addCount } from "../../base/tallies.ts";
import { simClasses } from "../text/index.ts";
import { type Pages, pagesOf } from "./pages.ts";
import type { Statements } from "./statements.ts";

/** Holds what records tell of nodes, by their numbers. */
export interface Known {
  /** Lists the fingerprints of the captures of each node. */
  readonly fingerprints: readonly (readonly string[])[];
  /** Holds the node that the site declares to be the page; NOTHING or CONTRADICTION if there is no such node. */
  readonly declared: Int32Array;
  /**
   * Holds the nodes that are declared to be pages of their own only because a URL with https was declared to be that with
   * http. What other records declare of them counts more.
   */
  readonly apart: ReadonlySet<number>;
  /** Holds the nodes whose `No-Vary-Search` says that an action of rules does not matter, and what it makes of each. */
  readonly variations: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Holds sizes in bytes; NaN if the size is not known. */
  readonly smallest: Float64Array;
  readonly largest: Float64Array;
  /** Holds when each node was first captured; NaN if that is not known. */
  readonly times: Float64Array;
  /** Holds what each node was found to tell indexes: bits of `NOINDEX`, `INDEXED`, `ANSWERED` and `PAGELESS`. */
  readonly indexing: Uint8Array;
  /**
   * Holds the nodes that a record says failed, with a status of 400 to 499. Null if that is not known, because files of
   * evidence do not hold it.
   */
  readonly failed: ReadonlySet<number> | null;
  /** Holds what pages say of other URLs. Files of evidence do not hold it. */
  readonly statements: Statements;
}

/** Says that no record of a URL declares a page. */
export const NOTHING = -1;
/** Says that two records of one URL declare different pages. */
export const CONTRADICTION = -2;

/** Says that a page of a node keeps itself out of indexes. */
export const NOINDEX = 1;
/** Says that a page of a node was read and does not. */
export const INDEXED = 2;
/** Says that only status or size of an answer is known, as in logs. */
export const ANSWERED = 4;
/** Says that an answer was not a page: a redirect, a refusal or an error. */
export const PAGELESS = 8;

/** Limits the share of what a site declares that fingerprints contradict. */
export const MOST_CONTRADICTED = 0.05;

/** Limits how many declarations are followed from one to the next. */
const LONGEST_CHAIN = 10;

/**
 * Returns the pages by fingerprints of one kind, the most frequent one, because kinds do not compare. Near duplicates
 * by simhash are one page.
 */
export function fingerprintPages({ fingerprints }: Pick<Known, "fingerprints">): Pages {
  const counts = new Map<string, number>();
  for (const list of fingerprints) {
    for (const fp of list) addCount(counts, fpPrefix(fp));
  }
  const [kind] = [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0] ?? [];
  const isAll = counts.size < 2;
  const kept = isAll
    ? fingerprints
    : fingerprints.map((list) => list.filter((fp) => fpPrefix(fp) === kind));
  if (kind !== "sim") return pagesOf(kept);
  const all = [...new Set(kept.flat())].toSorted();
  const classes = simClasses(all);
  const classOf = new Map(all.map((fp, index) => [fp, String(classes[index])]));
  return pagesOf(kept.map((list) => list.map((fp) => classOf.get(fp) as string)));
}

function fpPrefix(fp: string): string {
  return fp.slice(0, fp.indexOf(":"));
}

/**
 * Returns declarations as far as they are believed. Where fingerprints contradict too many that pages make, because all
 * pages of a topic name the first one, no page's declaration is. `speaks`: says which pairs of URLs are counted.
 */
export function believedDeclarations(
  declared: Int32Array,
  { page }: Pages,
  speaks = (node: number, target: number) => node !== target,
): Int32Array {
  const hasPage = (node: number): boolean => (page[node] ?? -1) >= 0;
  let [pairs, wrong] = [0, 0];
  for (const [node, target] of declared.entries()) {
    if (!hasPage(node) || !hasPage(target) || !speaks(node, target)) continue;
    pairs++;
    if (page[node] !== page[target]) wrong++;
  }
  if (wrong <= MOST_CONTRADICTED * pairs) return declared;
  return declared.map((target, node) => (hasPage(node) ? NOTHING : target));
}

/**
 * Returns what is declared, and where that is nothing the URL with the same answer by `No-Vary-Search`. Leaves out what a
 * header says if too many URLs with one answer show another page than the last of them.
 */
function withVariations({ declared, variations }: Known, page: Int32Array): Int32Array {
  const all = declared.slice();
  // Of several headers of one URL, the order of its captures has no meaning.
  for (const [, targets] of [...variations].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const fetched = [...targets].filter(([node]) => (page[node] as number) >= 0);
    const shown = new Map(fetched.map(([node, to]) => [to, page[node]]));
    const wrong = fetched.filter(([node, to]) => shown.get(to) !== page[node]).length;
    if (wrong > MOST_CONTRADICTED * (fetched.length - shown.size)) continue;
    for (const [node, to] of targets) if (declared[node] === NOTHING) all[node] = to;
  }
  return all;
}

/**
 * Returns the pages by what the site declares: the page of a node is the end of its chain of declarations. A node
 * without declarations has no page.
 */
export function declaredPages(known: Known, page: Int32Array): Pages {
  const declared = withVariations(known, page);
  const pages: (readonly string[])[] = new Array(declared.length).fill([]);
  for (const [node, target] of declared.entries()) {
    if (target < 0) continue;
    const end = declaredEnd(node, declared);
    if (end < 0) continue;
    pages[node] = [String(end)];
    pages[end] = [String(end)];
  }
  return pagesOf(pages);
}

/**
 * Returns the node that declarations lead to from a node, perhaps itself. Returns -1 if they lead in a circle, or
 * contradict each other.
 */
export function declaredEnd(node: number, declared: Int32Array): number {
  let at = node;
  for (let step = 0; step < LONGEST_CHAIN; step++) {
    const next = declared[at] as number;
    if (next === CONTRADICTION) return -1;
    if (next === NOTHING || next === at) return at;
    at = next;
  }
  return -1;
}
