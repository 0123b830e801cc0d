import { UrlmillError } from "../../base/errors.ts";
import { entryOf } from "../../base/tallies.ts";
import { fingerprintPages, NOTHING, PAGELESS } from "../site/known.ts";
import type { Site } from "../site/site.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import { kindOfPage } from "./page-shape.ts";
import {
  inventedBy,
  orderOf,
  type Pattern,
  patternsOf,
  patternsOfNames,
} from "./probe-patterns.ts";

/** The answers of so many URLs decide which URLs are next. */
const ROUND = 20;
/** A pattern is settled by so many pairs of one page and none of two. */
const ENOUGH = 12;
/** So many pairs of two pages end a pattern that has few of one page. */
const DIFFERENT = 2;
/** What one different pair costs a pattern, in pairs of one page. */
const COST = 8;
/** A pattern that would merge fewer URLs is not worth its fetches. */
const FEWEST = 5;
/** Each pattern has so many pairs in a round before any has more. */
const PAIRS = 3;

/** So many pages of a kind that change when fetched again, and fewer that stay, say that pairs of this kind tell nothing. */
const NOISY = 2;
/** Limits the URLs of a round that are fetched again. */
const AGAIN = 3;

/** Holds the options of `probe`. */
export interface ProbeOptions {
  /**
   * Limits the URLs of each site that are fetched in all rounds together.
   *
   * @default 200
   */
  readonly fetches?: number | undefined;
  /**
   * Also asks for URLs of the records without one of their parameters, where no other URL is like them. Links that may act,
   * such as those with `logout` or `add`, are left alone.
   *
   * @default false
   */
  readonly invent?: boolean | undefined;
}

/** Holds the URLs of the next round. */
export interface Probe {
  /**
   * Lists URLs, at most 20 for each site. It is empty if the budget is spent, or if all URLs were fetched. A URL comes again
   * where its page differs from another: fetched twice, it tells whether such pages change at each fetch.
   */
  readonly urls: readonly string[];
  /** Counts the fetches before this round. */
  readonly fetched: number;
  /** Counts the URLs whose page had changed when it was fetched again. */
  readonly changing: number;
}

/**
 * Chooses the URLs whose pages tell most about which URLs of a site are one page: those that differ in one parameter, in the
 * order of parameters, a last segment, a slash or the scheme. What was fetched decides: a pattern with two pairs of
 * different pages is left, and one that holds is asked until `learn` can trust it. The rest are URLs by chance. Without
 * `invent`, only URLs of the records are chosen, and those that their redirects and declarations lead to. Add what was fetched
 * as records, with a fingerprint or a status, and ask again. The choice depends on nothing else. Throws `BAD_OPTION` for
 * `fetches` that is not a whole number from 1 on.
 *
 * A page that changes at each fetch, as by an advertisement, differs from all others. So one of the first pages of its kind that
 * differ is asked for again, and another if that one changed. Where both changed, pairs of this kind are not asked for.
 *
 * @example
 * const collector = new SiteCollector();
 * collector.add([{ url: "http://a/?sid=1" }, { url: "http://a/?sid=2", fp: "cls:1" }]);
 * probe(collector.sites()); // { urls: ["http://a/?sid=1"], fetched: 1, changing: 0 }
 */
export function probe(
  sites: Iterable<Site>,
  { fetches = 200, invent = false }: ProbeOptions = {},
): Probe {
  if (!Number.isInteger(fetches) || fetches < 1) {
    throw new UrlmillError(
      "BAD_OPTION",
      `option fetches cannot be ${fetches}: expected a whole number from 1 on`,
    );
  }
  const urls: string[] = [];
  let [fetched, changing] = [0, 0];
  for (const site of sites) {
    const round = new SiteProbe(site, invent);
    fetched += round.fetched;
    changing += round.changing;
    const count = Math.min(ROUND, fetches - round.fetched);
    for (const { node, target } of round.choose(count))
      urls.push(`${site.nodes.isHttps[node] ? "https" : "http"}://${site.name}${target}`);
  }
  return { urls, fetched, changing };
}

/** A URL to fetch: a node, or what was made of it. */
interface Asked {
  readonly node: number;
  readonly target: string;
}

