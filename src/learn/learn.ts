import { UrlmillError } from "../errors.ts";
import type { Rule } from "../site-rules/rule.ts";
import { type Effect, noEffect } from "./count/components.ts";
import { type Counted, EffectCounter } from "./count/counted.ts";
import { countSite, type SiteEvidence } from "./count/evidence.ts";
import { mineSite } from "./mine/mine-site.ts";
import type { LearnRecord } from "./records/record.ts";
import { findConflict } from "./select/conflicts.ts";
import { declaredHosts } from "./select/host-rules.ts";
import { proposeRules } from "./select/proposals.ts";
import { type Refusal, selectRules } from "./select/select.ts";
import { SiteCollector } from "./site/collector.ts";
import { declaredPages, fingerprintPages } from "./site/known.ts";
import type { Nodes } from "./site/nodes.ts";
import type { HostPair } from "./site/site.ts";

/** Holds the options of learning. */
export interface LearnOptions {
  /**
   * Limits the share of a site's pages that its rules may lose, 0 to 1.
   *
   * @default 0.001
   */
  readonly maxPageLoss?: number;
}

/** Holds a rule that was looked at, and what it would do if it were the only one. */
export interface JudgedRule {
  /** Holds the rule, with evidence if it was selected or proposed. */
  readonly rule: Rule;
  /** Says what the rule would do if it were the only one. */
  readonly effect: Readonly<Effect>;
  /**
   * Lists up to three pairs of URLs, as path and query, that the rule makes one; empty if only
   * evidence was at hand.
   */
  readonly examples: readonly (readonly [string, string])[];
}

/** Holds what was learned of one site. */
export interface LearnedSite {
  /** Names the site: its host, with `:port` if the URL has one. */
  readonly site: string;
  /** Counts the different URLs of the site, in normal form. */
  readonly urls: number;
  /** Counts the different pages, by their fingerprints. */
  readonly pages: number;
  /** Counts the URLs beyond one for each page. */
  readonly redundant: number;
  /** Lists the selected rules in the order they are applied, with evidence. */
  readonly selected: readonly JudgedRule[];
  /**
   * Lists the rules to look into of a site without fingerprints (E4, E5), best first; they are not
   * applied by default.
   */
  readonly proposed: readonly JudgedRule[];
  /** Lists the rules that were refused, each with the reason. */
  readonly refused: readonly (JudgedRule & { readonly why: Refusal | "order matters" })[];
  /** Says what all selected rules do together: right merges are the redundancy that they remove. */
  readonly effect: Readonly<Effect>;
}

/** Holds what was learned of all sites. */
export interface Learned {
  /**
   * Lists the rules of all sites, by the sites' names; a site's rules stand in the order they are
   * applied.
   */
  readonly rules: readonly Rule[];
  /** Lists what was learned of each site, by name. */
  readonly sites: readonly LearnedSite[];
  /** Counts the records that were read. */
  readonly records: number;
  /**
   * Counts the records that nothing can be learned from: those without an http or https URL, or
   * with one that is too long.
   */
  readonly skipped: number;
}

/**
 * Learns rules from records, which may come in any order. Throws `BAD_INPUT` for what is not
 * an array of records, and `BAD_OPTION` for `maxPageLoss` that is not 0 to 1.
 *
 * @example
 * const records = Array.from({ length: 60 }, (_, at) => ({
 *   url: `http://a/?id=${at >> 1}&sid=${at}`,
 *   fp: `cls:${at >> 1}`,
 * }));
 * learn(records).rules.map(({ action }) => action); // [{ type: "drop", params: ["sid"] }]
 */
export function learn(records: readonly LearnRecord[], options: LearnOptions = {}): Learned {
  const collector = new SiteCollector();
  collector.add(records);
  return learnSites(collector, options);
}

/**
 * Learns rules from the records of a collector, which were added one batch after the other. The
 * collector is empty afterwards. Throws what `learn` throws.
 *
 * @example
 * const collector = new SiteCollector();
 * collector.add([{ url: "http://a/?sid=1", fp: "cls:1" }]);
 * learnSites(collector).records; // 1
 */
