import { LargeUtf8, Utf8View, vectorFromArray } from "apache-arrow";
import { describe, expect, test } from "vitest";
import { columnsOf } from "../../src/arrow/text-chunk.ts";
import type { TextType } from "../../src/arrow/vector-types.ts";
import { Random } from "../shared/random.ts";

const random = new Random(7);
const rows = Array.from({ length: 300 }, () => "x".repeat(random.below(40)));

describe.each([
  ["LargeUtf8", new LargeUtf8()],
  ["Utf8View", new Utf8View()],
] as const)("a chunk of %s", (_, type) => {
  const chunk = vectorFromArray<TextType>(rows, type).slice(20).data[0];

  test.each([1, 10, 39, 100, 5_000, 1 << 20])(
    "is read as columns of at most %i bytes, a longer row cut there",
    (size) => {
      const columns = chunk === undefined ? [] : [...columnsOf(chunk, size)];
      const texts = columns.flatMap(({ data, offsets }) => {
        expect(data.length).toBeLessThanOrEqual(size);
        return [...offsets.subarray(1)].map((end, row) =>
          Buffer.from(data.subarray(offsets[row], end)).toString(),
        );
      });
      expect(texts).toEqual(rows.slice(20).map((row) => row.slice(0, size)));
    },
  );
});
