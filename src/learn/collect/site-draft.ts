import { entryOf } from "../../base/tallies.ts";
import { writeAction } from "../../site-rules/language/action-text.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { LearnRecord } from "../records/record.ts";
import { isPage, ownText } from "../records/values.ts";
import { ANSWERED, CONTRADICTION, INDEXED, NOINDEX, NOTHING, PAGELESS } from "../site/known.ts";
import { Nodes } from "../site/nodes.ts";
import type { HostPair, Site } from "../site/site.ts";
import { StatementDraft, type Statements } from "../site/statements.ts";
import { isNoindex } from "../text/robots.ts";

/** Holds what records say of a site. Its URLs are numbered in the order they came. */
export interface GatheredSite extends Pick<Site, "before"> {
  /** Names the site: its host, perhaps with `:port`. */
  readonly name: string;
  /** Holds path and query of each URL. */
  readonly targets: readonly string[];
  /** Holds 1 for each URL with https. */
  readonly isHttps: Uint8Array;
  /** Holds the fingerprints of each URL's captures: none, one, or a list. */
  readonly fingerprints: readonly (string | readonly string[] | undefined)[];
  /** Holds the URL that the site declares to be the page; `NOTHING` or `CONTRADICTION` if there is none. */
  readonly declared: Int32Array;
  /** Lists the URLs that are declared to be pages of their own only because that with https was declared to be that with http. */
  readonly apart: readonly number[];
  /** Holds the URLs whose `No-Vary-Search` says that an action of rules does not matter, and what it makes of each. */
  readonly variations: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** Holds sizes in bytes; NaN if the size is not known. */
  readonly smallest: Float64Array;
  readonly largest: Float64Array;
  /** Holds what each URL was found to tell indexes: bits of `NOINDEX`, `INDEXED`, `ANSWERED` and `PAGELESS`. */
  readonly indexing: Uint8Array;
  /** Holds when each URL was first captured; NaN if that is not known. Only their order counts. */
  readonly times: Float64Array;
  /** Lists the URLs that a record says failed, with a status of 400 to 499. */
  readonly failed: readonly number[];
  /** Holds what pages say of other URLs of the site. */
  readonly statements: Statements;
  /** Lists what the site declares of its own pages and of other sites' pages, one entry a site. */
  readonly hosts: readonly HostPair[];
}

/** Holds a site while its records come in. */
export class SiteDraft {
  /** Names the site: its host, perhaps with `:port`. */
  readonly name: string;
  /** The numbers of targets, with http and with https. */
  readonly #numbers = [new Map<string, number>(), new Map<string, number>()] as const;
  readonly #targets: string[] = [];
  readonly #isHttps: boolean[] = [];
  readonly #fingerprints: (string | string[] | undefined)[] = [];
  readonly #smallest: number[] = [];
  readonly #largest: number[] = [];
  readonly #indexing: number[] = [];
  readonly #times: number[] = [];
  readonly #failed = new Set<number>();
  readonly #declared: (number | undefined)[] = [];
  readonly #variations = new Map<string, Map<number, number>>();
  /** URLs with https that are said to be those with http. */
  readonly #downgrades: [https: number, http: number][] = [];
  /** Holds what the site declares, by the names of the sites declared. */
  readonly #hosts = new Map<string, HostPair>();
  /** Gathers what pages say of other URLs of the site. */
  readonly statements = new StatementDraft();

  constructor(name: string) {
    this.name = name;
  }

  /** Counts the different URLs. */
  get size(): number {
    return this.#targets.length;
  }

  /** Returns the number of a URL. Assigns one if the URL has no number yet. */
  node(target: string, isHttps: boolean): number {
    const numbers = this.#numbers[isHttps ? 1 : 0];
    let node = numbers.get(target);
    if (node === undefined) {
      const own = ownText(target);
      node = this.#targets.push(own) - 1;
      numbers.set(own, node);
      this.#isHttps.push(isHttps);
    }
    return node;
  }

  isHttps(node: number): boolean {
    return this.#isHttps[node] as boolean;
  }

  targetOf(node: number): string {
    return this.#targets[node] as string;
  }

  /** Takes fingerprint and size of a URL, as far as its status says that they are those of its page. */
  addRecord(node: number, record: Omit<LearnRecord, "url">): void {
    const { fp, size, status, ts, refresh = "" } = record;
    if (status !== undefined && status >= 400 && status < 500) this.#failed.add(node);
    // What a redirect, a refusal or a failing server sends is not the page: many URLs have it, for a while.
    const isOfPage = isPage(status) && refresh === "";
    const found = isOfPage ? indexingOf(record) : PAGELESS;
    this.#indexing[node] = (this.#indexing[node] ?? 0) | found;
    if (!isOfPage) return;
    if (size !== undefined) {
      this.#smallest[node] = Math.min(this.#smallest[node] ?? size, size);
      this.#largest[node] = Math.max(this.#largest[node] ?? size, size);
    }
    if (fp === undefined) return;
    if (ts !== undefined) this.#times[node] = Math.min(this.#times[node] ?? Infinity, timeOf(ts));
    const known = this.#fingerprints[node];
    const own = ownText(fp);
    if (known === undefined) this.#fingerprints[node] = own;
    else if (typeof known === "string") this.#fingerprints[node] = [known, own];
    else known.push(own);
  }

