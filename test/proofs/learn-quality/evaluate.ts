import { type Fold, type HoldOut, holdOutClasses, holdOutUrls } from "./hold-out.ts";
import type { LabelledSite, LabelledUrl } from "./labelled-site.ts";
import { addMeasure, type Measure, noMeasure, simulate } from "./measure.ts";
import type { Learnt, Method } from "./methods.ts";

/** Says what one method did on one site. */
export interface Evaluation {
  readonly method: string;
  readonly site: string;
  /** Rules learned in the first round, by URL. */
  rules: number;
  readonly byUrl: Measure;
  readonly byClass: Measure;
  /** Seconds of the processor that learning took, of all rounds by URL. */
  seconds: number;
}

/** Splits of a site that are measured: one may have been lucky. */
const ROUNDS = 3;

/**
 * Measures a method on a site, on what it was not learned from; measures of the rounds are added up. If the method has `sameAs`,
 * there is a second one with it: each page that is fetched adds what it says of its URLs. `byClass` false measures by URL only.
 */
export async function evaluate(
  method: Method,
  site: LabelledSite,
  options: { readonly seed: string; readonly fold: Fold; readonly byClass?: boolean },
): Promise<Evaluation[]> {
  const plain = noEvaluation(method.name, site.name);
  const extended = noEvaluation(`${method.name}, extended by the crawl`, site.name);
  let hasExtended = false;
  for (let round = 1; round <= ROUNDS; round++) {
    const seed = `${options.seed} ${round}`;
    const splits = [
      { held: holdOutUrls(site, seed, options.fold), to: "byUrl" },
      { held: holdOutClasses(site, seed, options.fold), to: "byClass" },
    ] as const;
    for (const { held, to } of options.byClass === false ? splits.slice(0, 1) : splits) {
      const { user: begun } = process.cpuUsage();
      const learnt = method.learn(held.known);
      const seconds = (process.cpuUsage().user - begun) / 1e6;
      // URLs that were learned from count as fetched before, unless pages are new to the crawl.
      const fetched = to === "byUrl" ? held.known : [];
      hasExtended ||= learnt.sameAs !== undefined;
      for (const evaluation of learnt.sameAs === undefined ? [plain] : [plain, extended]) {
        const told = evaluation === plain ? [] : await toldBy(learnt, held);
        addMeasure(evaluation[to], measure(learnt, fetched, held.arriving, told));
        if (to === "byClass") continue;
        evaluation.seconds += seconds;
        if (round === 1) evaluation.rules = learnt.rules;
      }
    }
  }
  return hasExtended ? [plain, extended] : [plain];
}

/** Returns an evaluation of zeros. */
export function noEvaluation(method: string, site: string): Evaluation {
  return { method, site, rules: 0, byUrl: noMeasure(), byClass: noMeasure(), seconds: 0 };
}

/** Returns the keys that the page of each arriving URL says are its own. */
async function toldBy({ sameAs, keysOf }: Learnt, { arriving }: HoldOut): Promise<string[][]> {
  const urls = await Promise.all(
    arriving.map(async (url) => (url.said === undefined ? [] : ((await sameAs?.(url)) ?? []))),
  );
  return urls.map((own) => keysOf(own).filter((key) => key !== null));
}

function measure(
  { keysOf }: Learnt,
  fetched: readonly LabelledUrl[],
  arriving: readonly LabelledUrl[],
  told: readonly (readonly string[])[],
): Measure {
  const urls = keysOf([...fetched, ...arriving].map(({ url }) => url));
  const keys = urls.map((url, index) => url ?? `no URL ${index}`);
  return simulate(fetched, arriving, keys, (index) => told[index] ?? []);
}
