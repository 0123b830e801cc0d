import { UrlmillError } from "../base/errors.ts";
import { addCount, addMember } from "../base/tallies.ts";
import { writeEvidence } from "../site-rules/language/evidence-text.ts";
import { parseSkipLine, type Skip } from "../site-rules/language/skip-line.ts";
import type { EvidenceLevel, Rule } from "../site-rules/rule.ts";
import { mixedHash } from "../site-rules/skip-filter.ts";
import { KeyReader, knownKeys, UNSURE } from "./aliases/keys.ts";
import type { SiteEvidence } from "./count/counted.ts";
import { paramConditions, pathConditionsOf } from "./mine/attributes.ts";
import { INDEXED, type Known, NOINDEX, PAGELESS } from "./site/known.ts";
import { Nodes } from "./site/nodes.ts";
import { firstStage, type Stage } from "./site/stage.ts";
import { roundedBound } from "./thresholds/bound.ts";
import { THRESHOLDS } from "./thresholds/thresholds.ts";

/** Says which shapes are written: those of many known URLs that need not be fetched, and next to no other. */
interface Gate {
  readonly level: EvidenceLevel;
  /** Holds the third column of the line. */
  readonly text: string;
  /** Counts the URLs to skip that a shape has at least. */
  readonly fewest: number;
  /** Limits the share of its other URLs. */
  readonly others: number;
  /** Returns whether so many URLs to skip, of so many, are enough. */
  readonly isEnough: (ok: number, n: number) => boolean;
}

const MOST_INDEXED = 0.01;
const NOINDEX_GATE: Gate = {
  level: "declared",
  text: "noindex",
  fewest: 10,
  others: MOST_INDEXED,
  isEnough: (ok, n) => n - ok <= MOST_INDEXED * n,
};

/** Says that a pattern brings a new page for less than one URL in twenty, with 95 % confidence. */
const BRINGS_NOTHING = 0.95;

function exhaustedGate(day: string): Gate {
  return {
    level: "fingerprint",
    text: `exhausted ${day}`,
    // With fewer URLs, no bound is above the limit.
    fewest: 73,
    others: 1 - BRINGS_NOTHING,
    isEnough: (ok, n) => roundedBound(ok, n) > BRINGS_NOTHING,
  };
}

/**
 * Returns which shapes of a site's URLs, after its rules, a crawl need not fetch. `day`: that of lines of exhausted patterns;
 * undefined if none are wanted.
 */
export function skipsOfSite(evidence: SiteEvidence, rules: readonly Rule[], day?: string): Skip[] {
  const { site, nodes, known } = evidence;
  const stage = firstStage(site, nodes, known);
  const keys = new KeyReader(stage, rules);
  const exhausted =
    day === undefined ? [] : shapesOf(site, broughtNothing(stage, known, keys), exhaustedGate(day));
  return [...shapesOf(site, keptOut(known, keys), NOINDEX_GATE), ...exhausted];
}

/** Says of each key whether all that was read of it keeps itself out of indexes. Is empty if nothing does. */
function keptOut({ indexing }: Known, keys: KeyReader): Map<string, boolean> {
  const isOut = new Map<string, boolean>();
  if (!indexing.includes(NOINDEX)) return isOut;
  for (const [node, said] of indexing.entries()) {
    if ((said & ~PAGELESS) === 0) continue;
    const key = keys.of(node);
    isOut.set(key, (isOut.get(key) ?? true) && (said & (NOINDEX | INDEXED)) === NOINDEX);
  }
  return isOut;
}

/**
 * Says of each key whether an earlier one has its page. Without the time of each, the order is by a hash: in a list that is
 * sorted, the pages would all be those of the pattern that sorts first.
 */