export function learnSites(collector: SiteCollector, options: LearnOptions = {}): Learned {
  const evidence = function* () {
    for (const site of collector.sites()) yield countSite(site, mineSite(site));
  };
  return {
    ...selectSites(evidence(), options),
    records: collector.records,
    skipped: collector.skipped,
  };
}

/**
 * Selects rules by the evidence of sites, which must be complete: each site comes once. Throws what
 * `learn` throws.
 *
 * @example
 * const reader = new EvidenceReader();
 * reader.add("url\ta\t0123456789abcdef\t-\t-\t-\tcls:1");
 * selectSites(reader.sites()).sites[0].urls; // 1
 */
export function selectSites(
  evidence: Iterable<SiteEvidence>,
  options: LearnOptions = {},
): Pick<Learned, "rules" | "sites"> {
  const maxPageLoss = checkPageLoss(options.maxPageLoss);
  const pairs: HostPair[] = [];
  const sites: LearnedSite[] = [];
  for (const site of evidence) {
    for (const pair of site.hosts) pairs.push(pair);
    sites.push(selectSite(site, maxPageLoss));
  }
  const moves = new Map(declaredHosts(pairs).map((rule) => [rule.site, rule]));
  const withHosts = sites.map((site) => {
    const rule = moves.get(site.site);
    if (rule === undefined) return site;
    // It comes last: no rule of the site applies once the URL has left it.
    return { ...site, selected: [...site.selected, { rule, effect: noEffect(), examples: [] }] };
  });
  return {
    rules: withHosts.flatMap(({ selected, proposed }) =>
      [...selected, ...proposed].map(({ rule }) => rule),
    ),
    sites: withHosts,
  };
}

function selectSite(evidence: SiteEvidence, maxPageLoss: number): LearnedSite {
  const { site, index, known, nodes } = evidence;
  const pages = fingerprintPages(known);
  const declared = declaredPages(known);
  const counter = new EffectCounter(index, pages, declared);
  let open = evidence.rules.map(({ rule, changes }) => counter.count(rule, changes));
  const refused: LearnedSite["refused"][number][] = [];
  const judge = (counted: Counted, rule = counted.rule): JudgedRule => ({
    rule,
    effect: counted.effect,
    examples: examplesOf(counted, nodes),
  });
  for (;;) {
    const selection = selectRules(open, pages, declared, maxPageLoss * pages.total);
    const conflict = findConflict(selection.selected, pages);
    if (conflict < 0) {
      for (const { counted, why } of selection.refused) refused.push({ ...judge(counted), why });
      return {
        site,
        urls: index.size,
        pages: pages.total,
        redundant: pages.page.length - pages.total,
        selected: selection.selected.map((counted, at) => judge(counted, selection.rules[at])),
        proposed:
          pages.total > 0
            ? []
            : proposeRules(
                open.filter((candidate) => !selection.selected.includes(candidate)),
                known,
              ).map(({ counted, rule }) => judge(counted, rule)),
        refused,
        effect: selection.effect,
      };
    }
    const later = selection.selected[conflict] as Counted;
    refused.push({ ...judge(later), why: "order matters" });
    open = open.filter((candidate) => candidate !== later);
  }
}

const EXAMPLES = 3;

function examplesOf({ merges }: Counted, nodes: Nodes | null): [string, string][] {
  if (nodes === null) return [];
  const examples: [string, string][] = [];
  for (let group = 0; group < Math.min(EXAMPLES, merges.groups); group++) {
    const start = merges.start[group] as number;
    const [a, b] = [merges.nodes[start] as number, merges.nodes[start + 1] as number];
    examples.push([nodes.targets[a] as string, nodes.targets[b] as string]);
  }
  return examples;
}

function checkPageLoss(share = 0.001): number {
  if (!(share >= 0 && share <= 1)) {
    throw new UrlmillError("BAD_OPTION", `option maxPageLoss cannot be ${share}: expected 0 to 1`);
  }
  return share;
}
