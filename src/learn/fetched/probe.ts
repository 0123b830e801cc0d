import { UrlmillError } from "../../base/errors.ts";
import { fingerprintPages, NOTHING, PAGELESS } from "../site/known.ts";
import type { Site } from "../site/site.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
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
  /** Lists URLs, at most 20 for each site. It is empty if the budget is spent, or if all URLs were fetched. */
  readonly urls: readonly string[];
  /** Counts the URLs that were fetched before this round. */
  readonly fetched: number;
}

/**
 * Chooses the URLs whose pages tell most about which URLs of a site are one page: those that differ in one parameter, in the
 * order of parameters, a last segment, a slash or the scheme. What was fetched decides: a pattern with two pairs of
 * different pages is left, and one that holds is asked until `learn` can trust it. The rest are URLs by chance. Without
 * `invent`, only URLs of the records are chosen, and those that their redirects and declarations lead to. Add what was fetched
 * as records, with a fingerprint or a status, and ask again. The choice depends on nothing else. Throws `BAD_OPTION` for
 * `fetches` that is not a whole number from 1 on.
 *
 * @example
 * const collector = new SiteCollector();
 * collector.add([{ url: "http://a/?sid=1" }, { url: "http://a/?sid=2", fp: "cls:1" }]);
 * probe(collector.sites()); // { urls: ["http://a/?sid=1"], fetched: 1 }
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
  let fetched = 0;
  for (const site of sites) {
    const round = new SiteProbe(site, invent);
    fetched += round.fetched;
    const count = Math.min(ROUND, fetches - round.fetched);
    for (const { node, target } of round.choose(count))
      urls.push(`${site.nodes.isHttps[node] ? "https" : "http"}://${site.name}${target}`);
  }
  return { urls, fetched };
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
}

class SiteProbe {
  readonly #site: Site;
  readonly #page: Int32Array;
  readonly #isFetched: readonly boolean[];
  readonly #invent: boolean;

  constructor(site: Site, invent: boolean) {
    this.#site = site;
    this.#invent = invent;
    const { known } = site;
    this.#page = fingerprintPages(known).page;
    // A redirect or an error is an answer, too: it is not asked for again.
    this.#isFetched = known.fingerprints.map(
      ({ length }, node) =>
        length > 0 ||
        known.declared[node] !== NOTHING ||
        ((known.indexing[node] as number) & PAGELESS) !== 0,
    );
  }

  get fetched(): number {
    return this.#isFetched.filter(Boolean).length;
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
    const states = this.#undecided();
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
          if (target === null) continue;
          take(node);
          ask(node, target);
        }
      }
    }
    const all = this.#inOrder(Array.from(this.#isFetched, (_, node) => node));
    for (const node of chosen.size < count ? all : []) take(node);
    return chosen.values();
  }

  /** Returns the patterns that a pair may decide, those first that are worth most. */
  #undecided(): State[] {
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
      return states
        .map(([, state]) => state)
        .filter(({ isSettled, same, differ, open, pattern }) => {
          const isOver = differ >= DIFFERENT && 10 * differ > same;
          const alone = this.#aloneOf(pattern).length;
          const isOpen = open.length + alone > 0 && pattern.merges + alone >= FEWEST;
          return !isSettled && !isOver && isOpen;
        })
        .toSorted((a, b) => b.worth - a.worth);
    }
  }

  #stateOf(name: string, pattern: Pattern): State {
    const pages = new Set<number>();
    const open: { readonly group: readonly number[]; readonly known: number }[] = [];
    let [same, differ] = [0, 0];
    const isSmall = pattern.groups.size < THRESHOLDS.classes;
    for (const group of pattern.groups.values()) {
      const known = group.filter((node) => (this.#page[node] as number) >= 0);
      const [first = -1, ...others] = known.map((node) => this.#page[node] as number);
      for (const page of others) {
        if (page === first) {
          same++;
          pages.add(page);
        } else differ++;
      }
      const fetched = group.filter((node) => this.#isFetched[node]).length;
      const isOpen = isSmall ? fetched < group.length && known.length <= ENOUGH : fetched < 2;
      if (isOpen) open.push({ group, known: known.length });
    }
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
    return { name, pattern, same, differ, isSettled, worth, open: open.map(({ group }) => group) };
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
