import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** Expects what `toEqual` expects, several times as fast where thousands of members are equal. */
export function expectEqual<T>(found: T, expected: T): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}
