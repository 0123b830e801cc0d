import { type Trust, writeTrustLine } from "../../site-rules/trust/trust-line.ts";
import { roundedBound } from "../select/bound.ts";
import { SELF } from "./statements.ts";
import type { JudgedShape, Stratum } from "./strata.ts";

/** Returns what the file of rules says of the shapes of a site, of whose strata some were refused. */
export function trustIn(
  site: string,
  judged: readonly JudgedShape[],
  refused: ReadonlySet<Stratum>,
): Trust[] {
  const lines = judged.map((shape) => ({
    shape: shape.shape,
    line: trustOf(site, shape, refused),
  }));
  const trusted = new Set(
    lines.flatMap(({ line }) => (line.isTrusted ? `${line.statement} ${line.shape}` : [])),
  );
  return lines
    .filter(({ shape, line }) => line.isTrusted || trusted.has(`${line.statement} ${shape.wide}`))
    .map(({ line }) => line)
    .toSorted((a, b) => (writeTrustLine(a) < writeTrustLine(b) ? -1 : 1));
}

function trustOf(
  site: string,
  { shape: { kind, narrow }, strata, count: { right, wrong }, isForNewPages }: JudgedShape,
  refused: ReadonlySet<Stratum>,
): Trust {
  const isSelf = kind.startsWith(SELF);
  const n = right + wrong;
  return {
    site,
    shape: narrow,
    statement: isSelf ? `self ${kind}` : kind,
    isTrusted: isForNewPages && strata.every((stratum) => !refused.has(stratum)),
    evidence: {
      level: isSelf ? "fingerprint" : "declared",
      n,
      ok: right,
      lb: roundedBound(right, n),
    },
  };
}
