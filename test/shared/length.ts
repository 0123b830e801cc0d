import { test } from "vitest";

/** Whether tests repeat what they do at full length: `npm run proof repeats` sets `URLMILL_LONG=2`. */
const REPEATS = process.env["URLMILL_LONG"] === "2";

/** Whether tests run at full length: `npm run proof suite` sets `URLMILL_LONG=1`. */
export const IS_LONG = REPEATS || process.env["URLMILL_LONG"] === "1";

/**
 * Returns `short` in `npm test`, and `long` if tests run at full length. `repeated`: what `npm run proof repeats` takes, where more
 * of the same would keep CI waiting.
 */
export function atLength<T>(short: T, long: T, repeated = long): T {
  if (REPEATS) return repeated;
  return IS_LONG ? long : short;
}

/**
 * Runs a test at full length only. It is for tests that take long and whose code rarely changes.
 */
export const testAtLength = atLength(test.skip, test);

/** Returns every `step`th of `all`, from the first on; all of them at full length. */
export function sampleOf<T>(all: readonly T[], step: number): T[] {
  return all.filter((_, index) => IS_LONG || index % step === 0);
}

/** Returns one of `all`, by turns, as `turn` counts up; all of them at full length. */
export function oneOf<T>(all: readonly T[], turn: number): T[] {
  return all.filter((_, index) => IS_LONG || index === turn % all.length);
}

/**
 * Returns the cases that an engine runs: of each `step`, WASM runs the first and JavaScript the second. At full length both
 * run all of them.
 */
export function shareOf<T>(all: readonly T[], engine: "wasm" | "js", step = 2): T[] {
  const own = engine === "js" ? 1 : 0;
  return all.filter((_, index) => IS_LONG || index % step === own);
}
