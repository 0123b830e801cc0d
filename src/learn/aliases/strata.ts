import { addCount, entryOf } from "../../base/tallies.ts";
import { upperPoint, wilson } from "../select/bound.ts";
import type { Budget, Charge } from "../select/budget.ts";
import { GATES } from "../select/gates.ts";
import type { Claims, ShapeClaims } from "./claims-by-shape.ts";
import { type KnownKeys, UNSURE } from "./keys.ts";
import { SELF } from "./statements.ts";

/** Says that a key has a page, which is that of another key. */
export interface PageClaim {
  readonly key: string;
  readonly by: string;
  readonly page: number;
}

/** Holds claims of one shape that are trusted or refused together. */
export interface Stratum {
  readonly name: string;
  readonly claims: readonly PageClaim[];
  /** Says how many known keys are right for each that is wrong, more or less. */
  readonly worth: number;
}

/** Holds what evidence says of a shape. */
export interface JudgedShape {
  readonly shape: ShapeClaims;
  /** Lists the claims that evidence speaks for. */
  readonly strata: readonly Stratum[];
  /** Counts what pages say of known keys, and where they dispute a key. */
  readonly count: KeyCount;
  /** Says whether the shape can be trusted in a page of which no other URL is known. */
  readonly isForNewPages: boolean;
}

/** Describes the known keys that a shape claims for one page. */
interface Verdict {
  right: number;
  wrong: number;
  /** Hold the least and the greatest number in keys that are right. */
  least: number;
  most: number;
}

/** Counts the ranks of claims. */
const RANKS = 16;

/**
 * Judges a shape, and returns its claims that evidence speaks for, in strata by rank: what several known keys of a page confirm,
 * and what is between them, is more likely to be on it. A page for which a known key was claimed wrongly is not believed
 * at all. Each key is judged as if it alone were not known. A stratum of few known pages is judged with the next below.
 */
export function judgeShape(shape: ShapeClaims, known: KnownKeys, equality: number): JudgedShape {
  const count = countSaid(shape.claims, known);
  const agreed = agreedClaims(shape.claims, known);
  if (!isTrusted(shape, countKnown(agreed, known), equality))
    return { shape, strata: [], count, isForNewPages: false };
  const verdicts = verdictsOf(shape.claims, known);
  const strata: PageClaim[][] = Array.from({ length: RANKS }, () => []);
  for (const claim of agreed) strata[rankOf(claim, verdicts.get(claim.page), known)]?.push(claim);
  const found: Stratum[] = [];
  let few: PageClaim[] = [];
  for (let rank = RANKS - 1; rank >= 0; rank--) {
    const claims = [...few, ...(strata[rank] as PageClaim[])];
    const own = countKnown(claims, known);
    few = own.pages < GATES.classes && rank > 0 ? claims : [];
    if (claims === few || !isTrusted(shape, own, equality)) continue;
    const worth = (own.right + 1) / (own.wrong + 0.1);
    found.push({ name: `${rank} ${shape.kind} ${shape.narrow}`, claims, worth });
  }
  const counts = [count, lowestCount(strata, known)];
  const isForNewPages =
    count.right >= GATES.declarations && counts.every((each) => isTrusted(shape, each, equality));
  return { shape, strata: found, count, isForNewPages };
}

/** Counts what pages say, also where they dispute a key: all of them but one are wrong then. */
function countSaid(claims: Claims, known: KnownKeys): KeyCount {
  const said = [...claims].flatMap(([key, claimants]) =>
    known.pageOf.get(key) === UNSURE
      ? []
      : [...pagesOf(claimants, known.pageOf)].map((page) => ({ key, by: key, page })),
  );
  const unknown = said.filter(({ key }) => !known.pageOf.has(key)).map(({ key }) => key);
  const count = countKnown(said, known);
  return { ...count, wrong: count.wrong + unknown.length - new Set(unknown).size };
}

/** Counts the claims of the lowest ranks, of as many as have the pages that evidence needs. */
function lowestCount(strata: readonly (readonly PageClaim[])[], known: KnownKeys): KeyCount {
  let count = countKnown([], known);
  for (let ranks = 1; ranks <= RANKS && count.pages < GATES.classes; ranks++)
    count = countKnown(strata.slice(0, ranks).flat(), known);
  return count;
}

/** Returns whether known keys speak for claims; what a site declares needs only that few speak against it. */
function isTrusted(
  { kind }: ShapeClaims,
  { right, wrong, pages }: KeyCount,
  equality: number,
): boolean {
  const n = right + wrong;
  if (!kind.startsWith(SELF)) return wrong <= GATES.contradiction * n;
  return isProven({ right, wrong, pages }, equality);
}