function broughtNothing(
  stage: Stage,
  { failed, times }: Known,
  keys: KeyReader,
): Map<string, boolean> {
  const { pageOf } = knownKeys(stage, failed ?? new Set(), keys);
  const first = new Map<string, number>();
  for (const [node, page] of stage.pages.page.entries()) {
    if (page < 0) continue;
    const key = keys.of(node);
    first.set(key, Math.min(first.get(key) ?? Infinity, times[node] as number));
  }
  const isTimed = [...first.values()].every(Number.isFinite);
  const place = (key: string) => (isTimed ? (first.get(key) as number) : mixedHash(key));
  const seen = new Set<number>();
  const order = Array.from(first.keys(), (key) => ({ key, at: place(key) }));
  return new Map(
    order
      .toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
      .map(({ key }) => {
        const page = pageOf.get(key) ?? UNSURE;
        const isKnown = page !== UNSURE && seen.has(page);
        seen.add(page);
        return [key, isKnown];
      }),
  );
}

interface Shape {
  readonly condition: string;
  readonly members: readonly number[];
  readonly ok: number;
}

/**
 * Returns lines for the shapes of URLs to skip that pass a gate. The narrow ones come first: a wider one is written instead
 * of them if what they leave of it passes too, and if it has several URLs or narrower shapes, so that one odd URL does not
 * make a directory of a script.
 */
function shapesOf(site: string, isSkipped: ReadonlyMap<string, boolean>, gate: Gate): Skip[] {
  if (isSkipped.size < gate.fewest) return [];
  const skipped = [...isSkipped.values()];
  const owner = new Int32Array(skipped.length).fill(-1);
  const found: Shape[] = [];
  for (const shape of candidates([...isSkipped.keys()], skipped, gate)) {
    const { members, ok } = shape;
    if (!gate.isEnough(ok, members.length)) continue;
    const rest = members.filter((at) => (owner[at] as number) < 0);
    const others = rest.filter((at) => skipped[at] === false).length;
    const narrower = new Set(members.map((at) => owner[at] as number));
    narrower.delete(-1);
    const breadth = rest.length - others + narrower.size;
    if (others > gate.others * rest.length || breadth < THRESHOLDS.classes) continue;
    for (const at of members) owner[at] = found.length;
    found.push(shape);
  }
  const left = new Set(owner);
  return found
    .filter((_, number) => left.has(number))
    .toSorted((a, b) => (a.condition < b.condition ? -1 : 1))
    .flatMap((shape) => lineOf(site, shape, gate));
}

/** Returns the conditions that enough URLs to skip meet, with all URLs that meet them, the narrowest first. */
function candidates(
  targets: readonly string[],
  skipped: readonly boolean[],
  { fewest }: Gate,
): Shape[] {
  const nodes = new Nodes(
    targets,
    targets.map(() => false),
  );
  const paths = pathConditionsOf(nodes);
  const paramsOf = (node: number) =>
    [...new Set(paramConditions(node, nodes))].map((test) => `?${test}`);
  const counts = new Map<string, number>();
  for (const node of targets.keys()) {
    if (skipped[node] === false) continue;
    for (const part of [...paths(node), ...paramsOf(node)]) addCount(counts, part);
  }
  const isFrequent = (part: string) => (counts.get(part) ?? 0) >= fewest;
  const members = new Map<string, number[]>();
  for (const node of targets.keys()) {
    const own = paths(node).filter(isFrequent);
    for (const path of own) addMember(members, path, node);
    for (const param of paramsOf(node).filter(isFrequent))
      for (const path of ["*", ...own]) addMember(members, `${path} ${param}`, node);
  }
  return Array.from(members, ([condition, all]) => ({
    condition,
    members: all,
    ok: all.filter((node) => skipped[node]).length,
  }))
    .filter(({ ok }) => ok >= fewest)
    .toSorted(
      ({ members: a, condition: c }, { members: b, condition: d }) =>
        a.length - b.length || said(d) - said(c) || (c < d ? -1 : 1),
    );
}

/** Counts what a condition asks for: more of two that the same URLs meet is narrower. */
function said(condition: string): number {
  return condition.replace("...", "").length;
}

/** Returns the line of a shape; an empty list if the language cannot express its condition. */
function lineOf(site: string, { condition, members, ok }: Shape, { level, text }: Gate): Skip[] {
  const n = members.length;
  const evidence = writeEvidence({ level, n, ok, lb: roundedBound(ok, n) });
  try {
    return [parseSkipLine([site, condition, text, evidence].join("\t")) as Skip];
  } catch (error) {
    if (error instanceof UrlmillError) return [];
    throw error;
  }
}
