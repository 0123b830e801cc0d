import { expect, test } from "vitest";
import { Status } from "../../src/base/status.ts";
import { Kernel } from "../../src/engine/wasm/kernel.ts";
import { toColumn } from "../shared/columns.ts";
import { KERNEL, planFor } from "../shared/engine-parts.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { optionUrls } from "../shared/random-options.ts";

const rows = [
  ...sampleOf(linesOf(readCorpus()), 20),
  ...optionUrls(44, atLength(3_000, 20_000)),
].filter((row) => !/[\r\n]/.test(row));

// The loop over rows is compiled once for lines and once for columns. The proofs look at columns.
test.each(["safe", "crawl", "c14n", "aggressive"] as const)(
  "a line is changed for the same reasons as a row of a column, preset %s",
  (preset) => {
    const kernel = new Kernel(planFor({ preset }), 1 << 18, KERNEL);
    kernel.askReasons(true);
    /** The reasons of each row that the last call changed, 0 for others. */
    const reasonsOf = (count: number): bigint[] => {
      const words = kernel.reasonsOf(count);
      return Array.from({ length: count }, (_, row) =>
        kernel.status[row] === Status.CHANGED
          ? (BigInt(words[2 * row + 1] as number) << 32n) | BigInt(words[2 * row] as number)
          : 0n,
      );
    };
    for (let first = 0; first < rows.length; first += 500) {
      const some = rows.slice(first, first + 500);
      const { data, offsets } = toColumn(some);
      kernel.input.set(data);
      kernel.inOffsets.set(offsets);
      expect(kernel.normalizeColumn(some.length)).toBe(some.length);
      const expected = reasonsOf(some.length);
      const lines = Buffer.from(`${some.join("\n")}\n`, "latin1");
      kernel.input.set(lines);
      expect(kernel.normalizeLines(lines.length, true)).toBe(some.length);
      expect(reasonsOf(some.length)).toEqual(expected);
    }
  },
);
