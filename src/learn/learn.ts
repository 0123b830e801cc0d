import { UrlmillError } from "../base/errors.ts";
import { addMember } from "../base/tallies.ts";
import type { PageAlias } from "../site-rules/aliases/alias-file.ts";
import { SKIP_REASON, type Skip } from "../site-rules/language/skip-line.ts";
import type { Trust } from "../site-rules/language/trust-line.ts";
import type { Rule } from "../site-rules/rule.ts";
import type { SiteCollector } from "./collect/collector.ts";
import { noEffect } from "./count/components.ts";
import { type Counted, countSite, type SiteEvidence } from "./count/counted.ts";
import { type LearnedSite, mostOverBudget } from "./learned-site.ts";
import { mineSite } from "./mine/mine-site.ts";
import { changeOf, LISTED_KEYS } from "./rule-change.ts";
import { RuleFilter } from "./select/rule-filter.ts";
import { selectSite } from "./select/select-site.ts";
import type { HostPair, Site } from "./site/site.ts";
import { firstStage } from "./site/stage.ts";
import { roundedBound } from "./thresholds/bound.ts";
import { MAX_PAGE_LOSS } from "./thresholds/budget.ts";
import { THRESHOLDS } from "./thresholds/thresholds.ts";

/** Shows messages how a day is written. */
const SOME_DAY = "2026-11-28";

/** Holds the options of learning. */
export interface LearnOptions {
  /**
   * Limits the share of a site's pages, of its files and of large page types that rules may lose.
   *
   * @default 0.001
   */
  readonly maxPageLoss?: number | undefined;
  /**
   * Asks for lines of exhausted patterns, with this day, such as `2026-11-28`: shapes whose URLs bring next to no page that
   * earlier URLs did not bring.
   *
   * @default none
   */
  readonly exhausted?: string | undefined;
}

/** Holds what was learned of all sites. */
export interface Learned {
  /** Lists the rules of all sites, ordered by site. A site's rules stand in the order they are applied. */
  readonly rules: readonly Rule[];
  /** Lists the aliases of all sites, by the sites' names. */
  readonly aliases: readonly PageAlias[];
  /** Lists which statements of pages can be trusted. `writeRules` writes them. */
  readonly trust: readonly Trust[];
  /** Lists which URLs a crawl need not fetch. `writeRules` writes them. */
  readonly skips: readonly Skip[];
  /** Lists what was learned of each site, by name. */
  readonly sites: readonly LearnedSite[];
  /** Counts the records that were read. */
  readonly records: number;
  /** Counts the records without an http or https URL, or with one that is too long. */
  readonly skipped: number;
  /** Counts the records of answers that are not pages, by their status. */
  readonly failed: number;
}

/**
 * Learns rules from the records of a collector, which were added one batch after the other, at once and on the calling
 * thread. The collector is empty afterwards. Throws what `learn` throws.
 *
 * @example
 * const collector = new SiteCollector();
 * collector.add([{ url: "http://a/?sid=1", fp: "cls:1" }]);
 * learnSites(collector).records; // 1
 */
export function learnSites(collector: SiteCollector, options: LearnOptions = {}): Learned {
  checkLearnOptions(options);
  return {
    ...joinSites(Array.from(collector.sites(), (site) => learnSite(site, options))),
    records: collector.records,
    skipped: collector.skipped,
    failed: collector.failed,
  };
}

/** Mines and counts the rules of a site, and keeps what selecting them needs. */
function evidenceOf(site: Site): SiteEvidence {
  const filter = new RuleFilter(firstStage(site.name, site.nodes, site.known).pages);
  const keeps = (counted: Counted) => filter.keeps(counted);
  return countSite(site, mineSite(site, { keeps }));
}

/** Holds what was learned of one site by itself, and what the site declares of others. */
export interface LearnedAlone {
  readonly learned: LearnedSite;
  readonly hosts: readonly HostPair[];
}

/** Learns the rules of one site, but for those that lead to another. Throws what `learn` throws. */
export function learnSite(site: Site, options: LearnOptions): LearnedAlone {
  checkLearnOptions(options);
  const { maxPageLoss = MAX_PAGE_LOSS, exhausted } = options;
  const learned = selectSite(evidenceOf(site), maxPageLoss, () => true, exhausted);
  return { learned, hosts: site.hosts };
}

/**
 * Selects rules by the evidence of sites, which must be complete: each site comes once. What these rules leave is mined
 * again, for rules that `isWanted`. Throws what `learn` throws.
 *
 * @example
 * const reader = new EvidenceReader();
 * reader.add("url\ta\thttp://a/\t-\t-\t-\tcls:1");
 * selectSites(reader.sites()).sites[0].urls; // 1
 */
