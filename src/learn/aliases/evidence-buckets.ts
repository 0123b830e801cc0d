import { addCount, entryOf } from "../../base/tallies.ts";
import { SELF } from "../site/statements.ts";
import { upperPoint, wilson } from "../thresholds/bound.ts";
import type { Budget, Charge } from "../thresholds/budget.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import { type KnownKeys, UNSURE } from "./keys.ts";
import type { Claims, ShapeClaims } from "./shape.ts";

/** Says that a key has a page, which is that of another key. */
export interface PageClaim {
  readonly key: string;
  readonly by: string;
  readonly page: number;
}

/** Holds claims of one shape that are trusted or refused together. */
export interface EvidenceBucket {
  readonly name: string;
  readonly claims: readonly PageClaim[];
  /** Says how many known keys are right for each that is wrong, more or less. */
  readonly worth: number;
}

export interface JudgedShape {
  readonly shape: ShapeClaims;
  /** Lists the claims that evidence speaks for. */
  readonly buckets: readonly EvidenceBucket[];
  /** Counts what pages say of known keys. */
  readonly count: KeyCount;
  /** Counts the links of the shape that a page must have to be believed of which no other URL is known; null if none is. */
  readonly fewest: number | null;
}

/** Describes the known keys that a shape claims for one page. */
interface Verdict {
  right: number;
  wrong: number;
  /** Hold the least and the greatest number in keys that are right. */
  least: number;
  most: number;
}

/** Counts the bands of pages by links, which are one, two, four and eight or more, and the ranks of claims. */
const BANDS = 4;
const RANKS = 16;

/**
 * Judges a shape, and returns its claims that evidence speaks for, in buckets by rank: what a page of many links says,
 * what several known keys of it confirm, and what is between them, is more likely to be on it. A page for which a known
 * key was claimed wrongly is not believed at all. Each key is judged as if it alone were not known. A bucket of few
 * known pages is judged with the next below.
 */
export function judgeShape(
  shape: ShapeClaims,
  known: KnownKeys,
  equality: number,
  budget: Budget,
): JudgedShape {
  const agreed = agreedClaims(shape.claims, known);
  const ofNew = isDeclared(shape)
    ? judgeDeclared(shape, known)
    : judgeLinks(shape, agreed, known, equality, budget);
  if (!isTrusted(shape, countKnown(agreed, known), equality))
    return { shape, buckets: [], ...ofNew, fewest: null };
  const verdicts = verdictsOf(shape.claims, known);
  const rankIn = (claim: PageClaim) => {
    const rank = rankOf(claim, verdicts.get(claim.page), known);
    return rank >= 0 && bandOf(shape, claim) === BANDS - 1 ? rank + RANKS : rank;
  };
  const buckets = [...groups(agreed, 2 * RANKS, rankIn, known)].flatMap(([rank, claims]) => {
    const own = countKnown(claims, known);
    if (!isTrusted(shape, own, equality)) return [];
    const worth = (own.right + 1) / (own.wrong + 0.1);
    return { name: `${rank} ${shape.kind} ${shape.narrow}`, claims, worth };
  });
  return { shape, buckets, ...ofNew };
}

/** Yields claims in groups by rank, the highest first. A group of few known pages goes to the next below. */
function* groups(
  claims: readonly PageClaim[],
  ranks: number,
  rankIn: (claim: PageClaim) => number,
  known: KnownKeys,
): Generator<[rank: number, claims: readonly PageClaim[]]> {
  const byRank: PageClaim[][] = Array.from({ length: ranks }, () => []);
  for (const claim of claims) byRank[rankIn(claim)]?.push(claim);
  yield* pooled(
    byRank,
    (few, more) => [...few, ...more],
    (pool) => countKnown(pool, known).pages,
  );
}

/**
 * Yields ranks, the highest first, each with its number. One of too few known pages to be judged is joined with the next below.
 * `pagesOf`: returns the number of these pages.
 */
export function* pooled<Rank>(
  ranks: readonly Rank[],
  join: (few: Rank, more: Rank) => Rank,
  pagesOf: (rank: Rank) => number,
): Generator<[number: number, rank: Rank]> {
  let few: Rank | null = null;
  for (const [number, own] of [...ranks.entries()].reverse()) {
    const rank: Rank = few === null ? own : join(few, own);
    const isFew = number > 0 && pagesOf(rank) < THRESHOLDS.classes;
    few = isFew ? rank : null;
    if (!isFew) yield [number, rank];
  }
}

