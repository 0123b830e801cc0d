import { createNormalizer } from "urlmill";
import { type Rule, writeRules } from "urlmill/learn";
import type { LabelledSite } from "./labelled-site.ts";
import { learnNow } from "./learn-now.ts";

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
  const learned = learnNow(
    urls.map(({ url, size }) => (uses === "URLs" || size === undefined ? { url } : { url, size })),
  );
  const first = learned.sites.flatMap(({ proposed }) => proposed).slice(0, FIRST);
  const right = first.filter(({ rule }) => {
    const effect = effectOf(rule, urls);
    return effect.right > 0 && effect.right >= RIGHT * (effect.right + effect.wrong);
  });
  return { right: right.length, of: first.length };
}

/** Counts the merges of URLs with one page, and with different pages, that a rule makes. */
function effectOf(rule: Rule, urls: LabelledSite["urls"]): { right: number; wrong: number } {
  // As if somebody had written it: proposals are not applied by default.
  const rules = writeRules([{ ...rule, evidence: null }]);
  const texts = urls.map(({ url }) => url);
  const plain = createNormalizer({ preset: "safe" }).normalizeBatch(texts).urls;
  const ruled = createNormalizer({ preset: "safe", rules }).normalizeBatch(texts).urls;
  const pagesOf = new Map<string, Map<string, Set<string>>>();
  for (const [at, key] of ruled.entries()) {
    const url = plain[at];
    if (key === null || url === null || url === undefined) continue;
    const group = pagesOf.get(key) ?? new Map<string, Set<string>>();
    pagesOf.set(key, group);
    group.set(url, (group.get(url) ?? new Set()).add(String(urls[at]?.page)));
  }
  let right = 0;
  let wrong = 0;
  for (const group of pagesOf.values()) {
    const distinct = new Set([...group.values()].flatMap((pages) => [...pages])).size;
    const sum = [...group.values()].reduce((all, { size }) => all + size, 0);
    right += sum - distinct;
    wrong += distinct - 1 - sum + group.size;
  }
  return { right, wrong };
}
