import { createNormalizer } from "urlmill";
import { writeRules } from "urlmill/learn";
import type { LabelledUrl } from "./labelled-site.ts";
import { learnNow } from "./learn-now.ts";
import { learned, type Method, toRecord, withFiles } from "./methods.ts";

/** The tests of fingerprints: pages that are only right, and a lower bound of the right share at this normal point. */
const PAGES = 5;
const BOUND = 0.9;
const POINT = 1.04;
/** Limits the share of wrong merges, as a multiple of the share of pages that may be lost. */
const WRONG = 5;

/** Holds the known URLs, after the rules, of one path, or of one path and parameter. */
interface Thing {
  readonly family: string;
  readonly keys: string[];
  /** Counts the URLs of each page. */
  readonly pages: Map<string, number>;
}

/** Counts what the other URLs of its thing say of each known URL. */
interface Family {
  right: number;
  wrong: number;
  /** Holds the pages that were said, and whether that was always right. */
  readonly said: Map<string, boolean>;
  /** Counts the URLs that were said to have another page, by their own. */
  readonly missed: Map<string, number>;
}

/** Returns today's method, and what was tried and not built: a thing of which two known URLs or more all have one page gives it to its others. */
export function methodsOfThings(maxPageLoss: number): Method[] {
  return [
    learned(maxPageLoss),
    { name: "with things", learn: (known) => learnThings(known, maxPageLoss) },
    { name: "with things, none refused", learn: (known) => learnThings(known, null) },
  ];
}

function learnThings(known: readonly LabelledUrl[], maxPageLoss: number | null) {
  const { rules, aliases } = learnNow(known.map(toRecord), { maxPageLoss: maxPageLoss ?? 0.001 });
  const learnt = withFiles({ rules, aliases });
  // Aliases make one of what is to be counted.
  const ruled = createNormalizer({ preset: "safe", rules: writeRules(rules) });
  const pageOf = new Map<string, string | null>();
  for (const { url, page } of known) {
    const key = ruled.tryNormalize(url).url;
    if (key !== null) pageOf.set(key, (pageOf.get(key) ?? page) === page ? page : null);
  }
  const things = thingsOf(pageOf);
  const trusted = maxPageLoss === null ? null : trustedFamilies(things, pageOf, maxPageLoss);
  const knownOf = (key: string): string | null => {
    if (pageOf.has(key)) return null;
    for (const { name, family } of thingsIn(key)) {
      const thing = things.get(name);
      if (thing === undefined || thing.keys.length < 2 || thing.pages.size > 1) continue;
      if (trusted === null || trusted.has(family)) return thing.keys[0] as string;
    }
    return null;
  };
  const keysOf = (urls: readonly string[]) => {
    const named = ruled.normalizeBatch([...urls]).urls.map((key) => key && knownOf(key));
    return learnt.keysOf(urls.map((url, at) => named[at] ?? url));
  };
  return { ...learnt, keysOf };
}

/** Yields the things that a URL may be of, the narrowest last, and the family that is judged together. */
function* thingsIn(url: string): Generator<{ name: string; family: string }> {
  const [path = "", query] = url.split("?", 2) as [string, string?];
  const shape = withNumbers(path);
  yield { name: path, family: shape };
  for (const parameter of query?.split(/[&;]/) ?? []) {
    const name = parameter.split("=", 1)[0] as string;
    yield { name: `${path}?${parameter}`, family: `${shape}?${withNumbers(name)}` };
  }
}

function withNumbers(text: string): string {
  return text.replace(/\d+/g, "<N>");
}

function thingsOf(pageOf: ReadonlyMap<string, string | null>): Map<string, Thing> {
  const things = new Map<string, Thing>();
  for (const [key, page] of pageOf) {
    if (page === null) continue;
    for (const { name, family } of thingsIn(key)) {
      const thing: Thing = things.get(name) ?? { family, keys: [], pages: new Map() };
      things.set(name, thing);
      thing.keys.push(key);
      thing.pages.set(page, (thing.pages.get(page) ?? 0) + 1);
    }
  }
  return things;
}

/** Judges each known URL as if it alone were not known. Takes what is right most costs first, until the budget is spent. */
function trustedFamilies(
  things: ReadonlyMap<string, Thing>,
  pageOf: ReadonlyMap<string, string | null>,
  maxPageLoss: number,
): Set<string> {
  const families = new Map<string, Family>();
  for (const { family, keys, pages } of things.values()) {
    for (const key of keys) {
      const page = pageOf.get(key) as string;
      const others = [...pages].filter(([own, count]) => own !== page || count > 1);
      const said = others[0]?.[0];
      if (said === undefined || others.length > 1 || keys.length < 3) continue;
      const own: Family = families.get(family) ?? {
        right: 0,
        wrong: 0,
        said: new Map(),
        missed: new Map(),
      };
      families.set(family, own);
      own.said.set(said, said === page && own.said.get(said) !== false);
      if (said === page) own.right++;
      else own.wrong++;
      if (said !== page) own.missed.set(page, (own.missed.get(page) ?? 0) + 1);
    }
  }
  const urlsOf = new Map<string | null, number>();
  for (const page of pageOf.values()) urlsOf.set(page, (urlsOf.get(page) ?? 0) + 1);
  let [left, right, wrong] = [maxPageLoss * urlsOf.size, 0, 0];
  const proven = [...families].filter(([, own]) => isProven(own));
  proven.sort(([, a], [, b]) => (b.right + 1) / (b.wrong + 0.1) - (a.right + 1) / (a.wrong + 0.1));
  const trusted = new Set<string>();
  for (const [family, own] of proven) {
    const lost = [...own.missed].filter(([page, count]) => count >= (urlsOf.get(page) ?? 0)).length;
    const all = right + wrong + own.right + own.wrong;
    if (lost > left || wrong + own.wrong > Math.max(1, WRONG * maxPageLoss * all)) continue;
    left -= lost;
    [right, wrong] = [right + own.right, wrong + own.wrong];
    trusted.add(family);
  }
  return trusted;
}

/** Wilson's bound (1927), and pages that are only right. */
function isProven({ right, wrong, said }: Family): boolean {
  const n = right + wrong;
  const [share, square] = [right / n, (POINT * POINT) / n];
  const spread = POINT * Math.sqrt((share * (1 - share)) / n + square / (4 * n));
  const bound = (share + square / 2 - spread) / (1 + square);
  return [...said.values()].filter((isRight) => isRight).length >= PAGES && bound >= BOUND;
}
