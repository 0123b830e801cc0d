import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { charts } from "../../bench/charts/charts.mjs";
import { readDocument } from "../shared/code-blocks.ts";
import { readTables } from "../shared/spec-document.ts";

test.each(Object.entries(charts()))(
  "%s is what the bench draws of its saved results",
  (path, svg) => {
    expect(readDocument(path)).toBe(svg);
  },
);

test("the tables of docs/performance.md have the saved seconds and memory of each tool", () => {
  const { rows } = JSON.parse(
    readFileSync(new URL("../../bench/results/dedupe.json", import.meta.url), "utf8"),
  ) as { rows: { name: string; seconds: number; megabytes: number }[] };
  const table = readTables(readDocument("docs/performance.md")).find(({ columns }) =>
    columns.includes("seconds"),
  );
  const documented = table?.rows.map((row) => [
    Number(row["seconds"]),
    Number(row["memory, MB"]?.replace(",", "")),
  ]);
  const saved = rows.map(({ seconds, megabytes }) => [seconds, megabytes]);
  expect(documented).toEqual(saved.sort(([a = 0], [b = 0]) => a - b));
});
