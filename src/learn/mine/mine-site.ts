import { addCount } from "../../base/tallies.ts";
import { writeAction } from "../../site-rules/language/action-text.ts";
import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Rule } from "../../site-rules/rule.ts";
import type { Changes } from "../count/change-list.ts";
import { ChangeFinder, neededText } from "../count/changes.ts";
import { type Counted, counterOf, type MinedRule, tallyOf } from "../count/counted.ts";
import type { Site } from "../site/site.ts";
import { firstStage, type Stage } from "../site/stage.ts";
import { wilson } from "../thresholds/bound.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import { isVersionLike } from "../thresholds/version-like.ts";
import { pathConditionsOf } from "./attributes.ts";
import { Candidates, readBack } from "./candidates.ts";
import { mineUrls } from "./mine-urls.ts";
import { addPairs } from "./pairs.ts";
import { findSinks } from "./sinks.ts";
import { MIN_RIGHT, specialize } from "./specialize.ts";

/** A difference is counted if this many pages, or declarations, have it. */
const MIN_PAGES = 4;
const MIN_DECLARED = 3;
/** Limits the paths for which the rule of one header is counted. */
const MOST_PATHS = 20;
/** Limits the rules counted for a site, before conditions are added to them. */
const MOST = 300;
/** Limits the rules that are counted with too few pages, so that the report can say why they are refused. */
const MAX_VERSIONS = 20;

/** Returns whether a rule may be selected. */
export type Keeps = (counted: Counted) => boolean;

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
  return mineStage(firstStage(name, nodes, known), options.keeps, variedRules(site));
}

/** Returns the rules that are worth counting on a stage of a site, as `mineSite` does, and more. */
export function mineStage(stage: Stage, keeps: Keeps = () => true, more: Rule[] = []): MinedRule[] {
  const { name, nodes, pages, declared, slashes } = stage;
  const found = new Map<string, MinedRule>();
  const keep = (mined: MinedRule): void => {
    const line = writeRule(mined.rule);
    const isCounted = (mined.changes ?? mined.ruledOut) !== undefined;
    if (isCounted || !found.has(line)) found.set(line, mined);
  };
  for (const rule of more) keep({ rule });
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
    const { merges, effect, examples } = keepCounted(rule, changes);
    if (effect.wrongGroups === 0 || effect.rightGroups < MIN_RIGHT) continue;
    if (isVersionLike(rule, examples)) continue;
    for (const special of specialize(rule, merges, nodes, pages, paths)) {
      keepCounted(special, finder.narrowed(changes, special.condition));
    }
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, mined]) => mined);
}

/**
 * Returns the rules that answers declare by `No-Vary-Search`: for the site, and for each path, if three or more answers have
 * the header there, and next to no known answer lacks it; no URL, if no fingerprint tells which were fetched.
 */
function variedRules({ name, nodes, known: { fingerprints, variations } }: Site): Rule[] {
  const paths = pathConditionsOf(nodes);
  const countByPath = (urls: Iterable<number>): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const node of urls) for (const path of ["*", ...paths(node)]) addCount(counts, path);
    return counts;
  };
  const isBlind = fingerprints.every(({ length }) => length === 0);
  const isFetched = (node: number) => isBlind || fingerprints[node]?.length !== 0;
  const all = countByPath([...fingerprints.keys()].filter(isFetched));
  return [...variations].flatMap(([action, targets]) => {
    const own = countByPath([...new Set([...targets].flat())].filter(isFetched));
    const lacking = (path: string) => (all.get(path) ?? 0) - (own.get(path) ?? 0);
    const most = (said: number) => (said < MIN_DECLARED ? -1 : THRESHOLDS.against * said);
    return [...countByPath(targets.keys())]
      .filter(([path, said]) => lacking(path) <= most(said))
      .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      .slice(0, MOST_PATHS)
      .flatMap(([path]) => readBack(`${name}\t${path}\t${action}`));
  });
}

/** Returns how long the text is that every URL has which a rule changes. */
function lengthOf({ action }: Rule): number {
  return neededText(action).length;
}

/** One URL in so many is looked at to leave out a rule early, on sites with at least so many URLs. */
const ONE = 16;
const MIN_URLS = 20_000;
/** The point of the bound: one in two thousand such rules is refused by chance. */
const POINT = 3.3;

/**
 * Returns a test of rules that could take versions for one: whether a part of the URLs tells that the rule is refused.
 * The documents of a library have hundreds of such rules, each of which changes a large part of the site.
 */
export function prunedVersions(stage: Stage, finder: ChangeFinder): (rule: Rule) => boolean {
  const { count } = stage.nodes;
  const counter = counterOf(stage);
  // Nodes are in the order of their texts, so neighbours are alike.
  const isSampled = (node: number) => (Math.imul(node, 0x9e3779b1) >>> 16) % ONE === 0;
  const sample = Int32Array.from({ length: count }, (_, node) => node).filter(isSampled);
  return (rule) => {
    if (count < MIN_URLS || !isVersionLike(rule)) return false;
    const changes = finder.changesAmong(sample, rule);
    const { effect, examples } = counter.count(rule, changes);
    const { right, wrong } = effect;
    finder.forget(changes);
    return (
      isVersionLike(rule, examples) &&
      1 - wilson(wrong, right + wrong, POINT) < THRESHOLDS.versionBound
    );
  };
}

/** Returns the rule that adds slashes, for a site that does so. */
function addedSlashes({ name, slashes }: Pick<Stage, "name" | "slashes">): Rule[] {
  return slashes === "adds" ? readBack(`${name}\t*\tslash path`) : [];
}

/** Returns whether all that a rule does is to take the slash at the end of a path. */
export function takesSlash({ action }: Rule): boolean {
  if (action.type === "path") return writeAction(action, "") === "path /.../ => /<1>";
  if (action.type !== "sub") return false;
  const [first, second, ...more] = action.from;
  if (first?.kind !== "text" || more.length > 0) return false;
  const left = action.to.join("");
  if (second?.kind === "end") return first.text === `${left}/`;
  return second === undefined && left !== first.text && left === first.text.replace("/?", "?");
}
