import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parquetMetadata } from "hyparquet";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { dictionaryOf, readParquet, writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { isHere } from "../shared/tools.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
const OUT = path("out.parquet");

/** Writes a column of URLs with a dictionary, and another column; `size` rows a group. */
function sample(name: string, urls: readonly (string | null)[], size?: number): string {
  const nullable = urls.includes(null);
  return writeColumns(
    path(name),
    [
      { name: "url", data: urls, type: "STRING", nullable, encoding: "RLE_DICTIONARY" },
      { name: "n", data: urls.map((_, row) => row), type: "INT32" },
    ],
    size,
  );
}

/** Returns the rows of a column, and the texts of the dictionary of each row group. */
async function outcomeOf(column = "url") {
  const { rows } = await readParquet(OUT);
  const bytes = readFileSync(OUT);
  const { row_groups } = parquetMetadata(new Uint8Array(bytes).buffer);
  return {
    texts: rows.map((row) => row[column]),
    dictionaries: row_groups.map((_, group) => dictionaryOf(bytes, group, column)),
  };
}

// The example of a reader that went wrong: rows 1 and 2 were http://b/ and http://c/ to it.
const URLS = ["HTTP://a/", ...["a", "b", "c", "d", "b", "c"].map((host) => `http://${host}/`)];
const KEYS = URLS.map((url) => url.toLowerCase());

test("entries of a dictionary that become equal are written once", async () => {
  const input = sample("issue.parquet", [...URLS, ...URLS]);
  expect(await runCli(["normalize", input, "-o", OUT])).toMatchObject({ code: 0 });
  expect(await outcomeOf()).toEqual({
    texts: [...KEYS, ...KEYS],
    dictionaries: [["http://a/", "http://b/", "http://c/", "http://d/"]],
  });
});

test("the column of --emit both has each key once, and the URLs stay as they are", async () => {
  const input = sample("both.parquet", [...URLS, ...URLS]);
  expect(await runCli(["normalize", "--emit", "both", input, "-o", OUT])).toMatchObject({
    code: 0,
  });
  expect((await outcomeOf()).texts).toEqual([...URLS, ...URLS]);
  expect(await outcomeOf("normalized_url")).toEqual({
    texts: [...KEYS, ...KEYS],
    dictionaries: [["http://a/", "http://b/", "http://c/", "http://d/"]],
  });
});

test("texts that are not URLs become one empty entry under --on-error empty, and nulls stay", async () => {
  const urls = ["no url", "HTTP://a/", "not one", null, "http://a/", "none", "http://a/./"];
  const input = sample("empty.parquet", [...urls, ...urls, ...urls]);
  const args = ["normalize", "--on-error", "empty", input, "-o", OUT];
  expect(await runCli(args)).toMatchObject({ code: 0 });
  const keys = ["", "http://a/", "", null, "http://a/", "", "http://a/"];
  expect(await outcomeOf()).toEqual({
    texts: [...keys, ...keys, ...keys],
    dictionaries: [["", "http://a/"]],
  });
});

test("codes take the bits of the merged dictionary, in every row group", async () => {
  const many = Array.from(
    { length: 900 },
    (_, row) => `http://h/${"./".repeat(row % 300)}${row % 3}`,
  );
  const input = sample("widths.parquet", [...many, ...many], 600);
  expect(await runCli(["normalize", input, "-o", OUT])).toMatchObject({ code: 0 });
  const keys = [...many, ...many].map((_, row) => `http://h/${row % 3}`);
  const dictionary = ["http://h/0", "http://h/1", "http://h/2"];
  expect(await outcomeOf()).toEqual({
    texts: keys,
    dictionaries: [dictionary, dictionary, dictionary],
  });
});

test("all that becomes one key takes codes without bits", async () => {
  const input = sample("one.parquet", [
    "HTTP://a",
    "http://a/",
    "HTTP://a",
    "http://a/",
    "HTTP://a/",
  ]);
  expect(await runCli(["normalize", input, "-o", OUT])).toMatchObject({ code: 0 });
  expect(await outcomeOf()).toEqual({
    texts: Array(5).fill("http://a/"),
    dictionaries: [["http://a/"]],
  });
});

/** Runs the script for other readers; PYTHON names another python3 than the first. */
const python = (...args: string[]) =>
  spawnSync(
    process.env["PYTHON"] ?? "python3",
    [fileURLToPath(new URL("./dictionary-readers.py", import.meta.url)), ...args],
    { encoding: "utf8" },
  );
const HAS_READERS = isHere(
  "pyarrow, duckdb, pandas or polars for Python",
  python("check").status === 0,
);
const NEEDS = HAS_READERS ? "" : " (skipped: Python has no pyarrow, duckdb, pandas and polars)";

test.skipIf(!HAS_READERS)(
  `pyarrow, DuckDB and Polars read each row of a dictionary, as text and as dictionary${NEEDS}`,
  async () => {
    const urls = Array.from({ length: 4000 }, (_, row) => {
      if (row % 11 === 0) return null;
      if (row % 13 === 0) return `no url ${row % 5}`;
      return `${row % 2 === 0 ? "HTTP" : "http"}://h${row % 7}/${"./".repeat(row % 3)}${row % 97}`;
    });
    writeFileSync(path("urls.json"), JSON.stringify([...URLS, ...urls]));
    const made = python("make", path("urls.json"), folder);
    expect(made.stderr).toBe("");
    const files = made.stdout.trim().split("\n");
    expect(files.length).toBeGreaterThan(4);
    const written: [column: string, file: string][] = [];
    const calls = [
      [["normalize"], "url"],
      [["normalize", "--on-error", "empty"], "url"],
      [["normalize", "--emit", "both"], "normalized_url"],
      [["dedupe", "--emit", "normalized"], "url"],
      [["dedupe", "--emit", "both"], "normalized_url"],
    ] as const;
    for (const [flags, column] of sampleOf(calls, 2)) {
      for (const file of files) {
        const out = `${file}.${written.length}`;
        expect(await runCli([...flags, file, "-o", out])).toMatchObject({ code: 0 });
        const { rows } = await readParquet(out);
        writeFileSync(`${out}.json`, JSON.stringify(rows.map((row) => row[column] ?? null)));
        written.push([column, out]);
      }
    }
    const { stdout, stderr } = python("compare", ...written.flat());
    expect(`${stdout}${stderr}`).toBe(written.map(([, out]) => `${out}: equal\n`).join(""));
  },
  60_000,
);
