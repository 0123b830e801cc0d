import { addCount, entryOf } from "../../base/tallies.ts";
import { targetOf } from "../../site-rules/apply/actions.ts";
import { joinParams, type Param, paramText, splitParams } from "../../site-rules/apply/params.ts";
import { type Nodes, splitTarget } from "./nodes.ts";
import { type Pages, UNKNOWN_PAGE } from "./pages.ts";
import { withClasses } from "./statements.ts";

/** An error is looked for if so many URLs, and this share of them, show it. */
const FEWEST = 10;
const LEAST = 0.02;
/** Limits the share of the URLs of one pattern that show it: a sink has all of them. */
const MOST_OF_PATTERN = 0.6;
/** The share of its URLs that must be in such patterns, and of their pairs that must contradict. */
const SCATTERED = 0.8;
const CONTRADICTED = 0.3;
/** The share of pairs of other pages that agree if a parameter means nothing, and how many show it. */
const AGREED = 0.9;

/**
 * Takes away the page of URLs that showed an error with the status of a page, such as "too many requests": a page that
 * many URLs have, of several patterns (their numbers aside) and never most of one. Without a parameter that means
 * nothing elsewhere, its URLs show other pages.
 */
export function withoutSoftErrors(pages: Pages, nodes: Nodes): Pages {
  const suspects = scatteredPages(pages, nodes);
  if (suspects.size === 0) return pages;
  const soft = contradictedPages(suspects, pages, nodes);
  if (soft.size === 0) return pages;
  const numbers = new Map<number, number>();
  const page = pages.page.map((own) => {
    if (own < 0 || soft.has(own)) return UNKNOWN_PAGE;
    if (!numbers.has(own)) numbers.set(own, numbers.size);
    return numbers.get(own) as number;
  });
  const known = page.reduce((sum, own) => sum + Number(own >= 0), 0);
  return { ...pages, page, total: numbers.size, known, softErrors: pages.known - known };
}

/** Returns the pages that many URLs of several patterns have, and in each pattern only some. */
function scatteredPages({ page, total, known }: Pages, { targets }: Nodes): Set<number> {
  const counts = new Int32Array(total);
  for (const own of page) if (own >= 0) counts[own] = (counts[own] as number) + 1;
  const fewest = Math.max(FEWEST, LEAST * known);
  const suspects = new Map<number, Map<string, number>>();
  for (const [own, count] of counts.entries()) if (count >= fewest) suspects.set(own, new Map());
  if (suspects.size === 0) return new Set();
  const all = new Map<string, number>();
  for (const [node, own] of page.entries()) {
    if (own < 0) continue;
    const pattern = withClasses(targets[node] as string);
    addCount(all, pattern);
    const suspect = suspects.get(own);
    if (suspect !== undefined) addCount(suspect, pattern);
  }
  return new Set(
    [...suspects].flatMap(([own, patterns]) => {
      const some = [...patterns].filter(([pattern, count]) => {
        const urls = all.get(pattern) as number;
        return urls >= FEWEST && count <= MOST_OF_PATTERN * urls;
      });
      const urls = some.reduce((sum, [, count]) => sum + count, 0);
      return some.length > 1 && urls >= SCATTERED * (counts[own] as number) ? own : [];
    }),
  );
}

/** Counts pairs of URLs that differ in a parameter. */
interface Pairs {
  same: number;
  other: number;
}

/** Returns the suspects that URLs have only by chance, by parameters that mean nothing for other pages. */
function contradictedPages(suspects: ReadonlySet<number>, pages: Pages, nodes: Nodes): Set<number> {
  const counts = new Map<string, Pairs>();
  for (const { name, page, without } of pairsWithout(pages, nodes)) {
    const suspect = [page, without].find((each) => suspects.has(each)) ?? "";
    const key = `${suspect} ${name}`;
    const pairs = entryOf(counts, key, () => ({ same: 0, other: 0 }));
    pairs[page === without ? "same" : "other"]++;
  }
  const soft = new Set<number>();
  for (const [key, { same, other }] of counts) {
    const space = key.indexOf(" ");
    const elsewhere = counts.get(key.slice(space));
    if (space === 0 || elsewhere === undefined || elsewhere.same < FEWEST) continue;
    const isNothing = elsewhere.same >= AGREED * (elsewhere.same + elsewhere.other);
    if (isNothing && other >= FEWEST / 2 && other >= CONTRADICTED * (same + other))
      soft.add(Number(key.slice(0, space)));
  }
  return soft;
}

/**
 * Yields the pages of a URL, and of the same without one of its parameters or with only one, where both are known. The
 * name says what is left out: by names, and once more by names and values.
 */
function* pairsWithout(
  { page }: Pages,
  { targets }: Nodes,
): Generator<{ name: string; page: number; without: number }> {
  const pageOf = new Map(targets.map((target, node) => [target, page[node] as number]));
  for (const [node, target] of targets.entries()) {
    const [path, query] = splitTarget(target);
    if (query === null || (page[node] as number) < 0) continue;
    const params = splitParams(query);
    for (const kept of shorterLists(params)) {
      const shorter = targetOf({ path, query: joinParams(kept) });
      const without = pageOf.get(shorter) ?? UNKNOWN_PAGE;
      if (without < 0) continue;
      const dropped = params.filter((param) => !kept.includes(param));
      for (const name of [dropped.map(({ name }) => name), dropped.map(paramText)])
        yield { name: name.join("&"), page: page[node] as number, without };
    }
  }
}

/** Returns parameters without each one; of three or more, also each one alone. */
function shorterLists(params: readonly Param[]): Param[][] {
  const without = params.map((_, at) => params.toSpliced(at, 1));
  return params.length < 3 ? without : [...without, ...params.map((param) => [param])];
}
