import { type Trust, writeTrustLine } from "../../site-rules/language/trust-line.ts";
import { SELF } from "../site/statements.ts";
import { roundedBound } from "../thresholds/bound.ts";
import type { JudgedShape } from "./evidence-buckets.ts";

/**
 * Returns what the file of rules says of the shapes of a site. A shape of which nothing wrong is known, but too little,
 * is trusted as a wider one is.
 */
export function trustIn(site: string, judged: readonly JudgedShape[]): Trust[] {
  const lines = judged.map((shape) => ({ ...shape, line: trustOf(site, shape) }));
  const trusted = new Set(
    lines.flatMap(({ line }) => (line.isTrusted ? `${line.statement} ${line.shape}` : [])),
  );
  return lines
    .filter(
      ({ shape: { wide }, count: { wrong }, line }) =>
        line.isTrusted || (wrong > 0 && trusted.has(`${line.statement} ${wide}`)),
    )
    .map(({ line }) => line)
    .toSorted((a, b) => (writeTrustLine(a) < writeTrustLine(b) ? -1 : 1));
}

function trustOf(site: string, { shape: { kind, narrow }, count, fewest }: JudgedShape): Trust {
  const isSelf = kind.startsWith(SELF);
  const n = count.right + count.wrong;
  return {
    site,
    shape: narrow,
    statement: isSelf ? `self ${kind}` : kind,
    isTrusted: fewest !== null,
    fewest: fewest ?? 1,
    evidence: {
      level: isSelf ? "fingerprint" : "declared",
      n,
      ok: count.right,
      lb: roundedBound(count.right, n),
    },
  };
}
