import { countSite, learn, type Rule, type Site, SiteCollector } from "urlmill/learn";
import type { LabelledSite } from "./labelled-site.ts";

const FIRST = 10;
/** Share of right merges that makes a proposal right. */
const RIGHT = 0.9;

/** Counts how many of the first ten proposals are right, and how many there are. */
export interface Precision {
  readonly right: number;
  readonly of: number;
}

/** Judges what is proposed without fingerprints by the classes of the pages. */
export function proposalPrecision({ urls }: LabelledSite, uses: "sizes" | "URLs"): Precision {
  const collector = new SiteCollector();
  collector.add(urls.map(({ url, page }) => ({ url, fp: `cls:${page}` })));
  const judges = new Map([...collector.sites()].map((site) => [site.name, site]));
  const learned = learn(
    urls.map(({ url, size }) => (uses === "URLs" || size === undefined ? { url } : { url, size })),
  );
  const first = learned.sites.flatMap(({ proposed }) => proposed).slice(0, FIRST);
  const right = first.filter(({ rule }) => {
    const site = judges.get(rule.site);
    if (site === undefined) return false;
    const effect = effectOf(rule, site);
    return effect.right > 0 && effect.right >= RIGHT * (effect.right + effect.wrong);
  });
  return { right: right.length, of: first.length };
}

/** Counts the merges of URLs with one page, and with different pages, that a rule makes in one step. */
function effectOf(rule: Rule, site: Site): { right: number; wrong: number } {
  const { known, nodes: urls } = site;
  const { rules } = countSite(site, [{ rule, changes: null }]);
  const { nodes, low, high } = (rules[0] as (typeof rules)[number]).changes;
  const isChanged = new Set(nodes);
  const groups = new Map<string, number[]>();
  for (const [at, node] of nodes.entries()) {
    const hash = { low: low[at] as number, high: high[at] as number };
    const own = urls.index.find(hash);
    const key = `${hash.low} ${hash.high}`;
    const group = groups.get(key) ?? (own >= 0 && !isChanged.has(own) ? [own] : []);
    groups.set(key, group);
    group.push(node);
  }
  let right = 0;
  let wrong = 0;
  for (const group of groups.values()) {
    const pages = group.map((node) => new Set(known.fingerprints[node]));
    const distinct = new Set(pages.flatMap((each) => [...each])).size;
    const sum = pages.reduce((all, { size }) => all + size, 0);
    right += sum - distinct;
    wrong += distinct - 1 - sum + group.length;
  }
  return { right, wrong };
}
