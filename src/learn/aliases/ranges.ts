import { addMember, entryOf } from "../../base/tallies.ts";
import { splitNumber, withNumber, writeRange } from "../../site-rules/aliases/number-range.ts";
import { SELF } from "../site/statements.ts";
import type { Budget } from "../thresholds/budget.ts";
import { type KnownKeys, UNSURE } from "./keys.ts";
import { emptyRanks, type Rank, rankOf, trustedMembers } from "./ranks.ts";
import { shapesOf } from "./shape.ts";

interface Numbered {
  readonly key: string;
  readonly number: number;
}

/** Holds known keys that are equal but for their numbers, in order. They have one page, and no known key is between. */
export interface NumberedRun {
  /** Holds the keys with `<` in place of the number. */
  readonly shape: string;
  readonly page: number;
  readonly keys: readonly Numbered[];
}

/**
 * Returns the runs whose page keys between their numbers have too, as far as evidence speaks for that: each known key
 * is judged as if it alone were not known, by the two keys beside it, if these have one page. Keys of one path but for
 * its numbers, and of the same names of parameters, are judged together. `pages` holds the page of each key that is
 * known or claimed, or `UNSURE`: such a key is in no run.
 */
export function trustedRuns(
  pages: ReadonlyMap<string, number>,
  known: KnownKeys,
  equality: number,
  budget: Budget,
): NumberedRun[] {
  return trustedMembers(familiesOf(pages), known, equality, budget);
}

/** Returns the runs of keys by the shape that they are judged in, and by rank. */
function familiesOf(pages: ReadonlyMap<string, number>): Map<string, Rank<NumberedRun>[]> {
  const shapes = new Map<string, Numbered[]>();
  for (const key of pages.keys()) {
    const split = splitNumber(key);
    if (split !== null) addMember(shapes, split.shape, { key, number: split.number });
  }
  const families = new Map<string, Rank<NumberedRun>[]>();
  for (const [shape, keys] of shapes) {
    if (keys.length < 2) continue;
    keys.sort((a, b) => a.number - b.number);
    const { narrow } = shapesOf(withNumber(shape, 0), SELF);
    const ranks = entryOf(families, narrow, emptyRanks<NumberedRun>);
    addRuns(ranks, runsOf(shape, keys, pages));
  }
  return families;
}

/** Returns the longest runs of the keys of a shape, which are in order; one key may be a run. */
function runsOf(
  shape: string,
  keys: readonly Numbered[],
  pages: ReadonlyMap<string, number>,
): NumberedRun[] {
  const runs: (NumberedRun & { readonly keys: Numbered[] })[] = [];
  for (const own of keys) {
    const page = pages.get(own.key) as number;
    const last = runs.at(-1);
    if (last?.page === page) last.keys.push(own);
    else runs.push({ shape, page, keys: [own] });
  }
  return runs;
}

/** Adds the runs of a shape, in their order, and what they claim of known keys. */
function addRuns(ranks: readonly Rank<NumberedRun>[], runs: readonly NumberedRun[]): void {
  for (const [at, run] of runs.entries()) {
    const { page, keys } = run;
    if (page === UNSURE) continue;
    const [before, after] = [runs[at - 1], runs[at + 1]];
    if (keys.length === 1 && before !== undefined && before.page === after?.page) {
      const beside = before.keys.length + after.keys.length;
      if (before.page !== UNSURE) claim(ranks, keys[0] as Numbered, before, beside);
    }
    for (const own of keys.slice(1, -1)) claim(ranks, own, run, keys.length - 1);
    const unknown = numberSpan(keys) - keys.length;
    if (unknown === 0) continue;
    const rank = ranks[rankOf(keys.length)] as Rank<NumberedRun>;
    rank.members.push(run);
    rank.unknown += unknown;
  }
}

/** Adds that a key has the page of a run, by so many keys beside it. */
function claim(
  ranks: readonly Rank<NumberedRun>[],
  { key }: Numbered,
  run: NumberedRun,
  beside: number,
): void {
  const by = (run.keys[0] as Numbered).key;
  ranks[rankOf(beside)]?.claims.push({ key, by, page: run.page });
}

/** Counts the numbers from the first to the last. */
function numberSpan(keys: readonly Numbered[]): number {
  return (keys.at(-1) as Numbered).number - (keys[0] as Numbered).number + 1;
}

/** Holds the URL of an alias, with a range if it has one, its target, and the known keys that it has. */
export interface RangeAlias {
  readonly from: string;
  readonly to: string;
  readonly known: readonly string[];
}

/** Returns the aliases of a run, whose keys become what `targetOf` returns. None of them has its target. */
export function rangesOf(
  { shape, keys }: NumberedRun,
  targetOf: (key: string) => string,
): RangeAlias[] {
  const groups: { to: string; keys: Numbered[] }[] = [];
  for (const own of keys) {
    const to = targetOf(own.key);
    const last = groups.at(-1);
    if (last?.to === to) last.keys.push(own);
    else groups.push({ to, keys: [own] });
  }
  return groups.flatMap(({ to, keys: own }) => {
    const [first, last] = [own[0] as Numbered, own.at(-1) as Numbered];
    const split = splitNumber(to);
    const at = split?.shape === shape ? split.number : last.number + 1;
    return [
      { shape, first: first.number, last: Math.min(last.number, at - 1) },
      { shape, first: Math.max(first.number, at + 1), last: last.number },
    ].flatMap((range) => {
      const within = own.filter(({ number }) => range.first <= number && number <= range.last);
      // What is known altogether has aliases already.
      if (range.last - range.first < within.length) return [];
      const from = range.first === range.last ? withNumber(shape, range.first) : writeRange(range);
      return { from, to, known: within.map(({ key }) => key) };
    });
  });
}
