import { areOtherPages } from "./clearly-other.ts";
import type { LabelledUrl } from "./labelled-site.ts";

/**
 * Counts what a crawler gains and loses that skips URLs whose key is known; measures of several
 * sites add up.
 */
export interface Measure {
  /** URLs that arrived, and of these those whose page had come before. */
  arrived: number;
  redundant: number;
  /** URLs skipped whose page was fetched, and whose page was not. */
  right: number;
  wrong: number;
  /** URLs skipped for one that was fetched and has another page: by the labels, and clearly another. */
  misnamed: number;
  other: number;
  /** Those of which nothing but the labels tells how different the two pages are; and those that numbers of shingles leave open. */
  blind: number;
  open: number;
  /** Pages of all URLs, and those never fetched. */
  pages: number;
  lost: number;
}

/** Returns a measure of zeros. */
export function noMeasure(): Measure {
  return {
    arrived: 0,
    redundant: 0,
    right: 0,
    wrong: 0,
    misnamed: 0,
    other: 0,
    blind: 0,
    open: 0,
    pages: 0,
    lost: 0,
  };
}

/** Adds one measure to another, in place. */
export function addMeasure(to: Measure, measure: Measure): void {
  for (const name of Object.keys(to) as (keyof Measure)[]) to[name] += measure[name];
}

/**
 * Simulates a crawl: `known` URLs were fetched, then the others come in their order and are skipped where
 * their key has been seen. `keys` are those of the known and then of the arriving; `told` returns the keys that an
 * arriving URL's page says are its own. Such a key is seen from then on, unless it was before.
 *
 * A URL that is skipped is claimed to have the page of the URL that its key names: the one with that text, else the first.
 */
export function simulate(
  known: readonly LabelledUrl[],
  arriving: readonly LabelledUrl[],
  keys: readonly string[],
  told: (index: number) => readonly string[] = () => [],
): Measure {
  const named = new Map<string, LabelledUrl>();
  const fetched = new Set<string>();
  for (const [index, url] of known.entries()) {
    const key = keys[index] as string;
    if (!named.has(key) || url.url === key) named.set(key, url);
    fetched.add(url.page);
  }
  const there = new Set(fetched);
  const measure = noMeasure();
  for (const [index, url] of arriving.entries()) {
    const { page } = url;
    measure.arrived++;
    if (there.has(page)) measure.redundant++;
    there.add(page);
    const key = keys[known.length + index] as string;
    const claimed = named.get(key);
    if (claimed === undefined) {
      named.set(key, url);
      fetched.add(page);
      for (const other of told(index)) if (!named.has(other)) named.set(other, url);
      continue;
    }
    if (fetched.has(page)) measure.right++;
    else measure.wrong++;
    if (claimed.page !== page) addMisnamed(measure, claimed, url);
  }
  measure.pages = there.size;
  measure.lost = there.size - fetched.size;
  return measure;
}

function addMisnamed(measure: Measure, claimed: LabelledUrl, url: LabelledUrl): void {
  measure.misnamed++;
  const verdict = areOtherPages(claimed, url);
  if (verdict === "other") measure.other++;
  else if (verdict === "open") measure.open++;
  else if (verdict === "blind") measure.blind++;
}
