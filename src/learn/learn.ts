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

export interface LearnOptions {
  /** Share of a site's pages that its rules may lose; default 0.001. */
  readonly maxPageLoss?: number;
}

/** A rule that was looked at, and what it would do if it were the only one. */
export interface JudgedRule {
  readonly rule: Rule;
  readonly effect: Readonly<Effect>;
  /** URLs, path and query, that it makes one, two by two; none where only evidence was at hand. */
  readonly examples: readonly (readonly [string, string])[];
}

/** What was learned of one site. */
export interface LearnedSite {
  readonly site: string;
  readonly urls: number;
  /** Different pages by fingerprint, and URLs beyond one for each. */
  readonly pages: number;
  readonly redundant: number;
  /** In the order they are applied, with evidence. */
  readonly selected: readonly JudgedRule[];
  /** Rules of a site without fingerprints to look into (E4, E5), best first: not for use by default. */
  readonly proposed: readonly JudgedRule[];
  readonly refused: readonly (JudgedRule & { readonly why: Refusal | "order matters" })[];
  /** What all selected rules do together: right merges are the redundancy they remove. */
  readonly effect: Readonly<Effect>;
}

export interface Learned {
  /** Of all sites, by their names; a site's rules in the order they are applied. */
  readonly rules: readonly Rule[];
  readonly sites: readonly LearnedSite[];
  readonly records: number;
  /** Records that nothing can be learned from: no http or https URL, or too long. */
  readonly skipped: number;
}

/** Learns rules from records, which may come in any order. */
export function learn(records: readonly LearnRecord[], options: LearnOptions = {}): Learned {
  const collector = new SiteCollector();
  collector.add(records);
  return learnSites(collector, options);
}

/** The same for records that were added one batch after the other. */
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

/** Selects rules by the evidence of sites, each of which is complete. */
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
    return { ...site, selected: [{ rule, effect: noEffect(), examples: [] }, ...site.selected] };
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
