import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { readParquet, writeColumns, writeSchema } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

const URLS = [
  "http://a/",
  "HTTP://A", // as the first
  null,
  "http://b/x",
  "not a url",
  "http://b/./x", // as the fourth
  "http://a/",
  "http://c/",
  "http://c/",
];
const NUMBERS = URLS.map((_, row) => row);
const FIRST = [0, 2, 3, 4, 7];

function sample(name: string, encoding: "PLAIN" | "RLE_DICTIONARY", rowGroupSize = 1000): string {
  return writeColumns(
    path(name),
    [
      { name: "n", data: NUMBERS, type: "INT32" },
      { name: "url", data: URLS, type: "STRING", encoding, nullable: true },
      { name: "host", data: NUMBERS.map((row) => `h${row % 2}`), type: "STRING" },
    ],
    rowGroupSize,
  );
}

async function run(args: readonly string[], output: string) {
  const result = await runCli([...args, "-o", output]);
  expect(result).toMatchObject({ code: 0, stdout: "" });
  return readParquet(output);
}

test.each(["PLAIN", "RLE_DICTIONARY"] as const)(
  "dedupe keeps the first row of each key from %s pages, and rows without a URL",
  async (encoding) => {
    const input = sample(`first-${encoding}.parquet`, encoding);
    const { rows } = await run(["dedupe", input], path("first-out.parquet"));
    const before = (await readParquet(input)).rows;
    expect(rows).toEqual(FIRST.map((row) => before[row]));
  },
);

test("the schema and the metadata of applications stay as they were", async () => {
  const input = sample("schema.parquet", "PLAIN");
  const after = await run(["dedupe", input], path("schema-out.parquet"));
  const before = await readParquet(input);
  expect(after.metadata.schema).toEqual(before.metadata.schema);
  expect(after.metadata.key_value_metadata).toEqual([{ key: "made", value: "for a test" }]);
});

test("keys are compared over all row groups, and a group without new rows is left out", async () => {
  const input = sample("groups.parquet", "RLE_DICTIONARY", 2);
  expect((await readParquet(input)).groups).toEqual([2, 2, 2, 2, 1]);
  const { rows, groups } = await run(["dedupe", input], path("groups-out.parquet"));
  expect(rows.map(({ n }) => n)).toEqual(FIRST);
  expect(groups).toEqual([1, 2, 1, 1]);
});

test("keys are compared over all files, which come out as one", async () => {
  const input = sample("one.parquet", "PLAIN");
  const other = writeColumns(path("two.parquet"), [
    { name: "n", data: [100, 101], type: "INT32" },
    { name: "url", data: ["http://A/.", "http://d/"], type: "STRING", nullable: true },
    { name: "host", data: ["x", "y"], type: "STRING" },
  ]);
  const { rows } = await run(["dedupe", input, other], path("both-files.parquet"));
  expect(rows.map(({ n }) => n)).toEqual([...FIRST, 101]);
});

test("--emit both adds the key as a column that may be null", async () => {
  const input = sample("both.parquet", "PLAIN");
  const { rows, metadata } = await run(
    ["dedupe", "--emit", "both", input],
    path("both-out.parquet"),
  );
  expect(rows.map(({ url, normalized_url }) => [url, normalized_url])).toEqual([
    ["http://a/", "http://a/"],
    [null, null],
    ["http://b/x", "http://b/x"],
    ["not a url", null],
    ["http://c/", "http://c/"],
  ]);
  expect(metadata.schema.at(-1)).toMatchObject({
    name: "normalized_url",
    type: "BYTE_ARRAY",
    converted_type: "UTF8",
    repetition_type: "OPTIONAL",
  });
});

test("--on-error empty leaves out rows without a URL", async () => {
  const input = sample("empty.parquet", "RLE_DICTIONARY");
  const { rows } = await run(
    ["dedupe", "--on-error", "empty", "--emit", "normalized", input],
    path("empty-out.parquet"),
  );
  expect(rows.map(({ url }) => url)).toEqual(["http://a/", "http://b/x", "http://c/"]);
});

