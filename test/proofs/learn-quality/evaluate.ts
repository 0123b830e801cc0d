import { createNormalizer } from "urlmill";
import { type Fold, type HoldOut, holdOutClasses, holdOutUrls } from "./hold-out.ts";
import type { LabelledSite } from "./labelled-site.ts";
import { addMeasure, type Measure, noMeasure, simulate } from "./measure.ts";
import type { Method } from "./methods.ts";

/** Says what one method did on one site. */
export interface Evaluation {
  readonly method: string;
  readonly site: string;
  /** Rules learned in the first round, by URL. */
  readonly rules: number;
  readonly byUrl: Measure;
  readonly byClass: Measure;
  /** Seconds that learning took, of all rounds. */
  readonly seconds: number;
}

/** Splits of a site that are measured: one may have been lucky. */
const ROUNDS = 3;

/** Measures a method on a site, on what it was not learned from; measures of the rounds are added up. */
export function evaluate(
  method: Method,
  site: LabelledSite,
  options: { readonly seed: string; readonly fold: Fold },
): Evaluation {
  const byUrl = noMeasure();
  const byClass = noMeasure();
  let rules = 0;
  let seconds = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const seed = `${options.seed} ${round}`;
    const urls = measure(method, holdOutUrls(site, seed, options.fold), "known");
    if (round === 1) rules = urls.rules;
    seconds += urls.seconds;
    addMeasure(byUrl, urls.measure);
    const classes = measure(method, holdOutClasses(site, seed, options.fold), "unknown");
    addMeasure(byClass, classes.measure);
  }
  return { method: method.name, site: site.name, rules, byUrl, byClass, seconds };
}

/**
 * Measures a method. The URLs that rules were learned from count as fetched before the others
 * arrive.
 */
function measure(
  method: Method,
  { known, arriving }: HoldOut,
  before: "known" | "unknown",
): { measure: Measure; rules: number; seconds: number } {
  const { user: begun } = process.cpuUsage();
  const { options, rules } = method.learn(known);
  const seconds = (process.cpuUsage().user - begun) / 1e6;
  const fetched = before === "known" ? known : [];
  const { urls } = createNormalizer(options).normalizeBatch(
    [...fetched, ...arriving].map(({ url }) => url),
  );
  const keys = urls.map((url, index) => url ?? `no URL ${index}`);
  return { measure: simulate(fetched, arriving, keys), rules: rules.length, seconds };
}
