import { addCount, addMember, entryOf } from "../../base/tallies.ts";
import { splitParams } from "../../site-rules/apply/params.ts";
import { splitTarget } from "../site/nodes.ts";
import { SELF, withClasses } from "../site/statements.ts";
import type { Budget } from "../thresholds/budget.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import type { PageClaim } from "./evidence-buckets.ts";
import { type KnownKeys, UNSURE } from "./keys.ts";
import {
  emptyRanks,
  type Family,
  pooledFamilies,
  type Rank,
  rankOf,
  trustedMembers,
} from "./ranks.ts";
import { type Shapes, shapesOf } from "./shape.ts";

/** Limits the known keys of one context that show one page. A page of more is a list that is empty, or a login. */
const MAX_EQUAL = 8;

/** Limits the parts of a key. Each takes a text as long as the key, and a URL of more is a trap for crawlers. */
const MAX_PARTS = 32;

/**
 * Limits the patterns that tell of one value, such as 1: those with the most evidence. Each tells of all keys with this value, and
 * on a site whose paths are titles, nearly each key has a pattern of its own.
 */
const MAX_TABLES = 64;

/** Begins the names of parts, and of families, whose values may be versions: alike in many pages, and not in all. */
const VERSION = "version ";

/** Holds the rest of keys that differ in one value, and their pages by value. */
interface Context {
  readonly head: string;
  readonly tail: string;
  /** Name the patterns that it is judged with: of its text but for numbers, or of its path and names alone. */
  readonly shapes: Shapes;
  readonly pages: Map<string, number>;
}

/** Counts the contexts of one pattern in which two values have one page, and in which they have two. */
interface Pair {
  same: number;
  other: number;
}

/** Holds what the contexts of one pattern say of each two values that have one page in any of them. */
interface Table {
  readonly shapes: Shapes;
  readonly pairs: Map<string, Map<string, Pair>>;
}

/**
 * Returns keys that have the page of a known key, by twins, as far as evidence speaks for that. Twins are two values of
 * one parameter, or of one segment of a path, that have one page in each known variant of a pattern. If `/view?a=1` and
 * `/view?a=2` are one page, `/print?a=1` and `/print?a=2` may be one, too: what one pattern says of another is judged
 * by known keys, each as if it alone were not known. Patterns of few pages are judged by their paths and names. `pages`
 * holds the page of each key that is known or claimed, or `UNSURE`.
 */
export function trustedTwins(
  pages: ReadonlyMap<string, number>,
  known: KnownKeys,
  equality: number,
  budget: Budget,
): PageClaim[] {
  const families = new Map<string, Family<PageClaim>>();
  for (const contexts of contextsOf(pages).values()) {
    const tables = tablesOf(contexts);
    if (tables.size === 0) continue;
    const shown = pagesOfPatterns(contexts);
    for (const context of contexts) {
      // A family of few pages is judged by its paths and names, and needs no memory of its own.
      const isWide = (shown.get(context.shapes.narrow)?.size ?? 0) < THRESHOLDS.classes;
      for (const value of context.pages.keys()) {
        for (const table of tables.get(value) ?? [])
          addTwins(families, context, value, table, isWide);
      }
    }
  }
  const isVersions = (name: string) => name.replace("~", "").startsWith(VERSION);
  return trustedMembers(pooledFamilies(families, known), known, equality, budget, isVersions);
}

/** Returns the contexts of keys by the part that differs: a parameter by its name, a segment by its place. */
function contextsOf(pages: ReadonlyMap<string, number>): Map<string, Context[]> {
  const all = new Map<string, Context>();
  const byPart = new Map<string, Context[]>();
  for (const [key, page] of pages) {
    const parts = [...partsOf(key)];
    if (parts.length > MAX_PARTS) continue;
    for (const { part, start, end } of parts) {
      const [head, tail] = [key.slice(0, start), key.slice(end)];
      const context = entryOf(all, `${head}<${tail}`, () => {
        const text = `${head}*${tail}`;
        const [narrow, { wide }] = [withClasses(text), shapesOf(text, SELF)];
        const shapes = { narrow: `${part} ${narrow}`, wide: `${part} ${wide}` };
        const made = { head, tail, shapes, pages: new Map() };
        addMember(byPart, part, made);
        return made;
      });
      context.pages.set(key.slice(start, end), page);
    }
  }
  return byPart;
}

