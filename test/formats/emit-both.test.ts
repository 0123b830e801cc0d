import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { isHere } from "../shared/tools.ts";

/** Tables of two columns with a URL, with the flags to read them, and what `--emit both` makes of each row. */
const TABLES: readonly { name: string; flags: string; rows: readonly [string, string][] }[] = [
  {
    name: "csv",
    flags: "--format csv --header",
    rows: [
      ["id,url", "id,url,normalized_url"],
      ["1,HTTP://A/", "1,HTTP://A/,http://a/"],
      ["2,x", "2,x,"],
      ["3,", "3,,"],
      ['"4,4","no ""url"""', '"4,4","no ""url""",'],
      ["5", "5"],
      ["6,7,8", "6,7,8"],
    ],
  },
  {
    name: "csv without a header",
    flags: "--format csv --field 2",
    rows: [
      ["1,HTTP://A/", "1,HTTP://A/,http://a/"],
      ["2,x", "2,x,"],
      ["3", "3"],
    ],
  },
  {
    name: "tsv",
    flags: "--format tsv --field 2",
    rows: [
      ["1\tHTTP://A/", "1\tHTTP://A/\thttp://a/"],
      ["2\tx", "2\tx\t"],
      ["3\t", "3\t\t"],
      ["4", "4"],
    ],
  },
  {
    name: "TabSeparated",
    flags: "--format TabSeparated --field 2",
    rows: [
      ["1\tHTTP://A/", "1\tHTTP://A/\thttp://a/"],
      ["2\tx\\ty", "2\tx\\ty\t\\N"],
      ["3\t\\N", "3\t\\N\t\\N"],
      ["4", "4"],
    ],
  },
  {
    name: "cdx",
    flags: "--format cdx",
    rows: [
      [" CDX N b a m", " CDX N b a m A"],
      ["a)/ 1 HTTP://A/ t", "a)/ 1 HTTP://A/ t http://a/"],
      ["- 2 x t", "- 2 x t -"],
      ["3", "3"],
    ],
  },
  {
    name: "cdxj",
    flags: "--format cdxj",
    rows: [
      ['a)/ 1 {"url": "HTTP://A/"}', 'a)/ 1 {"url": "HTTP://A/","normalized_url":"http://a/"}'],
      ['- 2 {"url": "x"}', '- 2 {"url": "x","normalized_url":null}'],
      ["- 3 {}", '- 3 {"normalized_url":null}'],
      ["- 4", "- 4"],
    ],
  },
  {
    name: "jsonl",
    flags: "--format jsonl",
    rows: [
      ['{"url":"HTTP://A/"}', '{"url":"HTTP://A/","normalized_url":"http://a/"}'],
      ['{"url":"x"}', '{"url":"x","normalized_url":null}'],
      ['{"url":null}', '{"url":null,"normalized_url":null}'],
      ['{"url":[1]}', '{"url":[1],"normalized_url":null}'],
      ["{}", '{"normalized_url":null}'],
      ["", ""],
      ["no JSON", "no JSON"],
      ["[1]", "[1]"],
    ],
  },
];

const textOf = (rows: readonly string[], end: string): string =>
  rows.map((row) => row + end).join("");

describe.each(TABLES)("--emit both of $name", ({ flags, rows }) => {
  test.each([
    ["normalize", "\n"],
    ["normalize", "\r\n"],
    ["normalize --on-error empty", "\n"],
    ["dedupe", "\n"],
  ])("gives every record the new field: %s, lines end with %j", async (command, end) => {
    const input = textOf(
      rows.map(([row]) => row),
      end,
    );
    const args = [...command.split(" "), ...flags.split(" "), "--emit", "both"];
    const { stdout } = await runCli(args, input);
    expect(stdout).toBe(
      textOf(
        rows.map(([, written]) => written),
        end,
      ),
    );
  });

  test("leaves out records without a key where dedupe is asked to", async () => {
    const input = textOf(
      rows.map(([row]) => row),
      "\n",
    );
    const args = ["dedupe", ...flags.split(" "), "--emit", "both", "--on-error", "empty"];
    const { stdout } = await runCli(args, input);
    const kept = rows.filter(
      ([row, written], at) => /http:/.test(written) || row === "" || at === 0,
    );
    expect(stdout).toBe(
      textOf(
        kept.map(([, written]) => written),
        "\n",
      ),
    );
  });
});

const folder = tempFolder();

const READERS = `
import json, sys
import duckdb, pyarrow.csv, pyarrow.json
csv, jsonl = sys.argv[1:]
print(json.dumps([
  pyarrow.csv.read_csv(csv).to_pylist(),
  duckdb.sql(f"SELECT * FROM read_csv('{csv}', header = true, strict_mode = true)").df().fillna("").to_dict("records"),
  pyarrow.json.read_json(jsonl).to_pylist(),
  json.loads(duckdb.sql(f"SELECT to_json(list(t)) FROM read_json('{jsonl}') t").fetchall()[0][0]),
]))`;
const python = (...args: string[]) =>
  spawnSync(process.env["PYTHON"] ?? "python3", ["-c", ...args], { encoding: "utf8" });
const HAS_READERS = isHere(
  "duckdb, pandas or pyarrow for Python",
  python("import duckdb, pandas, pyarrow").status === 0,
);
const NEEDS = HAS_READERS ? "" : " (skipped: Python has no duckdb, pandas and pyarrow)";

test.skipIf(!HAS_READERS)(`pyarrow and DuckDB read a table with a bad row${NEEDS}`, async () => {
  const csv = join(folder, "keyed.csv");
  const jsonl = join(folder, "keyed.jsonl");
  const rows = [
    { id: 1, url: "HTTP://A/" },
    { id: 2, url: "x" },
  ];
  const table = textOf(["id,url", ...rows.map(({ id, url }) => `${id},${url}`)], "\n");
  const objects = textOf(
    rows.map((row) => JSON.stringify(row)),
    "\n",
  );
  const both = ["normalize", "--emit", "both", "--format"];
  const asCsv = await runCli([...both, "csv", "--header"], table);
  const asJson = await runCli([...both, "jsonl"], objects);
  writeFileSync(csv, asCsv.stdout);
  writeFileSync(jsonl, asJson.stdout);
  const { status, stdout, stderr } = python(READERS, csv, jsonl);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const keyed = (key: string | null) => [
    { ...rows[0], normalized_url: "http://a/" },
    { ...rows[1], normalized_url: key },
  ];
  expect(JSON.parse(stdout)).toEqual([keyed(""), keyed(""), keyed(null), keyed(null)]);
});
