import type { Pages } from "../site/pages.ts";
import type { Merges } from "./merges.ts";
import { PageTally } from "./page-tally.ts";

/** The unit of lost pages, nearly a millionth of a page, so that sums do not depend on their order. */
export const LOST_UNIT = 2 ** -20;

/** Says what merging does to the pages of URLs. */
export interface Effect {
  /** Counts merges of URLs with one page. */
  right: number;
  /** Counts merges of URLs with different pages. */
  wrong: number;
  /** Counts merges of URLs of which at least one page is unknown. */
  unknown: number;
  /** Estimates the pages that no crawl would see any more, on average over the orders of URLs. */
  lost: number;
  /** Counts groups with right merges and no wrong one. */
  rightGroups: number;
  /** Counts the other groups with known pages: those with a wrong merge. */
  wrongGroups: number;
}

/** Says what one group of merged URLs does. The next group has the same object. */
export interface GroupEffect {
  /** Names one of the URLs. */
  node: number;
  /** Counts the URLs, or merged ones, whose page is known. */
  known: number;
  /** Counts merges of URLs of which at least one page is unknown. */
  unknown: number;
  /** Counts the URLs, or merged ones, that have the page of the group; 0 if it has several. */
  urls: number;
  /** Counts those that do not have the page that most of the group have. */
  minor: number;
  /** Estimates the pages lost. */
  lost: number;
  /** Counts pages, all but one, that only one URL of the site has, such as a page that changed before it was fetched. */
  single: number;
}

/** Counts, for each page of a component, the URLs that have it. */
type Histogram = Map<number, number>;

/** Knows which URLs are one already, and what the next merges would do. */
export class Components {
  readonly #parent: Int32Array;
  /** Holds the page of each root that has one page, or -1. */
  readonly #page: Int32Array;
  /** Counts the URLs of each root that have that page. */
  readonly #urls: Int32Array;
  /** Holds the pages of roots that have several. */
  readonly #histograms = new Map<number, Histogram>();
  /** Counts, for each page, the components that have it. */
  readonly #components: Int32Array;
  /** Counts the pages of one group after the other. */
  readonly #tally = new PageTally();
  #hasMerged = false;

  constructor({ page, total }: Pick<Pages, "page" | "total">) {
    this.#page = page.slice();
    this.#urls = new Int32Array(page.length).fill(1);
    this.#parent = new Int32Array(page.length);
    for (let node = 0; node < page.length; node++) this.#parent[node] = node;
    this.#components = new Int32Array(total);
    for (const own of page)
      if (own >= 0) this.#components[own] = (this.#components[own] as number) + 1;
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
    const own: GroupEffect = {
      node: 0,
      known: 0,
      unknown: 0,
      urls: 0,
      minor: 0,
      lost: 0,
      single: 0,
    };
    const roots: number[] = [];
    for (let group = 0; group < merges.groups; group++) {
      this.#roots(merges, group, roots);
      if (roots.length < 2) continue;
      // The first may be what the rule makes of the others.
      own.node = merges.nodes[(merges.start[group] as number) + 1] as number;
      this.#addEffect(roots, effect, own);
      take?.(own);
    }
    return effect;
  }

  merge(merges: Merges): void {
    const roots: number[] = [];
    for (let group = 0; group < merges.groups; group++) {
      this.#roots(merges, group, roots);
      if (roots.length < 2) continue;
      this.#hasMerged = true;
      const { size, pages, urls, components } = this.#tallyOf(roots);
      for (let at = 0; at < size; at++) {
        const page = pages[at] as number;
        this.#components[page] =
          (this.#components[page] as number) + 1 - (components[at] as number);
      }
      const [first] = roots as [number];
      for (const root of roots) {
        this.#parent[root] = first;
        this.#histograms.delete(root);
      }
      this.#page[first] = size === 1 ? (pages[0] as number) : -1;
      this.#urls[first] = size === 1 ? (urls[0] as number) : 0;
      if (size > 1) {
        const histogram: Histogram = new Map();
        for (let at = 0; at < size; at++) histogram.set(pages[at] as number, urls[at] as number);
        this.#histograms.set(first, histogram);
      }
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
    if (roots.length > 2 && this.#hasMerged) unique(roots);
  }

  /** Adds what merging these does to an effect, and sets `group` to it. */
  #addEffect(roots: readonly number[], effect: Effect, group: GroupEffect): void {
    group.unknown = 0;
    group.minor = 0;
    group.lost = 0;
    group.single = 0;
    if (this.#onePage(roots)) {
      effect.right += roots.length - 1;
      effect.rightGroups++;
      group.known = roots.length;
      group.urls = this.#components[this.#page[roots[0] as number] as number] as number;
      return;
    }
    let known = 0;
    let before = 0;
    let lostBefore = 0;
    for (const root of roots) {
      const size = this.#pageCount(root);
      if (size > 0) known++;
      before += size;
      if (size > 1) lostBefore += this.#lostIn(this.#tallyOf([root]));
    }
    group.unknown = roots.length - Math.max(1, known);
    effect.unknown += group.unknown;
    group.known = known;
    group.urls = 0;
    if (known < 2) return;
    const tally = this.#tallyOf(roots);
    if (tally.size === 1) group.urls = this.#components[tally.pages[0] as number] as number;
    effect.right += before - tally.size;
    const wrong = tally.size - 1 - before + known;
    effect.wrong += wrong;
    const more = Math.max(0, this.#lostIn(tally) - lostBefore);
    group.lost = Math.round(more / LOST_UNIT) * LOST_UNIT;
    effect.lost += group.lost;
    if (wrong > 0) effect.wrongGroups++;
    else effect.rightGroups++;
    let [most, single] = [0, 0];
    for (let at = 0; at < tally.size; at++) {
      most = Math.max(most, tally.components[at] as number);
      if (tally.urls[at] === 1 && this.#components[tally.pages[at] as number] === 1) single++;
    }
    group.minor = known - most;
    group.single = Math.min(tally.size - 1, single);
  }

  /** Returns whether all of these have the same page and no other. */
  #onePage(roots: readonly number[]): boolean {
    let page = -1;
    for (const root of roots) {
      const own = this.#page[root] as number;
      if (own < 0 || (page >= 0 && own !== page)) return false;
      page = own;
    }
    return true;
  }

  #pageCount(root: number): number {
    const histogram = this.#histograms.get(root);
    return histogram === undefined ? Number((this.#page[root] as number) >= 0) : histogram.size;
  }

  /** Counts the pages of these components, in memory that the next call uses again. */
  #tallyOf(roots: readonly number[]): PageTally {
    const tally = this.#tally;
    tally.clear();
    for (const root of roots) {
      const histogram = this.#histograms.get(root);
      if (histogram !== undefined) {
        for (const [page, count] of histogram) tally.add(page, count);
      } else if ((this.#page[root] as number) >= 0) {
        tally.add(this.#page[root] as number, this.#urls[root] as number);
      }
    }
    return tally;
  }

  /** Returns the pages lost, on average: those in no other component, except the one that comes first. */
  #lostIn({ size, pages, urls, components }: PageTally): number {
    let all = 0;
    let homeless = 0;
    let urlsOfThese = 0;
    for (let at = 0; at < size; at++) {
      all += urls[at] as number;
      if (this.#components[pages[at] as number] !== components[at]) continue;
      homeless++;
      urlsOfThese += urls[at] as number;
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

export function noEffect(): Effect {
  return { right: 0, wrong: 0, unknown: 0, lost: 0, rightGroups: 0, wrongGroups: 0 };
}
