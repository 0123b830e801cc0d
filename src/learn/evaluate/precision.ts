import { ChangeFinder } from "../count/changes.ts";
import { EffectCounter } from "../count/counted.ts";
import { learn } from "../learn.ts";
import { SiteCollector } from "../site/collector.ts";
import { declaredPages, fingerprintPages } from "../site/known.ts";
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
  const judges = new Map(
    [...collector.sites()].map((site) => {
      const counter = new EffectCounter(
        site.nodes.index,
        fingerprintPages(site.known),
        declaredPages(site.known),
      );
      return [site.name, { counter, finder: new ChangeFinder(site.nodes) }];
    }),
  );
  const learned = learn(
    urls.map(({ url, size }) => (uses === "URLs" || size === undefined ? { url } : { url, size })),
  );
  const first = learned.sites.flatMap(({ proposed }) => proposed).slice(0, FIRST);
  const right = first.filter(({ rule }) => {
    const judge = judges.get(rule.site);
    if (judge === undefined) return false;
    const { effect } = judge.counter.count(rule, judge.finder.changes(rule));
    return effect.right > 0 && effect.right >= RIGHT * (effect.right + effect.wrong);
  });
  return { right: right.length, of: first.length };
}