  /** Takes a declaration that one URL is the page of another, or of itself. */
  declare(node: number, target: number): void {
    const isDowngrade = this.isHttps(node) && !this.isHttps(target);
    if (isDowngrade && this.targetOf(node) === this.targetOf(target)) {
      this.#downgrades.push([node, target]);
      return;
    }
    const known = this.#declared[node];
    this.#declared[node] = known === undefined || known === target ? target : CONTRADICTION;
  }

  /** Takes rules that do not change the answer of a URL, and the URL that they make of it. */
  vary(node: number, target: number, rules: readonly Rule[]): void {
    for (const { action } of rules) {
      const own = entryOf(this.#variations, writeAction(action, ""), () => new Map());
      const known = own.get(node);
      // Of two captures with other headers, the order has no meaning.
      if (known === undefined || this.targetOf(target) < this.targetOf(known))
        own.set(node, target);
    }
  }

  /** Returns the counts of what the site declares of another, or of itself. */
  hostPair(to: string): HostPair {
    return entryOf(this.#hosts, to, () => ({ from: this.name, to, same: 0, other: 0 }));
  }

  /** Returns what was gathered. Do not add to the draft afterwards. */
  gathered(): GatheredSite {
    const apart = this.#keepApart();
    const targets = this.#targets;
    return {
      name: this.name,
      before: [],
      targets,
      isHttps: Uint8Array.from(this.#isHttps, Number),
      fingerprints: this.#fingerprints,
      declared: Int32Array.from(targets, (_, node) => this.#declared[node] ?? NOTHING),
      apart,
      variations: this.#variations,
      smallest: Float64Array.from(targets, (_, node) => this.#smallest[node] ?? Number.NaN),
      largest: Float64Array.from(targets, (_, node) => this.#largest[node] ?? Number.NaN),
      indexing: Uint8Array.from(targets, (_, node) => this.#indexing[node] ?? 0),
      times: Float64Array.from(targets, (_, node) => this.#times[node] ?? Number.NaN),
      failed: [...this.#failed],
      statements: this.statements.take(),
      hosts: [...this.#hosts.values()],
    };
  }

  /**
   * No rule leads from https to http. What is declared so speaks against the way back: either URL is a page of its own,
   * if nothing else is declared of it. Returns these.
   */
  #keepApart(): number[] {
    const apart = this.#downgrades.flat().filter((node) => this.#declared[node] === undefined);
    for (const node of apart) this.#declared[node] = node;
    return apart;
  }
}

/** Returns a number that orders times: of digits alone, such as a line or `20261128120000`, or of a date. NaN for others. */
function timeOf(ts: string): number {
  const cdx = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(ts);
  if (cdx === null) return /^\d+$/.test(ts) ? Number(ts) : Date.parse(ts);
  const [year, month, ...rest] = cdx.slice(1).map(Number) as [number, number, ...number[]];
  return Date.UTC(year, month - 1, ...rest);
}

/** Returns what a record of a page says of indexes. One that says nothing may be in them; a URL alone was not fetched. */
function indexingOf({ fp, size, status, robots }: Omit<LearnRecord, "url">): number {
  if (robots !== undefined && isNoindex(robots)) return NOINDEX;
  if ((fp ?? robots) !== undefined) return INDEXED;
  return (size ?? status) === undefined ? 0 : ANSWERED;
}

const NO_FINGERPRINTS: readonly string[] = [];

/** Builds a site. The order of its URLs is that of their bytes, whatever order they came in. */
export function buildSite(gathered: GatheredSite): Site {
  const { name, targets, isHttps, fingerprints, declared, smallest, largest } = gathered;
  const order = Array.from(targets, (_, node) => node).sort((a, b) => {
    const [x, y] = [targets[a] as string, targets[b] as string];
    if (x !== y) return x < y ? -1 : 1;
    return (isHttps[a] as number) - (isHttps[b] as number);
  });
  const place = new Int32Array(order.length);
  for (const [index, node] of order.entries()) place[node] = index;
  return {
    name,
    nodes: new Nodes(
      order.map((node) => targets[node] as string),
      order.map((node) => isHttps[node] === 1),
    ),
    known: {
      fingerprints: order.map((node) => {
        const known = fingerprints[node] ?? NO_FINGERPRINTS;
        return typeof known === "string" ? [known] : known;
      }),
      declared: Int32Array.from(order, (node) => {
        const target = declared[node] as number;
        return target < 0 ? target : (place[target] as number);
      }),
      apart: new Set(gathered.apart.map((node) => place[node] as number)),
      variations: new Map(
        Array.from(gathered.variations, ([action, own]) => [
          action,
          new Map(Array.from(own, ([node, to]) => [place[node] as number, place[to] as number])),
        ]),
      ),
      smallest: Float64Array.from(order, (node) => smallest[node] as number),
      largest: Float64Array.from(order, (node) => largest[node] as number),
      times: Float64Array.from(order, (node) => gathered.times[node] as number),
      indexing: Uint8Array.from(order, (node) => gathered.indexing[node] as number),
      failed: new Set(gathered.failed.map((node) => place[node] as number)),
      statements: {
        ...gathered.statements,
        pages: gathered.statements.pages.map((node) => place[node] as number),
      },
    },
    hosts: gathered.hosts,
    before: gathered.before,
  };
}
