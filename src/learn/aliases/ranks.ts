import { entryOf } from "../../base/tallies.ts";
import type { Budget } from "../thresholds/budget.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import {
  costOf,
  countKnown,
  isHarmful,
  isProven,
  type KeyCount,
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

/** Holds members of one shape by rank, and names the family that they are judged with if they have few pages. */
export interface Family<Member> {
  readonly wide: string;
  readonly ranks: Rank<Member>[];
}

/** Returns the ranks of families, and of those that have few known pages those of a wide one. */
export function pooledFamilies<Member>(
  families: ReadonlyMap<string, Family<Member>>,
  known: KnownKeys,
): Map<string, Rank<Member>[]> {
  const judged = new Map<string, Rank<Member>[]>();
  for (const [name, { wide, ranks }] of families) {
    const { pages } = countKnown(
      ranks.flatMap(({ claims }) => claims),
      known,
    );
    const own = entryOf(judged, pages < THRESHOLDS.classes ? `~${wide}` : name, emptyRanks<Member>);
    for (const [at, { members, claims, unknown }] of ranks.entries()) {
      const rank = own[at] as Rank<Member>;
      for (const member of members) rank.members.push(member);
      for (const claim of claims) rank.claims.push(claim);
      rank.unknown += unknown;
    }
  }
  return judged;
}

/**
 * Returns the members of families whose unknown keys have the page of the known ones, as far as evidence speaks for
 * that: a family is judged as a whole, then each rank of it; a rank of few pages with the next below. What is right most
 * costs first, until the budget is spent. `areVersions` says for which families the bound is that of versions.
 */
export function trustedMembers<Member>(
  families: ReadonlyMap<string, readonly Rank<Member>[]>,
  known: KnownKeys,
  equality: number,
  budget: Budget,
  areVersions: (name: string) => boolean = () => false,
): Member[] {
  const judged = [...families].flatMap(([name, ranks]) => {
    const [bound, point] = areVersions(name)
      ? [THRESHOLDS.versionBound, THRESHOLDS.versionPoint]
      : [THRESHOLDS.bound, THRESHOLDS.boundPoint];
    return provenOf(name, ranks, known, (count) => isProven(count, equality, bound, point));
  });
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
  isProven: (count: KeyCount) => boolean,
): (Rank<Member> & { readonly name: string; readonly worth: number })[] {
  const all = ranks.flatMap(({ claims }) => claims);
  if (!isProven(countKnown(all, known))) return [];
  const pools = pooled(ranks, joined, ({ claims }) => countKnown(claims, known).pages);
  return [...pools].flatMap(([number, rank]) => {
    const count = countKnown(rank.claims, known);
    if (!isProven(count)) return [];
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
