import type { Counted } from "../count/counted.ts";
import type { Pages } from "../site/pages.ts";

/**
 * Share of the URLs a rule changes that another may change to a different page: what is wrong there is
 * counted as lost already, so a few say nothing of the order.
 */
const FEW = 0.01;

/**
 * Finds rules whose order matters: two that change the same URLs to URLs of different pages.
 * Returns the number of the first rule that does so with those before it, or -1.
 */
export function findConflict(selected: readonly Counted[], pages: Pages): number {
  const pageOf = new Map<number, number>();
  for (const [rule, { merges }] of selected.entries()) {
    let conflicts = 0;
    for (const [index, node] of merges.changed.entries()) {
      const page = onlyPage(merges.targets[index] as number, pages);
      if (page < 0) continue;
      const known = pageOf.get(node);
      if (known === undefined) pageOf.set(node, page);
      else if (known !== page) conflicts++;
    }
    if (conflicts > FEW * merges.changed.length) return rule;
  }
  return -1;
}

/** The page of a node, -1 where it has none, or several. */
function onlyPage(node: number, pages: Pages): number {
  if (node < 0) return -1;
  const start = pages.start[node] as number;
  return pages.start[node + 1] === start + 1 ? (pages.page[start] as number) : -1;
}