/** Returns whether known keys speak for claims as fingerprints must for a rule. */
export function isProven({ right, wrong, pages }: KeyCount, equality: number): boolean {
  const n = right + wrong;
  const bound = wilson(Math.min(n, right / equality), n, GATES.boundPoint);
  return pages >= GATES.classes && bound >= GATES.bound;
}

/** Judges each page by the known keys that are claimed for it. */
function verdictsOf(claims: Claims, { pageOf }: KnownKeys): Map<number, Verdict> {
  const verdicts = new Map<number, Verdict>();
  for (const [key, claimants] of claims) {
    const own = pageOf.get(key);
    if (own === undefined || own === UNSURE) continue;
    for (const page of pagesOf(claimants, pageOf)) {
      const none = () => ({ right: 0, wrong: 0, least: Infinity, most: -Infinity });
      const verdict = entryOf(verdicts, page, none);
      if (page !== own) verdict.wrong++;
      else {
        verdict.right++;
        verdict.least = Math.min(verdict.least, numberIn(key));
        verdict.most = Math.max(verdict.most, numberIn(key));
      }
    }
  }
  return verdicts;
}

/** Returns the claims of keys that only one page claims. */
function agreedClaims(claims: Claims, { pageOf }: KnownKeys): PageClaim[] {
  return [...claims].flatMap(([key, claimants]) => {
    const [page, ...others] = pagesOf(claimants, pageOf);
    if (pageOf.get(key) === UNSURE || others.length > 0) return [];
    return [{ key, by: [...claimants].toSorted()[0] as string, page: page as number }];
  });
}

function pagesOf(keys: ReadonlySet<string>, pageOf: ReadonlyMap<string, number>): Set<number> {
  return new Set([...keys].map((key) => pageOf.get(key) as number));
}

/**
 * Returns the rank of a claim by the other keys that are known to have its page: how many they are, then whether their
 * numbers are less, greater, or both. Returns -1 if another is known to have another page.
 */
function rankOf(
  { key, page }: PageClaim,
  verdict: Verdict | undefined,
  { pageOf }: KnownKeys,
): number {
  if (verdict === undefined) return 0;
  const own = pageOf.get(key) ?? -1;
  if (verdict.wrong > Number(own >= 0 && own !== page)) return -1;
  const others = verdict.right - Number(own === page);
  const number = numberIn(key);
  const place = Number(verdict.least < number) + 2 * Number(number < verdict.most);
  return 4 * Math.min(3, Math.floor(Math.log2(others + 1))) + place;
}

/** Returns the last number in a key; keys without one have no order. */
function numberIn(key: string): number {
  return Number(/\d+(?=\D*$)/.exec(key)?.[0] ?? 0);
}

/** Counts the known keys that are right and wrong, and the pages that have right ones and no wrong one. */
export interface KeyCount {
  readonly right: number;
  readonly wrong: number;
  readonly pages: number;
}

/** Counts claims of keys whose page is known. */
export function countKnown(claims: readonly PageClaim[], { pageOf }: KnownKeys): KeyCount {
  let [right, wrong] = [0, 0];
  const pages = new Map<number, boolean>();
  for (const { key, page } of claims) {
    const own = pageOf.get(key);
    if (own === undefined) continue;
    if (own === page) right++;
    else wrong++;
    pages.set(page, own === page && pages.get(page) !== false);
  }
  return { right, wrong, pages: [...pages.values()].filter((isRight) => isRight).length };
}

/**
 * Returns what claims cost on keys that are not known yet, by those that are: for as many keys as are claimed, but at
 * most as many as are known. `unlisted` counts claimed keys beside those of the list. A page is lost if all of its known
 * keys are claimed for others.
 */
export function costOf(
  claims: readonly PageClaim[],
  known: KnownKeys,
  budget: Budget,
  unlisted = 0,
): Charge {
  const { right, wrong } = countKnown(claims, known);
  const n = right + wrong;
  const share = Math.min(1, (claims.length + unlisted - n) / Math.max(1, n));
  const wrongOf = new Map<number, number>();
  for (const { key, page } of claims) {
    const own = known.pageOf.get(key) ?? page;
    if (own !== page) addCount(wrongOf, own);
  }
  const lost = new Map<number, number>();
  for (const [page, count] of wrongOf) {
    if (count < (known.keysOf.get(page) as number)) continue;
    const type = budget.typeOf(page);
    addCount(lost, type, share);
  }
  return { right: share * right, wrong: share * wrong, lost };
}

/** Returns whether claims are wrong too often, by the gate of page types. */
export function isHarmful({ right, wrong }: Charge): boolean {
  return (
    wrong > 0 && 1 - wilson(wrong, right + wrong, upperPoint(GATES.typeTail)) < GATES.typeBound
  );
}