test("lists, structs, times and wide numbers pass as they are stored", async () => {
  const count = 40;
  const each = <T>(make: (row: number) => T): T[] =>
    Array.from({ length: count }, (_, row) => make(row));
  const input = writeSchema(
    path("types.parquet"),
    [
      { name: "root", num_children: 7 },
      { name: "url", type: "BYTE_ARRAY", repetition_type: "REQUIRED", converted_type: "UTF8" },
      {
        name: "nanos",
        type: "INT64",
        repetition_type: "OPTIONAL",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "NANOS" },
      },
      {
        name: "unsigned",
        type: "INT32",
        repetition_type: "REQUIRED",
        converted_type: "UINT_32",
        logical_type: { type: "INTEGER", bitWidth: 32, isSigned: false },
      },
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
      { name: "flag", type: "BOOLEAN", repetition_type: "OPTIONAL" },
    ],
    {
      url: each((row) => `http://a/${row >> 1}`),
      nanos: each((row) => (row % 5 === 0 ? null : 1_700_000_000_000_000_001n + BigInt(row))),
      unsigned: each((row) => 4_294_967_295 - row),
      amount: each((row) => (row % 7 === 0 ? null : BigInt(row - 20))),
      list: each((row) =>
        row % 6 === 0 ? null : Array.from({ length: row % 4 }, (_, at) => (at === 1 ? null : row)),
      ),
      struct: each((row) => (row % 8 === 0 ? null : { a: row % 3 ? row / 7 : null, b: `b${row}` })),
      flag: each((row) => (row % 9 === 0 ? null : row % 2 === 0)),
    },
  );
  const after = await run(["dedupe", input], path("types-out.parquet"));
  const before = await readParquet(input);
  expect(after.rows).toEqual(before.rows.filter((_, row) => row % 2 === 0));
  expect(after.metadata.schema).toEqual(before.metadata.schema);
});

test("a column is written in the codec that it had", async () => {
  const columns = [
    { name: "url", data: ["http://a/", "HTTP://A", "http://b/"], type: "STRING" },
    { name: "n", data: [0, 1, 2], type: "INT32" },
  ] as const;
  const input = writeColumns(path("codec.parquet"), columns, 1000, "UNCOMPRESSED");
  const { rows, metadata } = await run(["dedupe", input], path("codec-out.parquet"));
  expect(rows.map(({ n }) => n)).toEqual([0, 2]);
  const codecs = metadata.row_groups[0]?.columns.map(({ meta_data }) => meta_data?.codec);
  expect(codecs).toEqual(["UNCOMPRESSED", "UNCOMPRESSED"]);
});

test("a column without a dictionary keeps its encoding", async () => {
  const urls = ["http://a/", "HTTP://A", "http://b/"];
  const input = writeColumns(path("delta.parquet"), [
    { name: "url", data: urls, type: "STRING", encoding: "DELTA_BYTE_ARRAY" },
  ]);
  const { rows, metadata } = await run(["dedupe", input], path("delta-out.parquet"));
  expect(rows).toEqual([{ url: "http://a/" }, { url: "http://b/" }]);
  expect(metadata.row_groups[0]?.columns[0]?.meta_data?.encodings).toEqual(["DELTA_BYTE_ARRAY"]);
});

test("a file without rows comes out without rows, and with its columns", async () => {
  const input = writeColumns(path("none.parquet"), [
    { name: "url", data: [], type: "STRING" },
    { name: "n", data: [], type: "INT32" },
  ]);
  const { rows, metadata } = await run(["dedupe", input], path("none-out.parquet"));
  expect(rows).toEqual([]);
  expect(metadata.schema.map(({ name }) => name)).toEqual(["root", "url", "n"]);
});
