import type { Known } from "../site/known.ts";
import type { Merges } from "./merges.ts";

/** Limits the share by which sizes of one page may differ. */
const TOLERANCE = 0.01;

/** Holds what sizes say of the URLs that a rule merges. */
export interface SizeEffect {
  /** Counts the groups in which two or more sizes are known, and those of them whose URLs have one size. */
  readonly groups: number;
  readonly equal: number;
  /** Counts the URLs that are merged into others of these groups, and those of them that have the size of another. */
  readonly merged: number;
  readonly right: number;
  /** Counts the sizes of the group with most of them. Sizes within the tolerance are one. */
  readonly mostSizes: number;
}

/** Holds the sizes of URLs, and the one that most of them have, which tells nothing: a login or an error has it. */
export type Sizes = Pick<Known, "smallest" | "largest"> & { readonly common: number };

/** Returns the sizes of URLs. No size is common if not more than half of the URLs have it. */
export function sizesOf({ smallest, largest }: Pick<Known, "smallest" | "largest">): Sizes {
  const known = smallest.filter((size) => !Number.isNaN(size)).toSorted();
  const middle = known[known.length >> 1] ?? Number.NaN;
  const count = known.filter((size) => size === middle).length;
  return { smallest, largest, common: count > known.length / 2 ? middle : Number.NaN };
}

/**
 * Compares the sizes of the URLs that a rule merges. In a group whose sizes differ, only equal sizes are one: pages
 * that follow each other may have sizes that are close.
 */
export function sizeEffect(merges: Merges, known: Sizes): SizeEffect {
  const effect = { groups: 0, equal: 0, merged: 0, right: 0, mostSizes: 0 };
  for (let group = 0; group < merges.groups; group++) {
    const nodes = merges.nodes.subarray(merges.start[group], merges.start[group + 1]);
    const ranges = rangesOf(nodes, known);
    if (ranges.length < 2) continue;
    const isEqual = isOneSize(ranges);
    effect.groups++;
    if (isEqual) effect.equal++;
    effect.merged += ranges.length - 1;
    effect.right += ranges.length - (isEqual ? 1 : countSizes(ranges));
    if (!isEqual) effect.mostSizes = Math.max(effect.mostSizes, countSizes(ranges, TOLERANCE));
  }
  return effect;
}

type Range = readonly [smallest: number, largest: number];

function rangesOf(nodes: Int32Array, { smallest, largest, common }: Sizes): Range[] {
  return Array.from(
    nodes,
    (node): Range => [smallest[node] as number, largest[node] as number],
  ).filter(([size]) => !Number.isNaN(size) && size !== common);
}

/** Returns whether sizes differ by no more than the tolerance. Ranges that overlap are one size. */
function isOneSize(ranges: readonly Range[]): boolean {
  const least = ranges.reduce((size, [, largest]) => Math.min(size, largest), Infinity);
  const most = ranges.reduce((size, [smallest]) => Math.max(size, smallest), 0);
  return most - least <= TOLERANCE * most;
}

/** Counts the different sizes: ranges that overlap, or are apart by no more than the tolerance, are one size. */
function countSizes(ranges: readonly Range[], tolerance = 0): number {
  let sizes = 0;
  let end = -1;
  for (const [smallest, largest] of ranges.toSorted(([a], [b]) => a - b)) {
    if (smallest > end) {
      sizes++;
      end = smallest * (1 + tolerance);
    }
    end = Math.max(end, largest);
  }
  return sizes;
}
