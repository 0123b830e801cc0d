import type { Known } from "../site/known.ts";
import type { Merges } from "./merges.ts";

/** Limits the share by which sizes of one page may differ. */
const TOLERANCE = 0.01;

/**
 * Counts the groups in which two or more sizes are known, and those of them whose URLs have one
 * size.
 */
export function sizeEffect(
  merges: Merges,
  { smallest, largest }: Pick<Known, "smallest" | "largest">,
): { groups: number; equal: number } {
  let groups = 0;
  let equal = 0;
  for (let group = 0; group < merges.groups; group++) {
    let known = 0;
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    for (let at = merges.start[group] as number; at < (merges.start[group + 1] as number); at++) {
      const node = merges.nodes[at] as number;
      if (Number.isNaN(smallest[node])) continue;
      known++;
      // Ranges of sizes that overlap are one size.
      least = Math.min(least, largest[node] as number);
      most = Math.max(most, smallest[node] as number);
    }
    if (known < 2) continue;
    groups++;
    if (most - least <= TOLERANCE * most) equal++;
  }
  return { groups, equal };
}
