import type { LabelledUrl } from "./labelled-site.ts";

/** Two pages whose shingles have a Jaccard similarity below this are clearly different ones. */
const JACCARD = 0.7;
/**
 * The bits of 64 in which simhashes of such pages differ: sets of one size with that similarity have a cosine of 2 J / (1 + J),
 * and each bit differs with the probability of its angle / pi (Charikar 2002).
 */
const DISTANCE = (64 * Math.acos((2 * JACCARD) / (1 + JACCARD))) / Math.PI;

/**
 * Says whether two pages are clearly different: `blind` if nothing but their labels is known. Simhashes estimate the similarity.
 * Numbers of shingles limit it, because no similarity is above the smaller number by the greater one: what they do not
 * exclude is `open`.
 */
export function areOtherPages(
  a: Pick<LabelledUrl, "sim" | "shingles">,
  b: Pick<LabelledUrl, "sim" | "shingles">,
): "other" | "similar" | "open" | "blind" {
  if (a.sim !== undefined && b.sim !== undefined) {
    return distance(a.sim, b.sim) > DISTANCE ? "other" : "similar";
  }
  if (a.shingles === undefined || b.shingles === undefined) return "blind";
  const [fewer, more] = [Math.min(a.shingles, b.shingles), Math.max(a.shingles, b.shingles)];
  return fewer < JACCARD * more ? "other" : "open";
}

/** Counts the bits in which two hexadecimal texts differ. */
function distance(a: string, b: string): number {
  let bits = 0;
  for (let rest = BigInt(`0x${a}`) ^ BigInt(`0x${b}`); rest > 0n; rest >>= 1n) {
    bits += Number(rest & 1n);
  }
  return bits;
}
