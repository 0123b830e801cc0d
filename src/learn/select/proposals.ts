import { writeRule } from "../../site-rules/language/rule-line.ts";
import type { Evidence, Rule } from "../../site-rules/rule.ts";
import { Components } from "../count/components.ts";
import type { Counted } from "../count/counted.ts";
import type { Merges } from "../count/merges.ts";
import { type SizeEffect, sizeEffect, sizesOf } from "../count/size-effect.ts";
import type { Known } from "../site/known.ts";
import { UNKNOWN_PAGE } from "../site/pages.ts";
import { roundedBound } from "../thresholds/bound.ts";
import { isOpen } from "./select.ts";

/** A proposal has at least this many groups. */
const MIN_GROUPS = 10;
/**
 * For sizes, a lower bound of the share of groups with one size is at least `SIZE_BOUND`, and so is that of the share of
 * merged URLs with the size of another. That share itself is at least `SIZE_SHARE`.
 */
const SIZE_BOUND = 0.75;
const SIZE_SHARE = 0.85;
/** A group of so many sizes holds the pages of a whole path, however many other merges are right. */
const SIZES_OF_PATH = 10;
/** The share of its merges that a proposal must make alone. Others are variants of one before. */
const OWN_SHARE = 0.5;
/** Limits the proposals by URLs alone, which are wrong more often than right. */
const MAX_BY_URLS = 10;

interface Proposal {
  readonly counted: Counted;
  readonly rule: Rule;
  readonly line: string;
  readonly groups: number;
  readonly lb: number;
}

/**
 * Returns rules to look into, best first, for a site without fingerprints. If sizes are known, these are the rules that
 * merge URLs of one size (`size`) and name what they change. If not, they are those with the most groups (`pattern`).
 * What the site declares to be wrong is not proposed.
 */
export function proposeRules(counted: readonly Counted[], given: Known): Proposal[] {
  const distinct = withoutTwins(counted.filter(isUndisputed));
  const known = sizesOf(given);
  const sized = distinct.map((candidate) => ({
    candidate,
    sizes: sizeEffect(candidate.merges, known),
  }));
  if (sized.some(({ sizes }) => sizes.groups >= MIN_GROUPS)) {
    const bySize = sized
      .filter(({ candidate, sizes }) => !isOpen(candidate.rule) && areMostlyOne(sizes))
      .map(({ candidate, sizes }) => proposeBySize(candidate, sizes))
      .filter(({ lb }) => lb >= SIZE_BOUND)
      .toSorted((a, b) => b.lb - a.lb || byGroups(a, b));
    return withoutVariants(bySize, given);
  }
  const byUrls = distinct
    .map((candidate) => {
      const { groups } = candidate.merges;
      return propose(candidate, groups, {
        level: "pattern",
        n: groups,
        ok: 0,
        lb: roundedBound(0, groups),
      });
    })
    .filter(({ groups }) => groups >= MIN_GROUPS)
    .toSorted((a, b) => Number(isDrop(b)) - Number(isDrop(a)) || byGroups(a, b));
  return withoutVariants(byUrls, given).slice(0, MAX_BY_URLS);
}

/** Leaves out proposals that merge little which those before them do not merge. */
function withoutVariants(proposals: readonly Proposal[], { fingerprints }: Known): Proposal[] {
  const page = new Int32Array(fingerprints.length).fill(UNKNOWN_PAGE);
  const merged = new Components({ page, total: 0 });
  return proposals.filter(({ counted: { merges } }) => {
    const own = merged.effect(merges).unknown;
    const isOwn = own >= OWN_SHARE * (merges.nodes.length - merges.groups);
    if (isOwn) merged.merge(merges);
    return isOwn;
  });
}

/**
 * Returns whether more declarations of the site speak for the rule than against it, or no declaration speaks against
 * it.
 */
function isUndisputed({ declared }: Counted): boolean {
  return declared.wrongGroups === 0 || declared.wrongGroups < declared.rightGroups;
}

/** Returns whether sizes speak for a rule that merges enough, and makes no whole path one. */
function areMostlyOne({ groups, merged, right, mostSizes }: SizeEffect): boolean {
  return groups >= MIN_GROUPS && right >= SIZE_SHARE * merged && mostSizes < SIZES_OF_PATH;
}

/** Proposes a rule by the URLs that it merges. A few large groups do not make up for many that are wrong, nor the reverse. */
function proposeBySize(counted: Counted, { groups, equal, merged, right }: SizeEffect): Proposal {
  const lb = Math.min(roundedBound(equal, groups), roundedBound(right, merged));
  return propose(counted, groups, { level: "size", n: merged, ok: right, lb });
}

function propose(counted: Counted, groups: number, evidence: Evidence): Proposal {
  const rule = { ...counted.rule, evidence };
  return { counted, rule, line: writeRule(rule), groups, lb: evidence.lb };
}

function isDrop({ rule }: Proposal): boolean {
  return rule.action.type === "drop";
}

function byGroups(a: Proposal, b: Proposal): number {
  return b.groups - a.groups || a.line.length - b.line.length || (a.line < b.line ? -1 : 1);
}

/** Keeps, of rules that merge the same URLs, the one with the shortest line. */
function withoutTwins(counted: readonly Counted[]): Counted[] {
  const bySignature = new Map<string, { candidate: Counted; line: string }>();
  for (const candidate of counted) {
    const line = writeRule(candidate.rule);
    const signature = signatureOf(candidate.merges);
    const known = bySignature.get(signature);
    const isBetter =
      known === undefined ||
      line.length < known.line.length ||
      (line.length === known.line.length && line < known.line);
    if (isBetter) bySignature.set(signature, { candidate, line });
  }
  return [...bySignature.values()].map(({ candidate }) => candidate);
}

/** Returns a hash of the groups that does not depend on their order, nor on the order of their nodes. */
function signatureOf({ groups, start, nodes }: Merges): string {
  let sum = 0;
  let mixed = 0;
  for (let group = 0; group < groups; group++) {
    let hash = 0;
    for (let at = start[group] as number; at < (start[group + 1] as number); at++) {
      hash = (hash + Math.imul((nodes[at] as number) + 1, 0x9e3779b1)) | 0;
    }
    sum = (sum + Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)) | 0;
    mixed ^= Math.imul(hash, 0xc2b2ae35);
  }
  return `${groups} ${nodes.length} ${sum} ${mixed}`;
}
