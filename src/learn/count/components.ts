import type { Pages } from "../site/pages.ts";
import type { Merges } from "./merges.ts";

/** The unit of lost pages: nearly a millionth of a page. */
const LOST_UNIT = 2 ** -20;

/** Says what merging does to the pages of URLs. */
export interface Effect {
  /** Counts merges of URLs with one page. */
  right: number;
  /** Counts merges of URLs with different pages. */
  wrong: number;
  /** Counts merges of URLs of which at least one page is unknown. */
  unknown: number;
  /**
   * Estimates the pages that no crawl would see any more, on average over the orders that URLs come
   * in. It is a whole number of 2^-20, so that it does not depend on the order of addition.
   */
  lost: number;
  /** Counts groups with right merges and no wrong one. */
  rightGroups: number;
  /** Counts the other groups with known pages: those with a wrong merge. */
  wrongGroups: number;
}

/** Says what one group of merged URLs does. */
export interface GroupEffect {
  /** Names one of the URLs. */
  readonly node: number;
  /** Counts the URLs, or merged ones, whose page is known. */
  readonly known: number;
  /** Counts those that do not have the page that most of the group have. */
  readonly minor: number;
  /** Estimates the pages lost. */
  readonly lost: number;
}

/** Counts, for each page of a component, the URLs that have it. */
type Histogram = Map<number, number>;

/** Knows which URLs are one already, and what the next merges would do. */
export class Components {
  readonly #parent: Int32Array;
  readonly #page: Int32Array;
  /** Holds the pages of merged roots; a node by itself has what `pages` says. */
  readonly #histograms = new Map<number, Histogram>();
  /** Counts, for each page, the components that have it. */
  readonly #homes: Int32Array;

  constructor({ page, total }: Pick<Pages, "page" | "total">) {
    this.#page = page;
    this.#parent = Int32Array.from(page, (_, node) => node);
    this.#homes = new Int32Array(total);
    for (const own of page) if (own >= 0) this.#homes[own] = (this.#homes[own] as number) + 1;
  }

  /** Returns the node that represents all nodes merged with this one. */
  root(node: number): number {
    let root = node;
    while (this.#parent[root] !== root) root = this.#parent[root] as number;
    for (let at = node; at !== root; ) {
      const next = this.#parent[at] as number;
      this.#parent[at] = root;
      at = next;
    }
    return root;
  }

  /** Returns what these merges would add to those already made; tells `take` of each group. */
  effect(merges: Merges, take?: (group: GroupEffect) => void): Effect {
    const effect = noEffect();
    const roots: number[] = [];
    for (let group = 0; group < merges.groups; group++) {
      this.#roots(merges, group, roots);
      if (roots.length < 2) continue;
      // The first may be what the rule makes of the others.
      const node = merges.nodes[(merges.start[group] as number) + 1] as number;
      const own = this.#addEffect(roots, effect);
      take?.({ ...own, node });
    }
    return effect;
  }

  /** Makes the merges. */
  merge(merges: Merges): void {
    const roots: number[] = [];
    for (let group = 0; group < merges.groups; group++) {
      this.#roots(merges, group, roots);
      if (roots.length < 2) continue;
      const histogram: Histogram = new Map();
      for (const [page, { urls, homes }] of this.#joined(roots)) {
        histogram.set(page, urls);
        this.#homes[page] = (this.#homes[page] as number) + 1 - homes;
      }
      const [first] = roots as [number];
      for (const root of roots) {
        this.#parent[root] = first;
        this.#histograms.delete(root);
      }
      this.#histograms.set(first, histogram);
    }
  }

  /** Returns the page that most URLs of a component have, the first of these, or -1. */
  mostOf(root: number): number {
    const histogram = this.#histograms.get(root);
    if (histogram === undefined) return this.#page[root] as number;
    let [best, most] = [-1, 0];
    for (const [page, urls] of histogram) {
      if (urls > most || (urls === most && page < best)) [best, most] = [page, urls];
    }
    return best;
  }

  #roots(merges: Merges, group: number, roots: number[]): void {
    roots.length = 0;
    const start = merges.start[group] as number;
    for (let at = start; at < (merges.start[group + 1] as number); at++) {
      const root = this.root(merges.nodes[at] as number);
      if (at === start || root !== roots[0]) roots.push(root);
    }
    if (roots.length > 2 && this.#histograms.size > 0) unique(roots);
  }

  #addEffect(roots: readonly number[], effect: Effect): Omit<GroupEffect, "node"> {
    if (this.#onePage(roots)) {
      effect.right += roots.length - 1;
      effect.rightGroups++;
      return { known: roots.length, minor: 0, lost: 0 };
    }
    let known = 0;
    let before = 0;
    let lostBefore = 0;
    for (const root of roots) {
      const size = this.#pageCount(root);
      if (size > 0) known++;
      before += size;
      if (size > 1) lostBefore += this.#lostIn(this.#joined([root]));
    }
    effect.unknown += roots.length - Math.max(1, known);
    if (known < 2) return { known, minor: 0, lost: 0 };
    const joined = this.#joined(roots);
    effect.right += before - joined.size;
    const wrong = joined.size - 1 - before + known;
    effect.wrong += wrong;
    const more = Math.max(0, this.#lostIn(joined) - lostBefore);
    const lost = Math.round(more / LOST_UNIT) * LOST_UNIT;
    effect.lost += lost;
    if (wrong > 0) effect.wrongGroups++;
    else effect.rightGroups++;
    let most = 0;
    for (const { homes } of joined.values()) most = Math.max(most, homes);
    return { known, minor: known - most, lost };
  }

  /** Returns whether all of these have the same page and no other. */
  #onePage(roots: readonly number[]): boolean {
    let page = -1;
    for (const root of roots) {
      const own = this.#pageOf(root);
      if (own < 0 || (page >= 0 && own !== page)) return false;
      page = own;
    }
    return true;
  }

