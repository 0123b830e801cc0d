import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { Changes } from "../count/change-list.ts";
import { ChangeFinder, neededText } from "../count/changes.ts";
import { type Counted, counterOf, tallyOf } from "../count/counted.ts";
import type { MinedRule } from "../count/evidence.ts";
import type { Site } from "../site/site.ts";
import { firstStage, type Stage } from "../site/stage.ts";
import { isVersionLike } from "../thresholds/version-like.ts";
import { pathConditionsOf } from "./attributes.ts";
import { Candidates, readBack } from "./candidates.ts";
import { mineUrls } from "./mine-urls.ts";
import { addPairs } from "./pairs.ts";
import { prunedVersions } from "./pruned-versions.ts";
import { findSinks } from "./sinks.ts";
import { addedSlashes, takesSlash } from "./slash-rules.ts";
import { MIN_RIGHT, specialize } from "./specialize.ts";

/** A difference is counted if this many pages, or declarations, have it. */
const MIN_PAGES = 4;
const MIN_DECLARED = 3;
/** Limits the rules counted for a site, before conditions are added to them. */
const MOST = 300;
/** Limits the rules that are counted with too few pages, so that the report can say why they are refused. */
const MAX_VERSIONS = 20;

/** Returns whether a rule may be selected. */
export type Keeps = (counted: Counted) => boolean;

/** Holds the options of mining. */
export interface MineOptions {
  /** Says for which rules the URLs that they change are kept. @internal */
  readonly keeps?: Keeps;
}

/**
 * Returns the rules that are worth counting on a site, by their text: what makes URLs of one page differ, sinks, and
 * failing rules with one condition more.
 *
 * @example
 * const collector = new SiteCollector();
 * collector.add([{ url: "http://a/?sid=1" }]);
 * const [site] = collector.sites();
 * mineSite(site).map(({ rule }) => rule.site); // []
 */
export function mineSite(site: Site, options: MineOptions = {}): MinedRule[] {
  const { name, nodes, known } = site;
  return mineStage(firstStage(name, nodes, known), options.keeps);
}

/** Returns the rules that are worth counting on a stage of a site, as `mineSite` does. */
export function mineStage(stage: Stage, keeps: Keeps = () => true): MinedRule[] {
  const { name, nodes, pages, declared, slashes } = stage;
  const found = new Map<string, MinedRule>();
  const keep = (mined: MinedRule): void => {
    const line = writeRule(mined.rule);
    const isCounted = (mined.changes ?? mined.ruledOut) !== undefined;
    if (isCounted || !found.has(line)) found.set(line, mined);
  };
  const said = new Candidates();
  addPairs(nodes, declared, said);
  // That two URLs are one page does not say which of them answers.
  const isContradicted = (rule: Rule) =>
    slashes !== "removes" && slashes !== null && takesSlash(rule);
  for (const rule of said.list(name, MIN_DECLARED, MOST)) if (!isContradicted(rule)) keep({ rule });
  for (const rule of addedSlashes(stage)) keep({ rule });
  if (nodes.isHttps.includes(true) && nodes.isHttps.includes(false)) {
    for (const rule of readBack(`${name}\t*\tscheme https`)) keep({ rule });
  }
  if (pages.total === 0) {
    for (const rule of mineUrls(name, nodes)) if (!isContradicted(rule)) keep({ rule });
  }
  for (const rule of findSinks(name, nodes, pages)) keep({ rule });
  const candidates = new Candidates();
  addPairs(nodes, pages, candidates);
  const finder = new ChangeFinder(nodes);
  const counter = counterOf(stage);
  const paths = pathConditionsOf(nodes);
  const keepCounted = (rule: Rule, changes: Changes): Counted => {
    const counted = counter.count(rule, changes);
    if (keeps(counted)) {
      keep({ rule, changes });
    } else {
      keep({ rule, ruledOut: tallyOf(counted) });
      finder.forget(changes);
    }
    return counted;
  };
  const listed = candidates.list(name, MIN_PAGES, MOST, MAX_VERSIONS);
  const isPruned = prunedVersions(stage, finder);
  // What has a long text is found among what has a part of it.
  for (const rule of listed.toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    if (slashes === "adds" && takesSlash(rule)) continue;
    if (isPruned(rule)) continue;
    const changes = finder.changes(rule);
    const { merges, effect } = keepCounted(rule, changes);
    if (effect.wrongGroups === 0 || effect.rightGroups < MIN_RIGHT || isVersionLike(rule)) continue;
    for (const special of specialize(rule, merges, nodes, pages, paths)) {
      keepCounted(special, finder.narrowed(changes, special.condition));
    }
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, mined]) => mined);
}

/** Returns how long the text is that every URL has which a rule changes. */
function lengthOf({ action }: Rule): number {
  return neededText(action).length;
}
