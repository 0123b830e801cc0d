import { expect, test } from "vitest";
import { count } from "../../src/runs/report/parts.ts";

test("numbers of a report have a comma between thousands, as English has", () => {
  for (const value of [0, 7, 999, 1000, 12_345.6, 100_000.5, 1_234_567, 1e15]) {
    expect(count(value)).toBe(value.toLocaleString("en"));
  }
});
