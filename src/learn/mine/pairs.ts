import { addMember } from "../../base/tallies.ts";
import type { Nodes } from "../site/nodes.ts";
import type { Pages } from "../site/pages.ts";
import type { Candidates } from "./candidates.ts";
import { addDifferences } from "./differences.ts";

/** Counts the shortest nodes of a page that are compared; `SPREAD` counts those that are spread over the rest. */
const SHORTEST = 6;
const SPREAD = 6;

/** Limits roughly the pairs of a site. If it has more, every second, third and so on page is read. */
const MAX_PAIRS = 50_000;

/** Adds what makes two URLs, path and query, of one page differ. */
export type PairAdder = (a: string, b: string, page: number, candidates: Candidates) => void;

/** Adds what makes URLs of one page differ, for pages with several. */
export function addPairs(
  nodes: Nodes,
  pages: Pages,
  candidates: Candidates,
  add: PairAdder = addDifferences,
): void {
  const several = [...nodesOfPages(nodes, pages)].filter(([, members]) => members.length > 1);
  let pairs = 0;
  for (const [, { length }] of several) {
    const chosen = Math.min(length, SHORTEST + SPREAD);
    pairs += (chosen * (chosen - 1)) / 2;
  }
  const step = Math.max(1, Math.ceil(pairs / MAX_PAIRS));
  for (const [index, [page, members]] of several.entries()) {
    if (index % step !== 0) continue;
    const chosen = choose(members, nodes);
    for (const [index, a] of chosen.entries()) {
      for (const b of chosen.slice(index + 1)) {
        if (nodes.isHttps[a] !== nodes.isHttps[b]) continue;
        add(nodes.targets[a] as string, nodes.targets[b] as string, page, candidates);
      }
    }
  }
}

export function nodesOfPages(nodes: Nodes, pages: Pages): Map<number, number[]> {
  const members = new Map<number, number[]>();
  for (let node = 0; node < nodes.count; node++) {
    const page = pages.page[node] as number;
    if (page < 0) continue;
    addMember(members, page, node);
  }
  return members;
}

function choose(members: readonly number[], nodes: Nodes): number[] {
  const text = (node: number) => nodes.targets[node] as string;
  const sorted = members.toSorted(
    (a, b) => text(a).length - text(b).length || (text(a) < text(b) ? -1 : 1),
  );
  if (sorted.length <= SHORTEST + SPREAD) return sorted;
  const rest = sorted.length - SHORTEST;
  const spread = Array.from(
    { length: SPREAD },
    (_, index) => sorted[SHORTEST + Math.floor((index * rest) / SPREAD)] as number,
  );
  return [...sorted.slice(0, SHORTEST), ...spread];
}
