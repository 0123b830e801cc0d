import { expect, test } from "vitest";
import { createNormalizer, type NormalizerOptions } from "../../src/index.ts";
import { fromColumn, toColumn } from "../shared/columns.ts";

const MAX = 40;

/** What a URL can be but for its length: each has one `*`, which is written as letters. */
const SHAPES = [
  ...["http://*.b", "http://*.b/", "https://*.b?", "https://a.b/*", "http://a.b/*/../c"],
  ...["http://a.b/*?utm_id=1&x=2", "http://a.b?*", "http://a.b/*#", "http://a.b?q=*#c"],
  ...[
    "HTTP://a.b/*",
    "http://a.b:80/*",
    "http://a.b/* ",
    "http://a.b/*%7e",
    "mailto:*",
    "ftp://*.b",
  ],
];

/** Each shape in each length around the limit: before and after what normalizing adds or removes. */
const inputs = SHAPES.flatMap((shape) =>
  Array.from({ length: 16 }, (_, more) => {
    const letters = MAX - 8 + more - shape.length + 1;
    return shape.replace("*", "x".repeat(letters));
  }),
);

const OPTIONS: readonly NormalizerOptions[] = [
  {},
  { preset: "crawl" },
  { preset: "aggressive" },
  { fragment: "remove", emptyQuery: "remove" },
  { rules: "#urlmill-rules 1\na.b\t*\tdrop utm_id\n" },
];

test.each(OPTIONS)(
  "engines agree on URLs as long as maxLength, and on those around: %j",
  (more) => {
    const [wasm, js] = (["wasm", "js"] as const).map((engine) => {
      const n = createNormalizer({ ...more, maxLength: MAX, engine });
      const column = n.normalizeColumn(toColumn(inputs));
      const lines = n.normalizeLines(Buffer.from(inputs.join("\n")));
      const [cells, texts] = [fromColumn(column), Buffer.from(lines.bytes).toString().split("\n")];
      return inputs.map((url, row) => ({
        url,
        alone: n.tryNormalize(url).url,
        column: [cells[row], column.status[row]],
        line: [texts[row], lines.status[row]],
      }));
    });
    if (wasm === undefined || js === undefined) throw new Error("two engines were made");
    expect(wasm).toEqual(js);
    for (const { alone, column, line } of wasm) {
      expect([column, line]).toEqual([[alone ?? "", column[1]], column]);
    }
    const failed = wasm.filter(({ alone }) => alone === null).length;
    expect(failed).toBeGreaterThan(inputs.length / 8);
    expect(failed).toBeLessThan(inputs.length - inputs.length / 8);
  },
);
