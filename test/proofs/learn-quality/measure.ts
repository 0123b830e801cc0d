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
  /** Pages of all URLs, and those never fetched. */
  pages: number;
  lost: number;
}

/** Returns a measure of zeros. */
export function noMeasure(): Measure {
  return { arrived: 0, redundant: 0, right: 0, wrong: 0, pages: 0, lost: 0 };
}

/** Adds one measure to another, in place. */
export function addMeasure(to: Measure, measure: Measure): void {
  for (const name of Object.keys(to) as (keyof Measure)[]) to[name] += measure[name];
}

/**
 * Simulates a crawl: `known` URLs were fetched, then the others come in their order and are skipped where
 * their key has been seen. `keys` are those of the known and then of the arriving.
 */
export function simulate(
  known: readonly LabelledUrl[],
  arriving: readonly LabelledUrl[],
  keys: readonly string[],
): Measure {
  const seen = new Set<string>();
  const fetched = new Set<string>();
  for (const [index, { page }] of known.entries()) {
    seen.add(keys[index] as string);
    fetched.add(page);
  }
  const there = new Set(fetched);
  const measure = noMeasure();
  for (const [index, { page }] of arriving.entries()) {
    measure.arrived++;
    if (there.has(page)) measure.redundant++;
    there.add(page);
    const key = keys[known.length + index] as string;
    if (!seen.has(key)) {
      seen.add(key);
      fetched.add(page);
    } else if (fetched.has(page)) {
      measure.right++;
    } else {
      measure.wrong++;
    }
  }
  measure.pages = there.size;
  measure.lost = there.size - fetched.size;
  return measure;
}
