import { wilson } from "../select/bound.ts";
import { GATES } from "../select/gates.ts";
import type { Stage } from "../site/stage.ts";
import { type Claims, ClaimsByShape } from "./claims-by-shape.ts";
import { type KeyReader, UNSURE } from "./keys.ts";
import { SELF, type Statements } from "./statements.ts";

/** Says that a key has the page of another key, because that page says so. */
export interface Claim {
  readonly key: string;
  readonly by: string;
}

/**
 * Returns what pages say of other URLs, as far as it can be trusted: all statements of one shape, by those about keys
 * whose page is known. A key that is known to be another page, that failed or that different pages claim is left out.
 */
export function trustedClaims(
  stage: Stage,
  statements: Statements,
  keys: KeyReader,
  pageOf: ReadonlyMap<string, number>,
): Claim[] {
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
  const trusted = [...shapes.all()].filter(([kind, claims]) =>
    isTrusted(kind, claims, pageOf, stage.pages.equality),
  );
  return undisputed(
    trusted.map(([, claims]) => claims),
    pageOf,
  );
}

/** Counts pairs of keys whose pages are both known, and the pages that only right pairs have. */
function isTrusted(
  kind: string,
  claims: Claims,
  pageOf: ReadonlyMap<string, number>,
  equality: number,
): boolean {
  let [right, wrong] = [0, 0];
  const pages = new Map<number, boolean>();
  for (const [key, claimants] of claims) {
    const own = pageOf.get(key);
    if (own === undefined || own === UNSURE) continue;
    for (const by of claimants) {
      const page = pageOf.get(by) as number;
      if (page === own) right++;
      else wrong++;
      pages.set(page, page === own && pages.get(page) !== false);
    }
  }
  if (!kind.startsWith(SELF)) return wrong <= GATES.contradiction * (right + wrong);
  const classes = [...pages.values()].filter((isRight) => isRight).length;
  const n = right + wrong;
  return (
    classes >= GATES.classes &&
    wilson(Math.min(n, right / equality), n, GATES.boundPoint) >= GATES.bound
  );
}

/** Returns a claim for each key that only one page claims, and that is not known to be another. */
function undisputed(trusted: readonly Claims[], pageOf: ReadonlyMap<string, number>): Claim[] {
  const found = new Map<string, Claim | null>();
  for (const claims of trusted) {
    for (const [key, claimants] of claims) {
      for (const by of claimants) {
        const page = pageOf.get(by);
        const other = found.get(key);
        const isDisputed = other === null || pageOf.get(other?.by ?? by) !== page;
        const isDenied = (pageOf.get(key) ?? page) !== page;
        found.set(key, isDisputed || isDenied ? null : { key, by });
      }
    }
  }
  return [...found.values()].filter((claim) => claim !== null);
}
