import { addCount, entryOf } from "../../base/tallies.ts";
import { parseCondition } from "../../site-rules/language/condition-text.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { ChangeFinder } from "../count/changes.ts";
import type { Nodes, SiteParam } from "../site/nodes.ts";
import type { Pages } from "../site/pages.ts";
import { shortestOf } from "../site/site.ts";
import { mostChanged, wilson } from "../thresholds/bound.ts";
import { THRESHOLDS } from "../thresholds/thresholds.ts";
import { type PathConditions, paramConditions, pathConditionsOf } from "./attributes.ts";
import { readBack } from "./candidates.ts";
import { nodesOfPages } from "./pairs.ts";

/** A page with fewer nodes than these is not worth a rule. */
const FEWEST = 7;
/** A rule is counted only if this share of the nodes that it matches, and whose page is known, are of such pages. */
const PURITY = 0.9;
const NO_TITLE = -1;
/** Limits the pages of a sink. A login page has several if it says where one came from. */
const MAX_PAGES = 10;

/** A condition is mostly one page if this share of its known nodes has that page. */
const MOSTLY = 0.75;

/** Counts conditions that differ in one value: those that are one page, and others that mostly are. */
interface Siblings {
  pure: number;
  mostly: number;
}

interface Draft {
  count: number;
  /** Counts the pages so far, with the one that is being read. */
  pages: number;
  last: number;
  /** Counts the nodes of the page that has most of them; `shortest` is the shortest URL of that page. */
  most: number;
  shortest: string;
}

/**
 * Returns rules that send many URLs to one page. Nearly all of them must be that page, or one of few. Of many siblings that are
 * mostly one page, such as years with hardly any event, some are one page by chance: then a sink must be known well.
 */
export function findSinks(site: string, nodes: Nodes, pages: Pages): Rule[] {
  const paths = pathConditionsOf(nodes);
  const drafts = new Map<string, Draft>();
  for (const [page, members] of nodesOfPages(nodes, pages)) {
    if (members.length >= FEWEST) addPage(page, members, { nodes, paths, drafts });
  }
  if (drafts.size === 0) return [];
  const finder = new ChangeFinder(nodes);
  const siblings = new Map<string, Siblings>();
  const open = [...drafts]
    .filter(([, { count, pages }]) => count >= MOSTLY * FEWEST && pages <= MAX_PAGES)
    .map(([condition, draft]) => {
      let known = 0;
      const titles = new Map<number, number>();
      finder.passing(parseCondition(condition), (node) => {
        if ((pages.page[node] as number) < 0) return;
        known++;
        addCount(titles, titleOf(node, nodes));
      });
      titles.delete(NO_TITLE);
      const isTitled = [...titles.values()].filter((of) => of >= FEWEST).length >= 2;
      const families = siblingsOf(condition).map((name) =>
        entryOf(siblings, name, () => ({ pure: 0, mostly: 0 })),
      );
      const others = known - draft.most - mostChanged(known, pages.changed);
      const isPure = others <= THRESHOLDS.sinkWrong * known;
      if (known >= FEWEST && draft.most >= MOSTLY * known)
        for (const family of families) family[isPure ? "pure" : "mostly"]++;
      return { condition, draft, known, isTitled, isPure, families };
    });
  return open
    .filter(
      ({ draft: { count, most }, known, isTitled, isPure, families }) =>
        count >= FEWEST &&
        count >= PURITY * known &&
        !isTitled &&
        (!isPure ||
          families.every(({ pure, mostly }) => mostly <= THRESHOLDS.boundTail * pure) ||
          wilson(most, known, THRESHOLDS.boundPoint) >= 1 - THRESHOLDS.sinkWrong),
    )
    .flatMap(({ condition, draft: { shortest } }) => sinkRule(site, condition, shortest));
}

/** Names the conditions that differ from one in the last segment of its path, and those that do in the value of its parameter. */
function siblingsOf(condition: string): string[] {
  const [path = "", test = ""] = condition.split(" ");
  const segments = path.split("/");
  const last = segments.findLastIndex((segment) => segment !== "" && segment !== "...");
  const ofPath = `${segments.with(Math.max(0, last), "<*>").join("/")} ${test}`;
  const equals = test.indexOf("=");
  return equals < 0 ? [ofPath] : [ofPath, `${path} ${test.slice(0, equals)}=<*>`];
}

/**
 * Returns the number of the parameter `title`, which names a page of a wiki: login and sign-up can show the same text, and
 * are two pages. Returns NO_TITLE for a URL without one.
 */
function titleOf(node: number, { paramStart, paramIds, params, names }: Nodes): number {
  for (let at = paramStart[node] as number; at < (paramStart[node + 1] as number); at++) {
    const id = paramIds[at] as number;
    if (names[(params[id] as SiteParam).name] === "title") return id;
  }
  return NO_TITLE;
}

/** Adds the conditions that nodes of one page pass. */
function addPage(
  page: number,
  members: readonly number[],
  { nodes, paths, drafts }: { nodes: Nodes; paths: PathConditions; drafts: Map<string, Draft> },
): void {
  const counts = new Map<string, number>();
  for (const node of members) {
    for (const condition of conditionsOf(paths(node), paramConditions(node, nodes))) {
      addCount(counts, condition);
    }
  }
  const shortest = shortestOf(members.map((node) => nodes.targets[node] as string));
  for (const [condition, count] of counts) {
    const none = () => ({ count: 0, pages: 0, last: -1, most: 0, shortest });
    const draft = entryOf(drafts, condition, none);
    draft.count += count;
    if (draft.last !== page) draft.pages++;
    draft.last = page;
    if (count > draft.most) [draft.most, draft.shortest] = [count, shortest];
  }
}

/**
 * Returns the rule with the shortest URL of the page as its sink. If the language refuses that as too long, the sink is
 * what the condition asks for. Returns an empty list if that is refused too.
 */
function sinkRule(site: string, condition: string, shortest: string): Rule[] {
  const found = readBack(`${site}\t${condition}\tsink ${shortest}`);
  if (found.length > 0) return found;
  return readBack(`${site}\t${condition}\tsink ${sinkOf(condition)}`);
}

/** Returns what a condition asks for as path and query. */
export function sinkOf(condition: string): string {
  const [path = "", test = ""] = condition.split(" ");
  return `${path === "*" ? "/" : path.replace(/\.\.\.$/, "")}${test}`;
}

/**
 * Yields conditions on paths and parameters, without `<N>`. One page in many versions is not a sink, because the next
 * version may have another page.
 */
function* conditionsOf(paths: readonly string[], params: readonly string[]): Generator<string> {
  for (const path of paths) if (!path.includes("<N>")) yield path;
  for (const param of params) {
    yield `* ?${param}`;
    yield `${paths[0]} ?${param}`;
  }
}
