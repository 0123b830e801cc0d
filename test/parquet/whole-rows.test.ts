import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { readParquet, writeColumns, writeSchema } from "../shared/parquet.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

async function dedupe(...args: string[]) {
  const { code, stderr } = await runCli(["dedupe", "--stats", ...args, "-o", path("out.parquet")]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return { ...(await readParquet(path("out.parquet"))), counts: JSON.parse(stderr) };
}

const IDS = [3, 4, 4, 4, null, null, 5, 4];
const URLS = ["N/A", "N/A", "N/A", null, null, null, "http://a/", "HTTP://A"];
const KEPT = [0, 1, 3, 4, 6];

test.each(sampleOf(["PLAIN", "RLE_DICTIONARY", "DELTA_BYTE_ARRAY"] as const, 2))(
  "rows without a URL go only if all their columns are equal, in %s",
  async (encoding) => {
    for (const rowGroupSize of atLength([3], [1000, 3, 1])) {
      const input = writeColumns(
        path("rows.parquet"),
        [
          { name: "id", data: IDS, type: "INT32", nullable: true },
          { name: "url", data: URLS, type: "STRING", encoding, nullable: true },
        ],
        rowGroupSize,
      );
      const { rows, counts } = await dedupe(input, "--map", path("map"));
      expect(rows).toEqual(KEPT.map((row) => ({ id: IDS[row], url: URLS[row] })));
      expect(counts).toMatchObject({ lines: 8, duplicates: 3, errors: 6 });
      expect(readFileSync(path("map"), "latin1")).toBe("\tN/A\n\t\nhttp://a/\tHTTP://A\n");
      // Columns are read twice, and counted once.
      expect(counts.bytesIn).toBeLessThan(statSync(input).size);
    }
  },
);

test("rows are compared over files, whatever the encoding of their pages", async () => {
  const columns = [
    { name: "url", data: ["x", "y", "x"], type: "STRING", nullable: true },
    { name: "t", data: ["", "b", "a"], type: "STRING" },
  ] as const;
  const files = (["PLAIN", "RLE_DICTIONARY", "DELTA_BYTE_ARRAY"] as const).map((encoding) =>
    writeColumns(
      path(`${encoding}.parquet`),
      columns.map((column) => ({ ...column, encoding })),
      2,
    ),
  );
  const { rows } = await dedupe(...files);
  expect(rows.map(({ url, t }) => [url, t])).toEqual([
    ["x", ""],
    ["y", "b"],
    ["x", "a"],
  ]);
});

test("rows are remembered by --seen, but not those of a table with other columns", async () => {
  const file = (name: string, column: string) =>
    writeColumns(path(name), [
      { name: "url", data: ["x", "http://a/"], type: "STRING" },
      { name: column, data: ["1", "2"], type: "STRING" },
    ]);
  const seen = ["--seen", path("keys")];
  expect((await dedupe(...seen, file("one.parquet", "n"))).rows).toHaveLength(2);
  expect((await dedupe(...seen, file("two.parquet", "n"))).rows).toHaveLength(0);
  expect((await dedupe(...seen, file("three.parquet", "m"))).rows).toEqual([{ url: "x", m: "1" }]);
});

test("rows that --on-error empty leaves out are not recorded", async () => {
  const input = writeColumns(path("left.parquet"), [
    { name: "url", data: ["x", "http://a/"], type: "STRING" },
  ]);
  const seen = ["--seen", path("left-keys")];
  const first = await dedupe(...seen, "--on-error", "empty", input);
  expect(first.counts).toMatchObject({ lines: 2, duplicates: 0, errors: 1 });
  expect((await dedupe(...seen, input)).rows).toEqual([{ url: "x" }]);
});

test("a report counts a row once, and shows no group without a key", async () => {
  const input = writeColumns(path("report.parquet"), [
    { name: "url", data: ["x", "x", "http://a/", "HTTP://A"], type: "STRING" },
  ]);
  await dedupe(input, "--report", path("report.html"));
  const page = readFileSync(path("report.html"), "utf8");
  const tiles = /<div class="tiles">(.*)<\/div>/.exec(page)?.[1]?.replaceAll(/<[^>]*>/g, "");
  expect(tiles).toMatch(/^4 records 100 %1 different URL 25 %2 merged 50 %1 not a URL 25 %/);
  expect(page).not.toContain("(no host)");
});

/** A table of all kinds of columns. Each row is a list of choices, one for each column. */
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  url: ["x", "", "http://a b/"],
  nanos: [null, 1n, 1_700_000_000_000_000_001n],
  flag: [null, true, false],
  amount: [null, -1n, 256n],
  list: [null, [], [null], [1], [1, null], [1, 1], [null, 1], [257]],
  struct: [null, { a: null, b: "" }, { a: 0, b: "" }, { a: null, b: "\0" }, { a: -0.5, b: "ab" }],
};
const SCHEMA: Parameters<typeof writeSchema>[1] = [
  { name: "root", num_children: 6 },
  { name: "url", type: "BYTE_ARRAY", repetition_type: "OPTIONAL", converted_type: "UTF8" },
  { name: "nanos", type: "INT64", repetition_type: "OPTIONAL" },
  { name: "flag", type: "BOOLEAN", repetition_type: "OPTIONAL" },
  {
    name: "amount",
    type: "FIXED_LEN_BYTE_ARRAY",
    type_length: 9,
    repetition_type: "OPTIONAL",
    converted_type: "DECIMAL",
    scale: 2,
    precision: 20,
  },
  { name: "list", repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
  { name: "element", type: "INT32", repetition_type: "OPTIONAL" },
  { name: "struct", repetition_type: "OPTIONAL", num_children: 2 },
  { name: "a", type: "DOUBLE", repetition_type: "OPTIONAL" },
  { name: "b", type: "BYTE_ARRAY", repetition_type: "REQUIRED", converted_type: "UTF8" },
];

test("lists, structs and all types are compared as a slow model compares them", async () => {
  const random = new Random(7);
  const names = Object.keys(CHOICES);
  const common = names.map((name) => random.below(CHOICES[name]?.length ?? 1));
  // Most rows differ from a common one in a single column.
  const picks = Array.from({ length: 400 }, () => {
    const pick = [...common];
    for (let changes = random.below(3); changes > 0; changes--) {
      const column = random.below(names.length);
      pick[column] = random.below(CHOICES[names[column] as string]?.length ?? 1);
    }
    return pick;
  });
  const columns = Object.fromEntries(
    names.map((name, column) => [
      name,
      picks.map((pick) => CHOICES[name]?.[pick[column] as number]),
    ]),
  );
  const input = writeSchema(path("types.parquet"), SCHEMA, columns);
  const before = (await readParquet(input)).rows;
  const seen = new Set<string>();
  const expected = before.filter((_, row) => {
    const text = String(picks[row]);
    return !seen.has(text) && seen.add(text);
  });
  const { rows } = await dedupe(input);
  expect(rows).toEqual(expected);
  expect(rows.length).toBeLessThan(300);
});