/**
 * Judges self links in pages of which no other URL is known, by how many the page has. A page of few is more often one
 * that has changed since, or of which others show a part. What pages dispute is left out, because a crawl that goes on
 * has such a URL already.
 */
function judgeLinks(
  shape: ShapeClaims,
  agreed: readonly PageClaim[],
  known: KnownKeys,
  equality: number,
  budget: Budget,
): Pick<JudgedShape, "count" | "fewest"> {
  let fewest: number | null = null;
  let count = countKnown(agreed, known);
  const believed: PageClaim[] = [];
  for (const [band, claims] of groups(agreed, BANDS, (claim) => bandOf(shape, claim), known)) {
    const own = countKnown(claims, known);
    const isRight = own.wrong <= budget.mostWrong(own.right + own.wrong);
    if (!isRight || !isTrusted(shape, own, equality)) break;
    believed.push(...claims);
    [fewest, count] = [2 ** band, countKnown(believed, known)];
  }
  return { count, fewest };
}

/** Judges declarations. Of pages that dispute a key that is not known, all but one are wrong. */
function judgeDeclared(
  { claims }: ShapeClaims,
  known: KnownKeys,
): Pick<JudgedShape, "count" | "fewest"> {
  const said = [...claims].flatMap(([key, claimants]) =>
    known.pageOf.get(key) === UNSURE
      ? []
      : [...pagesOf(claimants, known.pageOf)].map((page) => ({ key, by: key, page })),
  );
  const unknown = said.filter(({ key }) => !known.pageOf.has(key)).map(({ key }) => key);
  const { right, wrong, pages } = countKnown(said, known);
  const count = { right, wrong: wrong + unknown.length - new Set(unknown).size, pages };
  const isRight =
    right >= THRESHOLDS.declarations &&
    count.wrong <= THRESHOLDS.contradiction * (right + count.wrong);
  return { count, fewest: isRight ? 1 : null };
}

/** Returns the band of the page that makes a claim. */
function bandOf({ links }: ShapeClaims, { by }: PageClaim): number {
  return Math.min(BANDS - 1, Math.floor(Math.log2(links.get(by)?.size ?? 1)));
}

function isDeclared({ kind }: ShapeClaims): boolean {
  return !kind.startsWith(SELF);
}

/** Returns whether known keys speak for claims; what a site declares needs only that few speak against it. */
function isTrusted(
  shape: ShapeClaims,
  { right, wrong, pages }: KeyCount,
  equality: number,
): boolean {
  if (isDeclared(shape)) return wrong <= THRESHOLDS.contradiction * (right + wrong);
  return isProven({ right, wrong, pages }, equality);
}

/** Returns whether known keys speak for claims as fingerprints must for a rule. */
export function isProven(
  { right, wrong, pages }: KeyCount,
  equality: number,
  bound = THRESHOLDS.bound,
  point = THRESHOLDS.boundPoint,
): boolean {
  const n = right + wrong;
  const reached = wilson(Math.min(n, right / equality), n, point);
  return pages >= THRESHOLDS.classes && reached >= bound;
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
 * most as many as are known. `unlisted` counts claimed keys beside those of the list. A page is lost if all of its
 * known keys are claimed for others.
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
  const lost = new Map<number, number>();
  const urls = new Map<number, number>();
  const single = new Map<number, number>();
  for (const { key, page } of claims) {
    const own = known.pageOf.get(key) ?? page;
    if (own !== page) addCount(wrongOf, own);
    // A claim is wrong if the page of either URL changed.
    if (known.pageOf.has(key)) addCount(urls, budget.typeOf(page), 2 * share);
  }
  for (const [page, count] of wrongOf) {
    const keys = known.keysOf.get(page) as number;
    const type = budget.typeOf(page);
    if (count >= keys) addCount(lost, type, share);
    if (keys === 1) addCount(single, type, share);
  }
  return { right: share * right, wrong: share * wrong, lost, urls, single };
}

/** Returns whether claims are wrong too often, by the threshold for page types. */
export function isHarmful({ right, wrong }: Charge): boolean {
  return (
    wrong > 0 &&
    1 - wilson(wrong, right + wrong, upperPoint(THRESHOLDS.typeTail)) < THRESHOLDS.typeBound
  );
}
