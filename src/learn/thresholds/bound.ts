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

/**
 * Returns the point of the standard normal distribution above which a share of up to .5 lies, with an error below
 * .00045 (Abramowitz and Stegun 26.2.23).
 */
export function upperPoint(share: number): number {
  const t = Math.sqrt(-2 * Math.log(share));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  return t - above / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

/** How many standard deviations above the mean the number of changed pages may be. */
const CHANGED_POINT = 1.64;

/**
 * Returns how many of so many URLs show a page of their own because it had changed when it was fetched, if that is the
 * case for this share of them: at most, with a probability of 95 % (Poisson).
 */
export function mostChanged(urls: number, share: number): number {
  const mean = urls * share;
  return mean + CHANGED_POINT * Math.sqrt(mean);
}
