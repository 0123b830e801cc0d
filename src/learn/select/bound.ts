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

/** Returns Wilson's bound at 95 % as evidence has it: four digits, rounded down. */
export function roundedBound(ok: number, n: number): number {
  return roundBound(wilson(ok, n));
}
