import { entryOf } from "../../base/tallies.ts";
import { type Trust, writeTrustLine } from "../../site-rules/language/trust-line.ts";
import type { Stage } from "../site/stage.ts";
import { SELF, type Statements } from "../site/statements.ts";
import { roundedBound } from "../thresholds/bound.ts";
import type { Budget } from "../thresholds/budget.ts";
import {
  costOf,
  type EvidenceBucket,
  isHarmful,
  type JudgedShape,
  judgeShape,
} from "./evidence-buckets.ts";
import { type KeyReader, type KnownKeys, UNSURE } from "./keys.ts";
import { ClaimsByShape } from "./shape.ts";

/** Says that a key has the page of another key, because that page says so. */
export interface Claim {
  readonly key: string;
  readonly by: string;
}

/** Holds what can be trusted of what pages say of other URLs. */
export interface TrustedClaims {
  readonly claims: readonly Claim[];
  /** Lists the shapes that can be trusted in new pages, and those that cannot although a wider shape can. */
  readonly trust: readonly Trust[];
  /** Holds the keys that statements of trusted shapes claim for different pages. */
  readonly disputed: ReadonlySet<string>;
}

/**
 * Returns what pages say of other URLs, as far as it can be trusted, by those statements of one shape that are about
 * keys whose page is known. What is right most costs first, until the budget is spent. A key that is known to be
 * another page, that failed or that different pages claim is left out.
 */
export function trustedClaims(
  stage: Stage,
  statements: Statements,
  keys: KeyReader,
  known: KnownKeys,
  budget: Budget,
): TrustedClaims {
  const { pageOf } = known;
  const shapes = new ClaimsByShape(pageOf);
  for (const [at, node] of statements.pages.entries()) {
    if ((stage.pages.page[node] as number) < 0) continue;
    const by = keys.of(node);
    if (pageOf.get(by) === UNSURE) continue;
    const target = statements.targets[statements.urls[at] as number] as string;
    const key = keys.ofTarget(target, stage.nodes.isHttps[node] as boolean);
    if (key !== by)
      shapes.add(target, statements.kinds[statements.kindOf[at] as number] as string, key, by);
  }
  const judged = shapes
    .all()
    .map((shape) => judgeShape(shape, known, stage.pages.equality, budget));
  const buckets = judged
    .flatMap((shape) => shape.buckets)
    .toSorted((a, b) => b.worth - a.worth || (a.name < b.name ? -1 : 1));
  const claims = affordable(buckets, known, budget);
  return { claims, trust: trustIn(stage.name, judged), disputed: disputedOf(judged, pageOf) };
}

function disputedOf(
  judged: readonly JudgedShape[],
  pageOf: KnownKeys["pageOf"],
): ReadonlySet<string> {
  const pages = new Map<string, number | undefined>();
  const disputed = new Set<string>();
  for (const [key, claimants] of judged.flatMap(({ shape, buckets }) =>
    buckets.length > 0 ? [...shape.claims] : [],
  )) {
    for (const page of [...claimants].map((by) => pageOf.get(by))) {
      if (entryOf(pages, key, () => page) !== page) disputed.add(key);
    }
  }
  return disputed;
}

/** Takes one bucket after the other, unless what it adds costs too much; a key that two of them dispute has none. */
function affordable(buckets: readonly EvidenceBucket[], known: KnownKeys, budget: Budget): Claim[] {
  const found = new Map<string, (Claim & { readonly page: number }) | null>();
  for (const bucket of buckets) {
    const { claims } = bucket;
    const added = claims.filter(({ key }) => !found.has(key));
    const cost = costOf(added, known, budget);
    if (isHarmful(cost) || budget.tooMuch(cost) !== null) continue;
    budget.spend(cost);
    for (const claim of claims) {
      const { key, page } = claim;
      const isDenied = (known.pageOf.get(key) ?? page) !== page;
      const other = found.get(key);
      found.set(key, isDenied || (other !== undefined && other?.page !== page) ? null : claim);
    }
  }
  return [...found.values()].filter((claim) => claim !== null);
}

/**
 * Returns what the file of rules says of the shapes of a site. A shape of which nothing wrong is known, but too little,
 * is trusted as a wider one is.
 */
function trustIn(site: string, judged: readonly JudgedShape[]): Trust[] {
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
