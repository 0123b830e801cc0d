import { bySite } from "../by-site.ts";
import type { Rule } from "../rule.ts";

/** Holds a rule and its line in a file, from 1 on. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly line: number;
}

interface Move {
  readonly site: string;
  readonly to: string;
  readonly line: number;
}

interface Visit {
  readonly site: string;
  /** How many of its moves were followed. */
  next: number;
  /** The line of the rule that led here. */
  readonly line: number;
}

/**
 * Looks for rules that move hosts in a circle under any conditions, so that no URL would settle. Returns the
 * last line of the first circle that it finds, or null. Takes time linear in the number of rules.
 */
export function findHostCircle(
  rules: readonly PlacedRule[],
): { line: number; reason: string } | null {
  const moves = bySite(
    rules.flatMap(({ rule: { site, action }, line }): Move[] =>
      action.type === "host" ? [{ site, to: action.to, line }] : [],
    ),
  );
  const settled = new Set<string>();
  for (const start of moves.keys()) {
    const circle = settled.has(start) ? null : findCircle(start, moves, settled);
    if (circle !== null) return circle;
  }
  return null;
}

function findCircle(
  start: string,
  moves: ReadonlyMap<string, readonly Move[]>,
  settled: Set<string>,
): { line: number; reason: string } | null {
  const path: Visit[] = [{ site: start, next: 0, line: 0 }];
  const isOnPath = new Set([start]);
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const move = moves.get(visit.site)?.[visit.next++];
    if (move === undefined) {
      settled.add(visit.site);
      isOnPath.delete(visit.site);
      path.pop();
    } else if (isOnPath.has(move.to)) {
      const circle = path.slice(path.findIndex(({ site }) => site === move.to));
      const hosts = [...circle.map(({ site }) => site), move.to].join(" > ");
      const lines = [...circle.slice(1).map(({ line }) => line), move.line];
      return {
        line: lines.reduce((last, line) => Math.max(last, line)),
        reason: `hosts are moved in a circle: ${hosts}`,
      };
    } else if (!settled.has(move.to)) {
      isOnPath.add(move.to);
      path.push({ site: move.to, next: 0, line: move.line });
    }
  }
  return null;
}
