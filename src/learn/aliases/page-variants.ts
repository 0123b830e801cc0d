import { addMember, entryOf } from "../../base/tallies.ts";
import { paramText, splitParams } from "../../site-rules/apply/params.ts";
import { hashOf } from "../hashes/hash.ts";
import { splitTarget } from "../site/nodes.ts";
import { SELF, withClasses } from "../site/statements.ts";
import type { Budget } from "../thresholds/budget.ts";
import { type KnownKeys, UNSURE } from "./keys.ts";
import {
  emptyRanks,
  type Family,
  pooledFamilies,
  type Rank,
  rankOf,
  trustedMembers,
} from "./ranks.ts";
import { shapesOf } from "./shape.ts";

/** Holds the known keys of one path, or of one path and parameter, which all have one page. */
export interface PageVariants {
  /** Holds the path, or the path and the parameter. */
  readonly base: string;
  readonly page: number;
  readonly keys: readonly string[];
}

/**
 * Returns the groups whose page their other variants have too, as far as evidence speaks for that: each known variant is
 * judged as if it alone were not known, by the others, if these are two or more and have one page. Groups of one path but
 * for its numbers, and of one name of a parameter, are judged together; where these have few pages, groups of as many
 * segments. `pages` holds the page of each key that is known or claimed, or `UNSURE`.
 */
export function trustedVariants(
  pages: ReadonlyMap<string, number>,
  known: KnownKeys,
  equality: number,
  budget: Budget,
): PageVariants[] {
  const families = pooledFamilies(familiesOf(pages, known), known);
  return trustedMembers(families, known, equality, budget);
}

/** Returns page variants by the families that they are judged in. */
function familiesOf(
  pages: ReadonlyMap<string, number>,
  { pageOf, keysOf }: KnownKeys,
): Map<string, Family<PageVariants>> {
  const paths = new Map<string, string[]>();
  // Of most sites most pages have one key: their paths need no memory here.
  for (const [key, page] of pages) {
    const isAlone = pageOf.has(key) && keysOf.get(page) === 1;
    if (!isAlone) paths.set(splitTarget(key)[0], []);
  }
  for (const key of pages.keys()) paths.get(splitTarget(key)[0])?.push(key);
  const families = new Map<string, Family<PageVariants>>();
  for (const [path, keys] of paths) {
    if (keys.length < 2) continue;
    const { narrow, wide } = shapesOf(path, SELF);
    const add = (base: string, name: string, own: readonly string[]): boolean => {
      const family = { wide: wide + name, ranks: emptyRanks<PageVariants>() };
      return addThing(entryOf(families, narrow + name, () => family).ranks, base, own, pages);
    };
    // A group of one parameter says no more than its path does.
    if (add(path, "", keys)) continue;
    for (const [text, own] of byParam(keys)) {
      if (own.length < 2) continue;
      add(`${path}?${text}`, ` ?${withClasses(text.split("=", 1)[0] as string)}`, own);
    }
  }
  return families;
}

/**
 * Returns the keys that have each parameter that several have; parameters without a text are left out. Most parameters of a
 * large path may be of one key, such as session ids: hashes rule them out, so that they take no memory.
 */
function byParam(keys: readonly string[]): Map<string, string[]> {
  const counts = new Uint8Array(2 ** Math.ceil(Math.log2(8 * keys.length)));
  const slotOf = (text: string): number => hashOf(text).low & (counts.length - 1);
  for (const key of keys) {
    for (const text of paramsOf(key)) {
      const slot = slotOf(text);
      counts[slot] = Math.min(2, (counts[slot] as number) + 1);
    }
  }
  const params = new Map<string, string[]>();
  for (const key of keys) {
    for (const text of paramsOf(key)) {
      if (counts[slotOf(text)] === 2) addMember(params, text, key);
    }
  }
  return params;
}

/** Returns the texts of a key's parameters, each once. */
function paramsOf(key: string): Set<string> {
  const query = splitTarget(key)[1];
  const params = new Set(query === null ? [] : splitParams(query).map(paramText));
  params.delete("");
  return params;
}

/** Adds a group if its keys are one, and what its keys claim of known ones. Returns whether all of them have one page. */
function addThing(
  ranks: readonly Rank<PageVariants>[],
  base: string,
  all: readonly string[],
  pages: ReadonlyMap<string, number>,
): boolean {
  const byPage = new Map<number, string[]>();
  for (const key of all) {
    addMember(byPage, pages.get(key) as number, key);
    if (byPage.size > 2) return false;
  }
  const [[page, keys], other] = [...byPage].sort(([, a], [, b]) => b.length - a.length) as [
    [number, string[]],
    [number, string[]]?,
  ];
  if (page === UNSURE || keys.length < 2 || other?.[0] === UNSURE) return false;
  const claim = (key: string, beside: number) => {
    if (beside >= 2) ranks[rankOf(beside)]?.claims.push({ key, by: keys[0] as string, page });
  };
  if (other !== undefined) {
    if (other[1].length === 1) claim(other[1][0] as string, keys.length);
    return false;
  }
  for (const key of keys) claim(key, keys.length - 1);
  const rank = ranks[rankOf(keys.length)] as Rank<PageVariants>;
  rank.members.push({ base, page, keys });
  rank.unknown += keys.length;
  return true;
}
