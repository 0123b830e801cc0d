import { createNormalizer, type Normalizer } from "../../index.ts";
import { checkRecord, checkRecords } from "../records/check-record.ts";
import type { LearnRecord } from "../records/record.ts";
import { LONGEST_TEXT } from "./hash.ts";
import { CONTRADICTION, NOTHING } from "./known.ts";
import { Nodes } from "./nodes.ts";
import { type HostPair, isSpelling, type Site, splitUrl } from "./site.ts";

/**
 * Limits path and query in bytes. Longer ones are skipped, because their hashes can be made equal
 * (hash.ts).
 */
const LONGEST = LONGEST_TEXT;

/**
 * Gathers records by site: normalized with preset `safe`, equal URLs as one.
 *
 * @example
 * const collector = new SiteCollector();
 * collector.add([{ url: "http://b/" }, { url: "HTTP://A" }, { url: "mailto:x" }]);
 * [...collector.sites()].map(({ name }) => name); // ["a", "b"]
 * collector.skipped; // 1
 */
export class SiteCollector {
  readonly #normalizer: Normalizer = createNormalizer({ preset: "safe" });
  readonly #drafts = new Map<string, Draft>();
  /**
   * Counts the records that no rule can be learned from: those without a URL, with another scheme
   * than http and https, or too long.
   */
  skipped = 0;
  /** Counts the records that were added. */
  records = 0;

  /**
   * Adds records, in any order. Throws `BAD_INPUT` for what is not an array of records, or for a
   * record with a member that it cannot have, and adds none of the batch then.
   */
  add(records: readonly LearnRecord[]): void {
    checkRecords(records);
    for (let at = 0; at < records.length; at++) checkRecord(records[at], at);
    const { urls } = this.#normalizer.normalizeBatch(records.map(({ url }) => url));
    for (const [index, record] of records.entries()) {
      this.records++;
      const url = urls[index] ?? null;
      const place = url === null ? null : splitUrl(url);
      if (place === null || place.target.length > LONGEST) {
        this.skipped++;
        continue;
      }
      const draft = this.#draft(place.site);
      const node = draft.node(place.target, place.isHttps);
      draft.addRecord(node, record);
      this.#addDeclared(draft, node, url as string, record);
    }
  }

  /** Yields the sites, by name. Each site is built when it is asked for, and forgotten here. */
  *sites(): Generator<Site> {
    for (const name of [...this.#drafts.keys()].toSorted()) yield this.#take(name);
  }

  /** Builds a site and forgets its draft, which no caller holds while the site is worked on. */
  #take(name: string): Site {
    const draft = this.#drafts.get(name) as Draft;
    this.#drafts.delete(name);
    return draft.build();
  }

  #draft(site: string): Draft {
    let draft = this.#drafts.get(site);
    if (draft === undefined) {
      draft = new Draft(site);
      this.#drafts.set(site, draft);
    }
    return draft;
  }

  /**
   * Adds what the site declares: a permanent redirect, else rel=canonical. One that changes scheme, host and
   * the spelling of a target at once declares each change. For two steps, adds the URL between them.
   */
  #addDeclared(draft: Draft, node: number, url: string, record: LearnRecord): void {
    const { status, redirect, canonical } = record;
    const isPermanent = status === undefined || status === 301 || status === 308;
    const given = redirect !== undefined && isPermanent ? redirect : canonical;
    if (given === undefined || given === "") return;
    const declared = this.#normalizer.tryNormalize(given, url);
    const place = declared.url === null ? null : splitUrl(declared.url);
    if (place === null || place.target.length > LONGEST) return;
    const target = draft.targetOf(node);
    const isSame = isSpelling(target, place.target);
    const isOwn = place.site === draft.name;
    if (isOwn || isSame) {
      const isTwoSteps = place.target !== target && draft.isHttps(node) !== place.isHttps;
      const between = isTwoSteps ? draft.node(target, place.isHttps) : node;
      if (isTwoSteps) draft.declare(node, between);
      const end = draft.node(place.target, place.isHttps);
      if (isOwn || end !== node) draft.declare(between, end);
      // A change from http to https, or from one spelling to another, declares nothing about the host.
      if (isOwn && isSame && end !== node) return;
    }
    const pair = draft.hosts.get(place.site) ?? {
      from: draft.name,
      to: place.site,
      same: 0,
      other: 0,
    };
    draft.hosts.set(place.site, pair);
    if (isSame) pair.same++;
    else pair.other++;
  }
}