  #pageOf(root: number): number {
    const histogram = this.#histograms.get(root);
    if (histogram === undefined) return this.#page[root] as number;
    const [page] = histogram.keys();
    return histogram.size === 1 ? (page as number) : -1;
  }

  #pageCount(root: number): number {
    const histogram = this.#histograms.get(root);
    return histogram === undefined ? Number((this.#page[root] as number) >= 0) : histogram.size;
  }

  /**
   * Counts, for each page of these components, how many URLs have it and how many of the
   * components.
   */
  #joined(roots: readonly number[]): Map<number, Share> {
    const joined = new Map<number, Share>();
    for (const root of roots) {
      const histogram = this.#histograms.get(root);
      if (histogram !== undefined) {
        for (const [page, count] of histogram) addShare(joined, page, count);
      } else if ((this.#page[root] as number) >= 0) {
        addShare(joined, this.#page[root] as number, 1);
      }
    }
    return joined;
  }

  /**
   * Returns the pages lost, on average: those in no other component, except the one that comes
   * first.
   */
  #lostIn(joined: ReadonlyMap<number, Share>): number {
    let all = 0;
    let homeless = 0;
    let urlsOfThese = 0;
    for (const [page, { urls, homes }] of joined) {
      all += urls;
      if (this.#homes[page] !== homes) continue;
      homeless++;
      urlsOfThese += urls;
    }
    // Each page is lost unless one of its URLs comes first: homeless - sum(urls / all).
    return all === 0 ? 0 : (homeless * all - urlsOfThese) / all;
  }
}

/** Removes repeated values, in place. */
function unique(roots: number[]): void {
  const distinct = new Set(roots);
  if (distinct.size < roots.length) roots.splice(0, roots.length, ...distinct);
}

interface Share {
  urls: number;
  homes: number;
}

function addShare(joined: Map<number, Share>, page: number, urls: number): void {
  const share = joined.get(page);
  if (share === undefined) {
    joined.set(page, { urls, homes: 1 });
  } else {
    share.urls += urls;
    share.homes++;
  }
}

/** Adds one effect to another, in place. */
export function addEffect(to: Effect, effect: Effect): void {
  for (const name of Object.keys(to) as (keyof Effect)[]) to[name] += effect[name];
}

/** Returns an effect of zeros. */
export function noEffect(): Effect {
  return { right: 0, wrong: 0, unknown: 0, lost: 0, rightGroups: 0, wrongGroups: 0 };
}
