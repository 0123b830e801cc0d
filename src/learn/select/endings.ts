import type { Stage } from "../site/stage.ts";
import { wilson } from "./bound.ts";
import type { Family } from "./families.ts";
import { GATES } from "./gates.ts";

/**
 * Returns the endings of other URLs that tell of another page: where the URL that the rule makes is known
 * too, it nearly never has the page of a URL with such an ending. So `.<N>` tells of the later pages of a
 * topic, and one URL with it is enough to know that the topic has several.
 */
export function tellingEndings(
  families: ReadonlyMap<string, Family>,
  { nodes, pages }: Pick<Stage, "nodes" | "pages">,
): Set<string> {
  const tallies = new Map<string, { known: number; different: number }>();
  for (const [made, { merged, others }] of families) {
    const own = merged.find((node) => nodes.targets[node] === made);
    const page = own === undefined ? -1 : (pages.page[own] as number);
    if (page < 0) continue;
    for (const { node, ending } of others) {
      const other = pages.page[node] as number;
      if (other < 0) continue;
      const tally = tallies.get(ending) ?? { known: 0, different: 0 };
      tallies.set(ending, tally);
      tally.known++;
      if (other !== page) tally.different++;
    }
  }
  const telling = [...tallies].filter(
    ([, { known, different }]) => wilson(different, known, GATES.boundPoint) >= GATES.bound,
  );
  return new Set(telling.map(([ending]) => ending));
}