const NO_FINGERPRINTS: readonly string[] = [];

/** Gathers the records of one site. */
class Draft {
  readonly name: string;
  /** Maps targets to numbers, with http and with https. */
  readonly #numbers = [new Map<string, number>(), new Map<string, number>()] as const;
  readonly #targets: string[] = [];
  readonly #isHttps: boolean[] = [];
  readonly #fingerprints: (string | string[] | undefined)[] = [];
  readonly #smallest: number[] = [];
  readonly #largest: number[] = [];
  readonly #declared: (number | undefined)[] = [];
  /** Lists the URLs with https that the site declares to be the same URL with http. */
  readonly #downgrades: [https: number, http: number][] = [];
  /** Counts its declarations, by the site that they name. */
  readonly hosts = new Map<string, HostPair>();

  constructor(name: string) {
    this.name = name;
  }

  node(target: string, isHttps: boolean): number {
    const numbers = this.#numbers[isHttps ? 1 : 0];
    let node = numbers.get(target);
    if (node === undefined) {
      node = this.#targets.push(target) - 1;
      numbers.set(target, node);
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

  addRecord(node: number, { fp, size, status }: LearnRecord): void {
    // The body of a redirect or a server error is not the page, and the size of an error page says
    // nothing.
    const isFound = status === undefined || (status >= 200 && status < 300);
    const isPage = isFound || (status >= 400 && status < 500);
    if (size !== undefined && isFound) {
      this.#smallest[node] = Math.min(this.#smallest[node] ?? size, size);
      this.#largest[node] = Math.max(this.#largest[node] ?? size, size);
    }
    if (fp === undefined || !isPage) return;
    const known = this.#fingerprints[node];
    if (known === undefined) this.#fingerprints[node] = fp;
    else if (typeof known === "string") this.#fingerprints[node] = [known, fp];
    else known.push(fp);
  }

  /** Adds a declaration of the site that a URL is the page of another URL, or its own. */
  declare(node: number, target: number): void {
    const isDowngrade = this.isHttps(node) && !this.isHttps(target);
    if (isDowngrade && this.targetOf(node) === this.targetOf(target)) {
      this.#downgrades.push([node, target]);
      return;
    }
    const known = this.#declared[node];
    this.#declared[node] = known === undefined || known === target ? target : CONTRADICTION;
  }

  /**
   * Makes each URL of a downgrade a page of its own, unless something else is declared of it. No
   * rule leads from https to http, so a downgrade speaks against the rule that leads from http to
   * https.
   */
  #keepApart(): void {
    for (const [https, http] of this.#downgrades) {
      this.#declared[https] ??= https;
      this.#declared[http] ??= http;
    }
  }

  /** Builds the site. Its URLs are in the order of their bytes, whatever order they came in. */
  build(): Site {
    this.#keepApart();
    const order = Array.from(this.#targets, (_, node) => node).toSorted((a, b) =>
      this.#compare(a, b),
    );
    const place = new Int32Array(order.length);
    for (const [index, node] of order.entries()) place[node] = index;
    return {
      name: this.name,
      nodes: new Nodes(
        order.map((node) => this.#targets[node] as string),
        order.map((node) => this.#isHttps[node] as boolean),
      ),
      known: {
        fingerprints: order.map((node) => {
          const known = this.#fingerprints[node];
          return known === undefined
            ? NO_FINGERPRINTS
            : typeof known === "string"
              ? [known]
              : known;
        }),
        declared: Int32Array.from(order, (node) => {
          const target = this.#declared[node] ?? NOTHING;
          return target < 0 ? target : (place[target] as number);
        }),
        smallest: Float64Array.from(order, (node) => this.#smallest[node] ?? Number.NaN),
        largest: Float64Array.from(order, (node) => this.#largest[node] ?? Number.NaN),
      },
      hosts: [...this.hosts.values()],
    };
  }

  #compare(a: number, b: number): number {
    const [x, y] = [this.#targets[a] as string, this.#targets[b] as string];
    if (x !== y) return x < y ? -1 : 1;
    return Number(this.#isHttps[a]) - Number(this.#isHttps[b]);
  }
}
