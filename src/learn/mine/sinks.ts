import { parseCondition } from "../../site-rules/language/condition-text.ts";
import type { Rule } from "../../site-rules/rule.ts";
import { ChangeFinder } from "../count/changes.ts";
import type { Nodes } from "../site/nodes.ts";
import type { Pages } from "../site/pages.ts";
import { PathConditions, paramConditions } from "./attributes.ts";
import { readBack } from "./candidates.ts";
import { nodesOfPages } from "./pairs.ts";

/** Nodes of one page that make it worth a rule. */
const FEWEST = 10;
/** Share of the nodes a rule matches that must be of the page for it to be counted at all. */
const PURITY = 0.9;

/** Finds rules that send many URLs to one page, which nearly all of them are. */
export function findSinks(site: string, nodes: Nodes, pages: Pages): Rule[] {
  const large = [...nodesOfPages(nodes, pages).values()].filter(({ length }) => length >= FEWEST);
  if (large.length === 0) return [];
  const paths = new PathConditions(nodes);
  const finder = new ChangeFinder(nodes);
  const totals = new Map<string, number>();
  const isPure = (condition: string, count: number): boolean => {
    const total = totals.get(condition) ?? finder.countPassing(parseCondition(condition));
    totals.set(condition, total);
    return count >= PURITY * total;
  };
  return large.flatMap((members) => {
    const counts = new Map<string, number>();
    for (const node of members) {
      for (const condition of conditionsOf(paths.of(node), paramConditions(node, nodes))) {
        counts.set(condition, (counts.get(condition) ?? 0) + 1);
      }
    }
    const shortest = members
      .map((node) => nodes.targets[node] as string)
      .reduce((a, b) => (a.length < b.length || (a.length === b.length && a < b) ? a : b));
    return [...counts]
      .filter(([condition, count]) => count >= FEWEST && isPure(condition, count))
      .flatMap(([condition]) => sink(site, condition, shortest));
  });
}

/** The sink is the shortest URL of the page, or where that is too long what the condition asks for. */
function sink(site: string, condition: string, shortest: string): Rule[] {
  const found = readBack(`${site}\t${condition}\tsink ${shortest}`);
  if (found.length > 0) return found;
  const [path = "", test = ""] = condition.split(" ");
  const own = path === "*" ? "/" : path.replace(/\.\.\.$/, "");
  return readBack(`${site}\t${condition}\tsink ${own}${test}`);
}

/** Not of any number: one page in many versions is not a sink, and the next version may have another. */
function* conditionsOf(paths: readonly string[], params: readonly string[]): Generator<string> {
  for (const path of paths) if (!path.includes("<N>")) yield path;
  for (const param of params) {
    yield `* ?${param}`;
    yield `${paths[0]} ?${param}`;
  }
}