/** Says what fetched pairs tell of a pattern. */
interface State {
  readonly name: string;
  readonly pattern: Pattern;
  readonly same: number;
  readonly differ: number;
  readonly isSettled: boolean;
  /** Says how much a pair of it is worth. */
  readonly worth: number;
  /** Lists the groups that can tell more, those of which a URL was fetched first. */
  readonly open: readonly (readonly number[])[];
  /** Lists one URL of each pair that shows two different pages. */
  readonly different: readonly number[];
}

/** Counts the URLs of a kind that were fetched twice. */
interface Twice {
  steady: number;
  changing: number;
}

class SiteProbe {
  readonly #site: Site;
  readonly #page: Int32Array;
  readonly #isFetched: readonly boolean[];
  readonly #invent: boolean;
  /** Counts, for each kind of page, what was fetched twice. */
  readonly #twice = new Map<string, Twice>();
  /** Names the kinds of which pages change at each fetch, so that they differ from all others. */
  readonly #noisy: ReadonlySet<string>;
  /** Counts fetches. */
  readonly fetched: number;
  readonly changing: number;

  constructor(site: Site, invent: boolean) {
    this.#site = site;
    this.#invent = invent;
    const { known } = site;
    const { page, changing } = fingerprintPages(known);
    this.#page = page;
    // A redirect or an error is an answer, too: it is not asked for again.
    this.#isFetched = known.fingerprints.map(
      ({ length }, node) =>
        length > 0 ||
        known.declared[node] !== NOTHING ||
        ((known.indexing[node] as number) & PAGELESS) !== 0,
    );
    let fetched = 0;
    for (const [node, { length }] of known.fingerprints.entries()) {
      fetched += this.#isFetched[node] ? Math.max(1, length) : 0;
      if (length > 1) this.#twiceOf(node)[changing.has(node) ? "changing" : "steady"]++;
    }
    this.fetched = fetched;
    this.changing = changing.size;
    const isNoisy = ({ steady, changing: others }: Twice): boolean =>
      others >= NOISY && others > steady;
    this.#noisy = new Set(
      [...this.#twice].flatMap(([kind, twice]) => (isNoisy(twice) ? kind : [])),
    );
  }

  #kindOf(node: number): string {
    return kindOfPage(this.#site.nodes.targets[node] as string);
  }

  #twiceOf(node: number): Twice {
    return entryOf(this.#twice, this.#kindOf(node), () => ({ steady: 0, changing: 0 }));
  }

  /** Returns URLs to fetch again, of pages that differ: one of each kind of which it is not known whether its pages change. */
  #again(states: readonly State[]): number[] {
    const again = new Map<Twice, number>();
    const { fingerprints, indexing } = this.#site.known;
    for (const node of states.flatMap(({ different }) => different)) {
      const twice = this.#twiceOf(node);
      // What was an error then is not asked for a third time.
      const isPageless = ((indexing[node] as number) & PAGELESS) !== 0;
      const isOnce = fingerprints[node]?.length === 1 && !isPageless;
      if (isOnce && twice.steady === 0 && twice.changing < NOISY) again.set(twice, node);
    }
    return [...again.values()];
  }

  /** Returns at most `count` URLs to fetch. */
  choose(count: number): Iterable<Asked> {
    const chosen = new Map<string, Asked>();
    const { targets, isHttps } = this.#site.nodes;
    const ask = (node: number, target: string): void => {
      if (chosen.size < count) chosen.set(`${isHttps[node]} ${target}`, { node, target });
    };
    const take = (node: number): void => {
      if (!this.#isFetched[node]) ask(node, targets[node] as string);
    };
    const all = this.#states();
    const states = all.filter((state) => this.#isUndecided(state)).toSorted(byWorth);
    // Each pattern has some pairs before any has more.
    for (let from = 0; chosen.size < count && from < ENOUGH; from += PAIRS) {
      for (const { name, pattern, same, open } of states) {
        // A pattern of few groups, as where all URLs show the login, has its pairs in these.
        const others = pattern.groups.size < THRESHOLDS.classes ? PAIRS : 1;
        const to = Math.min(from + PAIRS, ENOUGH - same);
        for (const group of open.slice(from, Math.max(to, 1))) {
          const [first = -1, ...more] = this.#inOrder(group);
          take(first);
          more
            .filter((node) => !this.#isFetched[node])
            .slice(0, others)
            .forEach(take);
        }
        if (open.length >= to) continue;
        for (const node of this.#inOrder(this.#aloneOf(pattern)).slice(from, to)) {
          const target = inventedBy(name, targets[node] as string);
          if (target === null || this.#wasFetched(target, isHttps[node] as boolean)) continue;
          take(node);
          ask(node, target);
        }
      }
    }
    const nodes = this.#inOrder(Array.from(this.#isFetched, (_, node) => node));
    for (const node of chosen.size < count ? nodes : []) take(node);
    if (chosen.size === 0) return [];
    const again = this.#again(all).map((node) => ({ node, target: targets[node] as string }));
    return [...again.slice(0, AGAIN), ...chosen.values()].slice(0, count);
  }

  /** Returns whether a URL made of another is one that was fetched. */
  #wasFetched(target: string, isHttps: boolean): boolean {
    const { nodes } = this.#site;
    const hash = { low: 0, high: 0 };
    nodes.hashTarget(target, isHttps, hash);
    return this.#isFetched[nodes.index.find(hash)] ?? false;
  }

  /** Returns the patterns, as URLs without what is settled have them. */
  #states(): State[] {
    const settled = new Set<string>();
    for (;;) {
      const states = [...patternsOf(this.#site.nodes, settled)].map(
        ([name, pattern]) => [name, this.#stateOf(name, pattern)] as const,
      );
      const before = settled.size;
      for (const [name, { isSettled }] of states) {
        for (const each of isSettled ? [name, ...patternsOfNames(name)] : []) settled.add(each);
      }
      // What is settled is left out of URLs, so that more of them differ in one thing.
      if (settled.size > before) continue;
      return states.map(([, state]) => state);
    }
  }

  /** Returns whether a pair may decide a pattern. */
  #isUndecided({ isSettled, same, differ, open, pattern }: State): boolean {
    const isOver = differ >= DIFFERENT && 10 * differ > same;
    const alone = this.#aloneOf(pattern).length;
    return !isSettled && !isOver && open.length + alone > 0 && pattern.merges + alone >= FEWEST;
  }

  #stateOf(name: string, pattern: Pattern): State {
    const pages = new Set<number>();
    const open: { readonly group: readonly number[]; readonly known: number }[] = [];
    let same = 0;
    const different: number[] = [];
    const isSmall = pattern.groups.size < THRESHOLDS.classes;
    for (const group of pattern.groups.values()) {
      if (this.#noisy.size > 0 && group.some((node) => this.#noisy.has(this.#kindOf(node))))
        continue;
      const known = group.filter((node) => (this.#page[node] as number) >= 0);
      const [first = -1, ...others] = known;
      const page = this.#page[first] as number;
      for (const node of others) {
        if (this.#page[node] === page) {
          same++;
          pages.add(page);
        } else different.push(node);
      }
      const fetched = group.filter((node) => this.#isFetched[node]).length;
      const isOpen = isSmall ? fetched < group.length && known.length <= ENOUGH : fetched < 2;
      if (isOpen) open.push({ group, known: known.length });
    }
    const differ = different.length;
    const isSettled =
      same >= ENOUGH && (isSmall || pages.size >= THRESHOLDS.classes) && 20 * differ <= same;
    const chance = (same + 0.3) / (same + COST * differ + 1);
    // What has no other URL in the list may have one in the next.
    const merges = pattern.merges + this.#aloneOf(pattern).length / 2;
    const worth = (merges * chance) / Math.max(2, ENOUGH - same);
    open.sort(
      (a, b) =>
        b.known - a.known ||
        this.#orderOf(a.group[0] as number) - this.#orderOf(b.group[0] as number),
    );
    const groups = open.map(({ group }) => group);
    return { name, pattern, same, differ, isSettled, worth, open: groups, different };
  }

  /** Returns the URLs that can be asked for without the parameters of a pattern. */
  #aloneOf({ alone }: Pattern): readonly number[] {
    return this.#invent ? alone : [];
  }

  #orderOf(node: number): number {
    return orderOf(this.#site.nodes, node);
  }

  /** Returns URLs that were fetched, then the others by a hash. */
  #inOrder(nodes: readonly number[]): number[] {
    const rank = (node: number): number => (this.#isFetched[node] ? -1 : this.#orderOf(node));
    return nodes.toSorted((a, b) => rank(a) - rank(b));
  }
}

function byWorth(a: State, b: State): number {
  return b.worth - a.worth;
}
