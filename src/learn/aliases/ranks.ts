import type { Budget } from "../thresholds/budget.ts";
import {
  costOf,
  countKnown,
  isHarmful,
  isProven,
  type PageClaim,
  pooled,
} from "./evidence-buckets.ts";
import type { KnownKeys } from "./keys.ts";

/** Holds members that are trusted or refused together, and what tells that. */
export interface Rank<Member> {
  readonly members: Member[];
  /** Lists known keys, each with the page that the keys beside it have. */
  readonly claims: PageClaim[];
  /** Estimates the keys of the members that are not known. */
  unknown: number;
}

/** Counts the ranks: of 2, 4 and 8 known keys or more. The more there are, the less likely is another page. */
const RANKS = 3;

/** Returns the rank that so many known keys have, of which there are two or more. */
export function rankOf(known: number): number {
  return Math.min(RANKS, Math.floor(Math.log2(known))) - 1;
}

export function emptyRanks<Member>(): Rank<Member>[] {
  return Array.from({ length: RANKS }, () => ({ members: [], claims: [], unknown: 0 }));
}

/**
 * Returns the members of families whose unknown keys have the page of the known ones, as far as evidence speaks for
 * that: a family is judged as a whole, then each rank of it; a rank of few pages with the next below. What is right most
 * costs first, until the budget is spent.
 */
export function trustedMembers<Member>(
  families: ReadonlyMap<string, readonly Rank<Member>[]>,
  known: KnownKeys,
  equality: number,
  budget: Budget,
): Member[] {
  const judged = [...families].flatMap(([name, ranks]) => provenOf(name, ranks, known, equality));
  judged.sort((a, b) => b.worth - a.worth || (a.name < b.name ? -1 : 1));
  return judged.flatMap(({ members, claims, unknown }) => {
    const cost = costOf(claims, known, budget, unknown);
    if (isHarmful(cost) || budget.tooMuch(cost) !== null) return [];
    budget.spend(cost);
    return members;
  });
}

/** Returns the ranks of a family that known keys speak for, if they speak for the whole family. */
function provenOf<Member>(
  name: string,
  ranks: readonly Rank<Member>[],
  known: KnownKeys,
  equality: number,
): (Rank<Member> & { readonly name: string; readonly worth: number })[] {
  const all = ranks.flatMap(({ claims }) => claims);
  if (!isProven(countKnown(all, known), equality)) return [];
  const pools = pooled(ranks, joined, ({ claims }) => countKnown(claims, known).pages);
  return [...pools].flatMap(([number, rank]) => {
    const count = countKnown(rank.claims, known);
    if (!isProven(count, equality)) return [];
    return { ...rank, name: `${name} ${number}`, worth: (count.right + 1) / (count.wrong + 0.1) };
  });
}

function joined<Member>(few: Rank<Member>, more: Rank<Member>): Rank<Member> {
  return {
    members: [...few.members, ...more.members],
    claims: [...few.claims, ...more.claims],
    unknown: few.unknown + more.unknown,
  };
}
