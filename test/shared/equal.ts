import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/**
 * Expects what `toEqual` expects, and is several times as fast if thousands of members are equal.
 */
export function expectEqual<T>(found: T, expected: T): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
  // Counted as an expectation, once for each test.
  else if (expect.getState().assertionCalls === 0) expect(true).toBe(true);
}
