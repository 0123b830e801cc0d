import { roundBound } from "../../site-rules/language/evidence-text.ts";

/** Gives the two-sided 95 % point of the standard normal distribution. */
export const Z95 = 1.959964;

/** Returns the lower bound of Wilson's score interval (1927) for `ok` of `n`. */
export function wilson(ok: number, n: number, z = Z95): number {
  if (n === 0) return 0;
  const share = ok / n;
  const square = (z * z) / n;
  const centre = share + square / 2;
  const spread = z * Math.sqrt((share * (1 - share)) / n + square / (4 * n));
  return Math.max(0, (centre - spread) / (1 + square));
}

/** Returns the point whose error is 5 % for all of so many hypotheses together (Bonferroni). */
export function corrected(hypotheses: number): number {
  return normalPoint(0.025 / Math.max(1, hypotheses));
}

/** Upper point of the standard normal distribution (Abramowitz and Stegun 26.2.23, error below 4.5e-4). */
function normalPoint(tail: number): number {
  const t = Math.sqrt(-2 * Math.log(tail));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return t - above / below;
}

/** Returns Wilson's bound at 95 % as evidence has it: four digits, rounded down. */
export function roundedBound(ok: number, n: number): number {
  return roundBound(wilson(ok, n));
}
