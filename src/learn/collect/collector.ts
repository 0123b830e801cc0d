import { entryOf } from "../../base/tallies.ts";
import { parseNoVarySearch } from "../../exchange/no-vary-search.ts";
import { createNormalizer, type Normalizer } from "../../index.ts";
import { targetOf } from "../../site-rules/apply/actions.ts";
import { applyRule } from "../../site-rules/apply/apply.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { LONGEST_TEXT } from "../hashes/hash.ts";
import { checkRecord, checkRecords } from "../records/check-record.ts";
import { type LearnRecord, STATEMENTS } from "../records/record.ts";
import { isPage } from "../records/values.ts";
import { partsOf } from "../site/nodes.ts";
import { isSpelling, type Site, splitUrl } from "../site/site.ts";
import { SELF, withClasses } from "../site/statements.ts";
import { MOST_SELF_LINKS } from "../text/declarations.ts";
import { type PackedSite, packSite } from "./packed-site.ts";
import { buildSite, type GatheredSite, SiteDraft } from "./site-draft.ts";

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
  readonly #drafts = new Map<string, SiteDraft>();
  /** Holds the last `No-Vary-Search`, which the next record often has too, and its rules. */
  #header = "";
  #varied: readonly Rule[] = [];
  /** Counts the records without an http or https URL, or with one that is too long. */
  skipped = 0;
  /** Counts the records of answers that are not pages, by their status. */
  failed = 0;
  /** Counts the records that were added. */
  records = 0;
  /** Returns the rules that a site had before, to compare them. @internal */
  rulesBefore: (site: string) => readonly Rule[] = () => [];

  /**
   * Adds records, in any order. Throws `BAD_INPUT` for what is not an array of records, or for a record with a member
   * that it cannot have, and adds none of the batch then. `first` is the place of the first record for that message.
   */
  add(records: readonly LearnRecord[], first = 0): void {
    checkRecords(records);
    for (let at = 0; at < records.length; at++) checkRecord(records[at], first + at);
    const { urls } = this.#normalizer.normalizeBatch(records.map(({ url }) => url));
    for (const [index, record] of records.entries()) {
      this.records++;
      const url = urls[index] ?? null;
      const place = url === null ? null : splitUrl(url);
      if (place === null || place.target.length > LONGEST_TEXT) {
        this.skipped++;
        continue;
      }
      if (record.status !== undefined && record.status >= 400) this.failed++;
      const { site } = place;
      const draft = entryOf(this.#drafts, site, () => new SiteDraft(site));
      const node = draft.node(place.target, place.isHttps);
      draft.addRecord(node, record);
      this.#addDeclared(draft, node, url as string, record);
      if (!isPage(record.status)) continue;
      this.#addStatements(draft, node, url as string, record);
      this.#addVariation(draft, node, record);
    }
  }

  /** Yields the sites, by name. Each site is built when it is asked for, and forgotten here. */
  *sites(): Generator<Site> {
    for (const name of [...this.#drafts.keys()].toSorted()) yield buildSite(this.#take(name));
  }

  /**
   * Counts the different URLs of each site, in no order.
   *
   * @internal
   */
  sizes(): number[] {
    return Array.from(this.#drafts.values(), ({ size }) => size);
  }

  /**
   * Yields the sites as messages for other threads, those with the most URLs first. Each is packed when it is asked
   * for, and forgotten here.
   *
   * @internal
   */
  *packedSites(): Generator<PackedSite> {
    const drafts = Array.from(this.#drafts.values(), ({ name, size }) => ({ name, size }));
    drafts.sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1));
    for (const { name } of drafts) yield packSite(this.#take(name));
  }

  /** Forgets a draft. No caller holds it while its site is worked on. */
  #take(name: string): GatheredSite {
    const draft = this.#drafts.get(name) as SiteDraft;
    this.#drafts.delete(name);
    return { ...draft.gathered(), before: this.rulesBefore(name) };
  }

  /** Adds what a page says of other URLs of its site. */
  #addStatements(draft: SiteDraft, node: number, url: string, record: LearnRecord): void {
    for (const { target, kind } of statedUrls(record, url, this.#normalizer)) {
      if (target !== draft.targetOf(node) && target.length <= LONGEST_TEXT)
        draft.statements.add(node, target, kind);
    }
  }

  /** Adds what the header says of the query: rules that do not matter, and the URL that they make. */
  #addVariation(draft: SiteDraft, node: number, { noVarySearch = "" }: LearnRecord): void {
    if (noVarySearch !== this.#header)
      [this.#header, this.#varied] = [noVarySearch, parseNoVarySearch(noVarySearch)];
    if (this.#varied.length === 0) return;
    const parts = partsOf(draft.targetOf(node), draft.isHttps(node));
    for (const rule of this.#varied) applyRule(parts, rule);
    draft.vary(node, draft.node(targetOf(parts), draft.isHttps(node)), this.#varied);
  }

  /**
   * Adds what the site declares: a permanent redirect, else a refresh, else rel=canonical. One that changes scheme, host and
   * the spelling of a target at once declares each change. For two steps, adds the URL between them.
   */
  #addDeclared(draft: SiteDraft, node: number, url: string, record: LearnRecord): void {
    const { status, redirect = "", refresh = "", canonical = "" } = record;
    const isPermanent = status === undefined || status === 301 || status === 308;
    const ofPage = isPage(status) ? refresh || canonical : "";
    const given = isPermanent && redirect !== "" ? redirect : ofPage;
    if (given === "") return;
    const declared = this.#normalizer.tryNormalize(given, url);
    const place = declared.url === null ? null : splitUrl(declared.url);
    if (place === null || place.target.length > LONGEST_TEXT) return;
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
    const pair = draft.hostPair(place.site);
    if (isSame) pair.same++;
    else pair.other++;
  }
}

type Said = Pick<LearnRecord, (typeof STATEMENTS)[number] | "self">;

/** Holds a URL that a page says leads to it too. */
interface StatedUrl {
  /** Holds the URL in normal form, with its fragment. */
  readonly url: string;
  /** Holds its path and query. */
  readonly target: string;
  /** Names the member of records, or for self links `#` and the pattern of the fragment. */
  readonly kind: string;
}

/** Limits the length of a fragment's pattern. */
const LONGEST_FRAGMENT = 64;

/** Yields the URLs of the page's own host that it states. `url` is that of the page, in normal form. */
export function* statedUrls(
  { self = [], ...said }: Said,
  url: string,
  normalizer: Normalizer,
): Generator<StatedUrl> {
  const links = [...STATEMENTS.map((kind) => said[kind] ?? ""), ...self.slice(0, MOST_SELF_LINKS)];
  if (links.every((link) => link === "")) return;
  const site = splitUrl(url)?.site;
  const { urls } = normalizer.normalizeBatch(links, { base: url });
  for (const [at, named] of urls.entries()) {
    const place = links[at] === "" || named === null ? null : splitUrl(named);
    if (place === null || place.site !== site) continue;
    const kind = STATEMENTS[at] ?? kindOfSelfLink(named as string);
    yield { url: named as string, target: place.target, kind };
  }
}

function kindOfSelfLink(url: string): string {
  const [, ...fragment] = url.split("#");
  return SELF + withClasses(fragment.join("#").slice(0, LONGEST_FRAGMENT));
}
