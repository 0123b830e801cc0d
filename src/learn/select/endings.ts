import { entryOf } from "../../base/tallies.ts";
import type { Stage } from "../site/stage.ts";
import { wilson } from "../thresholds/bound.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import type { Family } from "./families.ts";

type Pages = Pick<Stage, "nodes" | "pages">;

/** Holds the endings of other URLs (families.ts) that say something of what a rule makes one. */
export interface Endings {
  /** Where such a URL is known, the URLs that the rule makes one have several pages more often than elsewhere. */
  readonly relevant: ReadonlySet<string>;
  /**
   * Of these, the endings that nearly never have the page of the URL that the rule makes. So `.<N>` tells of the later
   * pages of a topic: one URL with it is enough to know that the topic has several.
   */
  readonly telling: ReadonlySet<string>;
}

/** Returns the endings of a rule's families that say something. */
export function endingsOf(families: ReadonlyMap<string, Family>, stage: Pages): Endings {
  const relevant = relevantEndings(families.values(), stage);
  return { relevant, telling: tellingEndings(families, relevant, stage) };
}

/** Counts cases, and those of them in which something holds. */
interface Tally {
  all: number;
  true: number;
}

function count(tallies: Map<string, Tally>, ending: string, holds: boolean): void {
  const tally = entryOf(tallies, ending, () => ({ all: 0, true: 0 }));
  tally.all++;
  if (holds) tally.true++;
}

function relevantEndings(families: Iterable<Family>, { pages }: Pages): Set<string> {
  const tallies = new Map<string, Tally>();
  const all = { all: 0, true: 0 };
  for (const { merged, others } of families) {
    const known = merged.map((node) => pages.page[node] as number).filter((page) => page >= 0);
    if (known.length < 2) continue;
    const isSeveral = known.some((page) => page !== known[0]);
    all.all++;
    if (isSeveral) all.true++;
    for (const ending of new Set(others.map(({ ending }) => ending))) {
      count(tallies, ending, isSeveral);
    }
  }
  const isRelevant = (tally: Tally): boolean => {
    const elsewhere = all.all - tally.all;
    const single = elsewhere - (all.true - tally.true);
    const least = wilson(tally.true, tally.all, THRESHOLDS.boundPoint);
    return (
      tally.all >= THRESHOLDS.classes &&
      least > 1 - wilson(single, elsewhere, THRESHOLDS.boundPoint)
    );
  };
  return new Set([...tallies].filter(([, tally]) => isRelevant(tally)).map(([ending]) => ending));
}

function tellingEndings(
  families: ReadonlyMap<string, Family>,
  relevant: ReadonlySet<string>,
  { nodes, pages }: Pages,
): Set<string> {
  const tallies = new Map<string, Tally>();
  for (const [made, { merged, others }] of families) {
    const own = merged.find((node) => nodes.targets[node] === made);
    const page = own === undefined ? -1 : (pages.page[own] as number);
    if (page < 0) continue;
    for (const { node, ending } of others) {
      const other = pages.page[node] as number;
      if (other >= 0 && relevant.has(ending)) count(tallies, ending, other !== page);
    }
  }
  const isTelling = (tally: Tally) =>
    wilson(tally.true, tally.all, THRESHOLDS.boundPoint) >= THRESHOLDS.bound;
  return new Set([...tallies].filter(([, tally]) => isTelling(tally)).map(([ending]) => ending));
}