/** Yields the segments of a path and the values of a query, with their places in the key. */
function* partsOf(key: string): Generator<{ part: string; start: number; end: number }> {
  const [path, query] = splitTarget(key);
  for (let start = 1, depth = 1; start < path.length; depth++) {
    const slash = path.indexOf("/", start);
    const end = slash < 0 ? path.length : slash;
    const isVersion = /\d/.test(path.slice(start, end));
    yield { part: isVersion ? VERSION + depth : `/${depth}`, start, end };
    start = end + 1;
  }
  if (query === null) return;
  let at = path.length + 1;
  for (const piece of query.split("&")) {
    const [{ name, value } = { name: "", value: null }] = splitParams(piece);
    const end = at + piece.length;
    if (value) yield { part: `?${name}`, start: end - value.length, end };
    at = end + 1;
  }
}

/** Returns the pages of each pattern, as far as they tell whether these are few. */
function pagesOfPatterns(contexts: readonly Context[]): Map<string, Set<number>> {
  const shown = new Map<string, Set<number>>();
  for (const { shapes, pages } of contexts) {
    const own = entryOf(shown, shapes.narrow, () => new Set());
    for (const page of pages.values()) if (own.size < THRESHOLDS.classes) own.add(page);
  }
  return shown;
}

/** Returns the tables of patterns by each value that has a twin in them. */
function tablesOf(contexts: readonly Context[]): Map<string, readonly Table[]> {
  const tables = new Map<string, Table>();
  const byValue = new Map<string, Set<Table>>();
  for (const { shapes, pages } of contexts) {
    for (const values of equalValues(pages)) {
      const table = entryOf(tables, shapes.narrow, () => ({ shapes, pairs: new Map() }));
      for (const a of values) {
        entryOf(byValue, a, () => new Set()).add(table);
        const own = entryOf(table.pairs, a, () => new Map());
        for (const b of values) if (a !== b) entryOf(own, b, () => ({ same: 0, other: 0 })).same++;
      }
    }
  }
  for (const { shapes, pages } of contexts) {
    const pairs = tables.get(shapes.narrow)?.pairs;
    for (const [a, page] of pairs === undefined ? [] : pages) {
      for (const [b, pair] of pairs?.get(a) ?? []) {
        const other = pages.get(b);
        if (other !== undefined && other !== page) pair.other++;
      }
    }
  }
  return new Map(Array.from(byValue, ([value, own]) => [value, mostOf([...own], value)]));
}

/** Returns the tables that say most of a value, of at most `MAX_TABLES`. */
function mostOf(tables: readonly Table[], value: string): readonly Table[] {
  if (tables.length <= MAX_TABLES) return tables;
  const saidBy = ({ pairs }: Table): number =>
    [...(pairs.get(value)?.values() ?? [])].reduce((sum, { same }) => sum + same, 0);
  return tables
    .toSorted((a, b) => saidBy(b) - saidBy(a) || (a.shapes.narrow < b.shapes.narrow ? -1 : 1))
    .slice(0, MAX_TABLES);
}

/** Returns the values of one page, of each page that has two or more and not too many. */
function equalValues(pages: ReadonlyMap<string, number>): string[][] {
  if (pages.size < 2) return [];
  const counts = new Map<number, number>();
  for (const page of pages.values()) addCount(counts, page);
  if (counts.size === pages.size) return [];
  const byPage = new Map<number, string[]>();
  for (const [value, page] of pages) {
    if (page !== UNSURE && (counts.get(page) as number) > 1) addMember(byPage, page, value);
  }
  return [...byPage.values()].filter(({ length }) => length <= MAX_EQUAL);
}

/** Adds what the twins of a value in a table claim of the keys of a context, known or not. `isWide`: to the wide family. */
function addTwins(
  families: Map<string, Family<PageClaim>>,
  { head, tail, shapes, pages }: Context,
  value: string,
  table: Table,
  isWide: boolean,
): void {
  const page = pages.get(value) as number;
  if (page === UNSURE) return;
  for (const [twin, { same, other }] of table.pairs.get(value) ?? []) {
    const own = pages.get(twin);
    // What this context says of the two does not count.
    const isOwn = table.shapes.narrow === shapes.narrow && own !== undefined;
    const times = same - Number(isOwn && own === page);
    const against = other - Number(isOwn && own !== page);
    if (times === 0 || against > 0 || own === UNSURE) continue;
    const wide = `${table.shapes.wide} > ${shapes.wide}`;
    const made = () => ({ wide, ranks: emptyRanks<PageClaim>() });
    const name = isWide ? `~${wide}` : `${table.shapes.narrow} > ${shapes.narrow}`;
    const { ranks } = entryOf(families, name, made);
    const rank = ranks[rankOf(times + 1)] as Rank<PageClaim>;
    const claim = { key: head + twin + tail, by: head + value + tail, page };
    if (own !== undefined) rank.claims.push(claim);
    else {
      rank.members.push(claim);
      rank.unknown++;
    }
  }
}