export function selectSites(
  evidence: Iterable<SiteEvidence>,
  options: LearnOptions = {},
  isWanted?: (rule: Rule) => boolean,
): Omit<Learned, "records" | "skipped" | "failed"> {
  checkLearnOptions(options);
  const { maxPageLoss = MAX_PAGE_LOSS } = options;
  const sites: LearnedAlone[] = [];
  for (const site of evidence) {
    sites.push({ learned: selectSite(site, maxPageLoss, isWanted), hosts: site.hosts });
  }
  return joinSites(sites);
}

/** Adds the rules that lead from one site to another. Sites come in any order and are put in order of name. */
export function joinSites(
  alone: readonly LearnedAlone[],
): Omit<Learned, "records" | "skipped" | "failed"> {
  const sites = alone.toSorted((a, b) => (a.learned.site < b.learned.site ? -1 : 1));
  const pairs = sites.flatMap(({ hosts }) => hosts);
  const moves = new Map(declaredHosts(pairs).map((rule) => [rule.site, rule]));
  const withHosts = sites.map(({ learned: site }) => {
    const rule = moves.get(site.site);
    if (rule === undefined) return site;
    // It comes last, because no rule or alias of the site applies after the URL has left it.
    return {
      ...site,
      aliases: [],
      trust: [],
      skips: [],
      selected: [...site.selected, { rule, effect: noEffect(), examples: [] }],
    };
  });
  return {
    rules: withHosts.flatMap(({ selected, proposed }) =>
      [...selected, ...proposed].map(({ rule }) => rule),
    ),
    aliases: withHosts.flatMap(({ aliases }) => aliases),
    trust: withHosts.flatMap(({ trust }) => trust),
    skips: withHosts.flatMap(({ skips }) => skips),
    sites: withHosts,
  };
}

/** Throws `BAD_OPTION` for a value that cannot be. */
export function checkLearnOptions({ maxPageLoss, exhausted = SOME_DAY }: LearnOptions): void {
  if (!SKIP_REASON.test(`exhausted ${exhausted}`)) {
    throw new UrlmillError(
      "BAD_OPTION",
      `option exhausted is a day: ${SOME_DAY}, not ${exhausted}`,
    );
  }
  if (maxPageLoss === undefined || (maxPageLoss >= 0 && maxPageLoss <= 1)) return;
  throw new UrlmillError(
    "BAD_OPTION",
    `option maxPageLoss cannot be ${maxPageLoss}: expected 0 to 1`,
  );
}

/**
 * Returns rules for sites that declare, often enough and with next to nothing against it, that all their pages are
 * another's. A declared URL of the site's own is against it. No other rule leads from one host to another.
 */
function declaredHosts(pairs: readonly HostPair[]): Rule[] {
  const declares = new Map<string, HostPair[]>();
  for (const pair of pairs) {
    addMember(declares, pair.from, pair);
  }
  return [...declares.values()].flatMap((targets) => {
    const pair = targets.reduce((most, each) => (each.same > most.same ? each : most));
    const isBack = declares.get(pair.to)?.some(({ to }) => to === pair.from) === true;
    if (pair.to === pair.from || isBack) return [];
    const all = targets.reduce((sum, { same, other }) => sum + same + other, 0);
    const against = all - pair.same;
    if (pair.same < THRESHOLDS.declarations || against > THRESHOLDS.against * pair.same) return [];
    const lb = roundedBound(pair.same, all);
    return [
      {
        site: pair.from,
        condition: { path: null, params: [] },
        action: { type: "host", to: pair.to },
        evidence: { level: "declared", n: all, ok: pair.same, lb },
      } satisfies Rule,
    ];
  });
}

export interface LearnJob {
  readonly exhausted: string | undefined;
  readonly maxPageLoss: number | undefined;
  /** Says whether the refused rules of each site are wanted, which are hundreds. */
  readonly isReported: boolean;
}

/** Learns the rules of one site. Keeps the refused ones only for a report, but for one that the budget refused. */
export function learnOne(site: Site, { isReported, ...options }: LearnJob): LearnedAlone {
  const { learned: alone, hosts } = learnSite(site, options);
  const after = alone.selected.map(({ rule }) => rule);
  const most = isReported ? Number.POSITIVE_INFINITY : LISTED_KEYS;
  const hasOlder = site.before.length > 0;
  const learned = { ...alone, ...(hasOlder && { change: changeOf(site, after, most) }) };
  if (isReported) return { learned, hosts };
  const rule = mostOverBudget(learned);
  return { learned: { ...learned, refused: rule === null ? [] : [rule] }, hosts };
}
