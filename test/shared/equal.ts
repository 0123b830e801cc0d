import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/**
 * Expects what `toEqual` expects, and is several times as fast if thousands of members are equal.
 */
export function expectEqual<T>(found: T, expected: T): void {
  if (isDeepStrictEqual(found, expected))
    expect(true).toBe(true); // counted as an expectation
  else expect(found).toEqual(expected);
}
