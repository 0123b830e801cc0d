import { type Known, NOTHING } from "./known.ts";
import type { Nodes } from "./nodes.ts";

/**
 * Says what a site declares of slashes at the end of paths: it adds them, it removes them, or it does both or too
 * little of either. It is null if the site declares nothing of them.
 */
export type SlashHabit = "adds" | "removes" | "unclear" | null;

/** Declarations that make a habit, and the share of them that may speak against it. */
const FEWEST = 3;
const AGAINST = 0.05;

/**
 * Returns the habit by redirects and canonical URLs. A page that answers without a slash speaks against adding it.
 * Paths with a dot in the last segment name files, of which a habit says nothing.
 */
export function slashHabitOf(nodes: Nodes, { declared, fingerprints }: Known): SlashHabit {
  let [adds, removes, stays] = [0, 0, 0];
  for (let node = 0; node < nodes.count; node++) {
    const path = nodes.paths[nodes.path[node] as number] as string;
    const end = declared[node] as number;
    if (end < 0) {
      const isPage = end === NOTHING && (fingerprints[node] as readonly string[]).length > 0;
      if (isPage && isOpen(path)) stays++;
      continue;
    }
    const target = nodes.paths[nodes.path[end] as number] as string;
    if (end === node) {
      if (isOpen(path)) stays++;
    } else if (isOpen(path) && target === `${path}/`) adds++;
    else if (isOpen(target) && path === `${target}/`) removes++;
  }
  if (adds === 0) return removes === 0 ? null : "removes";
  if (adds >= FEWEST && removes + stays <= AGAINST * adds) return "adds";
  return adds <= AGAINST * removes ? "removes" : "unclear";
}

/** Returns whether a path ends with a segment that could get a slash. */
function isOpen(path: string): boolean {
  return !path.includes(".", path.lastIndexOf("/")) && !path.endsWith("/");
}
