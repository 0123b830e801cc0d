import { ANY_SITE, isOfSite, type Rule, type Unless } from "../site-rules/rule.ts";
import { ChangeFinder } from "./count/changes.ts";
import { Components } from "./count/components.ts";
import { MergeGatherer } from "./count/merges.ts";
import type { Site } from "./site/site.ts";
import { firstStage } from "./site/stage.ts";
import { mostChanged, roundedBound, wilson } from "./thresholds/bound.ts";
import { THRESHOLDS } from "./thresholds/thresholds.ts";

/** The share of merges that must be right at least. */
const RIGHT = 0.9;
/** A page or two may have changed, where URLs that were captured twice do not tell how many did. */
const FEWEST_WRONG = 3;

/**
 * Says what pages tell of a rule. `keep`: at least nine of ten merges are right, of five pages or more. `harmful`: fewer are,
 * and three merges or more are wrong. Both are bounds at 95 %, by `likely`. `no evidence`: too few URLs tell.
 */
export type Verdict = "keep" | "harmful" | "no evidence";

/** Counts what a rule does to the URLs of a site, or of all. */
export interface Audited {
  /** Counts the URLs that it changes. */
  changed: number;
  /** Counts merges of URLs with one page, and with different pages. */
  right: number;
  wrong: number;
  /** Estimates the merges that are right, or wrong because a page had changed, by the URLs that were captured twice. */
  likely: number;
  /** Counts the pages that have right merges, and no wrong one. */
  pages: number;
  /** Estimates the pages that no crawl would see any more, but for those that had changed when they were fetched. */
  lost: number;
}

/** Counts what rules do to pages, each as if it were the only one. */
export class RuleAudit {
  /** The rules that are judged: one for each name that a rule drops. */
  readonly rules: readonly Rule[];
  readonly #sites: readonly Map<string, Audited>[];

  constructor(rules: readonly Rule[]) {
    this.rules = rules.flatMap(singleRules);
    this.#sites = this.rules.map(() => new Map());
  }

  /** Adds the URLs and pages of a site. */
  add(site: Site): void {
    const finder = new ChangeFinder(site.nodes);
    const { pages } = firstStage(site.name, site.nodes, site.known);
    const gatherer = new MergeGatherer(site.nodes.index);
    const components = new Components(pages);
    for (const [number, rule] of this.rules.entries()) {
      const own = rule.action.type === "host" ? null : ownRule(rule, site.name);
      if (own === null) continue;
      const changes = finder.changes(own);
      if (changes.nodes.length === 0) continue;
      let [urls, singles] = [0, 0];
      const effect = components.effect(gatherer.gather(changes), ({ known, single }) => {
        urls += known;
        singles += single;
      });
      const { right, wrong, rightGroups } = effect;
      const chance = Math.min(singles, mostChanged(urls, pages.changed));
      const likely = Math.max(right / pages.equality, right + Math.min(wrong, chance));
      this.#sites[number]?.set(site.name, {
        changed: changes.nodes.length,
        right,
        wrong,
        likely: Math.min(right + wrong, likely),
        pages: rightGroups,
        lost: Math.max(0, effect.lost - chance),
      });
      finder.forget(changes);
    }
  }

  /** Returns what a rule does to each site that it changes, by the number of the rule. */
  sites(rule: number): ReadonlyMap<string, Audited> {
    return this.#sites[rule] as Map<string, Audited>;
  }

  /** Returns what a rule does to all sites. */
  total(rule: number): Audited {
    return sumOf([...this.sites(rule)], () => true);
  }

  /**
   * Returns the rules to keep, each with its evidence. A rule leaves alone the sites on which it is harmful, and is judged
   * by the others.
   */
  kept(): Rule[] {
    return this.rules.flatMap((rule, number) => {
      if (this.verdict(number) !== "keep") return [];
      const sites = [...this.sites(number)];
      const harmful = sites.filter(([, audited]) => verdictOf(audited) === "harmful");
      const { right, wrong } = sumOf(sites, (audited) => verdictOf(audited) !== "harmful");
      const evidence = {
        level: "fingerprint",
        n: right + wrong,
        ok: right,
        lb: roundedBound(right, right + wrong),
      } as const;
      const hosts = new Set(harmful.map(([site]) => hostOf(site)));
      const others = [...hosts].map((site) => ({ site, condition: ALL }));
      const unless = [...(rule.unless ?? []), ...others];
      return [{ ...rule, evidence, ...(unless.length === 0 ? {} : { unless }) }];
    });
  }

  /** Returns the verdict on a rule, by the sites on which it is not harmful; `harmful` if it is on all that tell. */
  verdict(rule: number): Verdict {
    const sites = [...this.sites(rule)];
    const rest = verdictOf(sumOf(sites, (audited) => verdictOf(audited) !== "harmful"));
    if (rest === "keep") return rest;
    const isHarmful = sites.some(([, audited]) => verdictOf(audited) === "harmful");
    return isHarmful ? "harmful" : rest;
  }
}

const ALL = { path: null, params: [] } as const;

function sumOf(
  sites: readonly (readonly [string, Audited])[],
  isCounted: (audited: Audited) => boolean,
): Audited {
  const sum: Audited = { changed: 0, right: 0, wrong: 0, likely: 0, pages: 0, lost: 0 };
  for (const [, site] of sites) {
    if (!isCounted(site)) continue;
    for (const name of Object.keys(sum) as (keyof Audited)[]) sum[name] += site[name];
  }
  return sum;
}

export function verdictOf({ right, wrong, likely, pages }: Audited): Verdict {
  const merges = right + wrong;
  const others = merges - likely;
  if (others >= FEWEST_WRONG && wilson(others, merges) > 1 - RIGHT) return "harmful";
  return pages >= THRESHOLDS.classes && wilson(likely, merges) >= RIGHT ? "keep" : "no evidence";
}

/** Returns a rule for each name that a rule drops. */
export function singleRules(rule: Rule): Rule[] {
  const { action } = rule;
  if (action.type !== "drop") return [rule];
  return action.params.map((name) => ({ ...rule, action: { ...action, params: [name] } }));
}

/** Returns a rule as it is on one site; null if it does not apply there. */
export function ownRule(rule: Rule, site: string): Rule | null {
  const { unless = [], ...others } = rule;
  if (!isOfSite(rule.site, site)) return null;
  const near = unless.filter((each) => isOfSite(each.site, hostOf(site)));
  if (near.some(({ condition: { path, params } }) => path === null && params.length === 0)) {
    return null;
  }
  const own: Unless[] = near.map((each) => ({ ...each, site: ANY_SITE }));
  return { ...others, site, ...(own.length === 0 ? {} : { unless: own }) };
}

function hostOf(site: string): string {
  return site.replace(/:\d+$/, "");
}
