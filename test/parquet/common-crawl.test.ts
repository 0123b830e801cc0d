import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { SchemaElement } from "hyparquet";
import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { runCli } from "../shared/cli.ts";
import { atLength, sampleOf } from "../shared/length.ts";
import { readParquet, writeSchema } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { isHere } from "../shared/tools.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

interface Field {
  readonly name: string;
  readonly type: "string" | "integer" | "short" | "timestamp";
  readonly nullable: boolean;
}
const SCHEMA = here("../fixtures/cc-index-schema-flat.json");
const { fields } = JSON.parse(readFileSync(SCHEMA, "utf8")) as { fields: Field[] };

const TYPES = {
  string: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  integer: { type: "INT32" },
  short: { type: "INT32", converted_type: "INT_16" },
  timestamp: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
} as const;

const ALL = gunzipSync(readFileSync(here("../fixtures/urls-50k.txt.gz")))
  .toString()
  .split("\n");
/** Each third URL comes twice, the second time in another spelling. */
const URLS = ALL.slice(0, atLength(500, 1500)).flatMap((url, row) =>
  row % 3 === 0 ? [url, url.replace(/^http/, "HTTP")] : [url],
);

function makeValue({ name, type, nullable }: Field, row: number): unknown {
  if (name === "url") return URLS[row];
  if (nullable && row % 5 === 0) return null;
  if (type === "string") return `${name} ${row % 40}`;
  return type === "timestamp" ? new Date(1_600_000_000_000 + row) : row;
}

/** The rows that are first of their key, or have none. */
function firstRows(): number[] {
  const { urls } = createNormalizer().normalizeBatch(URLS);
  return urls.flatMap((url, row) => (url === null || urls.indexOf(url) === row ? [row] : []));
}

test("dedupe keeps the rows and types of Common Crawl's columnar index", async () => {
  const schema = fields.map(
    ({ name, type, nullable }): SchemaElement => ({
      name,
      repetition_type: nullable ? "OPTIONAL" : "REQUIRED",
      ...TYPES[type],
    }),
  );
  const columns = Object.fromEntries(
    fields.map((field) => [field.name, URLS.map((_, row) => makeValue(field, row))]),
  );
  const root = { name: "spark_schema", num_children: fields.length };
  const input = writeSchema(path("cc.parquet"), [root, ...schema], columns);
  expect(await runCli(["dedupe", input, "-o", path("unique.parquet")])).toMatchObject({ code: 0 });
  const before = await readParquet(input);
  const after = await readParquet(path("unique.parquet"));
  const first = firstRows();
  expect(first.length).toBeLessThan(URLS.length);
  expect(after.rows).toEqual(first.map((row) => before.rows[row]));
  expect(after.metadata.schema).toEqual(before.metadata.schema);
});

/** Runs the script for other readers; PYTHON names another python3 than the first. */
const python = (...args: string[]) =>
  spawnSync(process.env["PYTHON"] ?? "python3", [here("other-readers.py"), ...args], {
    encoding: "utf8",
  });
const HAS_READERS = isHere("pyarrow or duckdb for Python", python("check").status === 0);
const NEEDS = HAS_READERS ? "" : " (skipped: Python has no pyarrow and duckdb)";

test.skipIf(!HAS_READERS)(
  `pyarrow and DuckDB read equal rows, types and counts, whatever the encoding${NEEDS}`,
  async () => {
    const urls = path("urls.json");
    writeFileSync(urls, JSON.stringify(URLS));
    const made = python("make", SCHEMA, urls, folder);
    expect(made.stderr).toBe("");
    const files = made.stdout.trim().split("\n");
    expect(files.length).toBeGreaterThan(5);
    writeFileSync(path("first.json"), JSON.stringify(firstRows()));
    const tried = sampleOf(files, 3);
    for (const file of tried) {
      expect(await runCli(["dedupe", file, "-o", `${file}.out`])).toMatchObject({ code: 0 });
    }
    const { stdout, stderr } = python("compare", path("first.json"), ...tried);
    expect(`${stdout}${stderr}`).toBe(tried.map((file) => `${file}: equal\n`).join(""));
  },
);
