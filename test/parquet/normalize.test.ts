import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { readParquet, writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

const URLS = ["HTTP://A", null, "http://b/x", "not a url", "http://b/./x"];

function sample(name: string, urls: readonly (string | null)[] = URLS): string {
  return writeColumns(path(name), [
    { name: "link", data: urls, type: "STRING", nullable: true },
    { name: "n", data: urls.map((_, row) => row), type: "INT32" },
  ]);
}

async function urlsOf(args: readonly string[], input: string): Promise<unknown[]> {
  const output = path("out.parquet");
  const result = await runCli(["normalize", "--field", "link", ...args, input, "-o", output]);
  expect(result).toMatchObject({ code: 0, stdout: "" });
  const { rows } = await readParquet(output);
  expect(rows.map(({ n }) => n)).toEqual(rows.map((_, row) => row));
  return rows.map(({ link, normalized_url }) =>
    normalized_url === undefined ? link : [link, normalized_url],
  );
}

test("normalize writes the key in the place of each URL, and keeps all rows", async () => {
  expect(await urlsOf([], sample("a.parquet"))).toEqual([
    "http://a/",
    null,
    "http://b/x",
    "not a url",
    "http://b/x",
  ]);
});

test("--on-error empty empties what is not a URL, and null stays null", async () => {
  expect(await urlsOf(["--on-error", "empty"], sample("b.parquet"))).toEqual([
    "http://a/",
    null,
    "http://b/x",
    "",
    "http://b/x",
  ]);
});

test("--emit both writes the key as a further column", async () => {
  expect(await urlsOf(["--emit", "both"], sample("c.parquet"))).toEqual([
    ["HTTP://A", "http://a/"],
    [null, null],
    ["http://b/x", "http://b/x"],
    ["not a url", null],
    ["http://b/./x", "http://b/x"],
  ]);
});

test("--form surt writes keys in that form", async () => {
  expect(await urlsOf(["--form", "surt"], sample("d.parquet", ["http://a.b/c"]))).toEqual([
    "b,a)/c",
  ]);
});

test("a row group whose URLs are all in normal form passes byte for byte", async () => {
  const input = sample("e.parquet", ["http://a/", "http://b/"]);
  await urlsOf([], input);
  const { metadata } = await readParquet(input);
  const last = metadata.row_groups[0]?.columns.at(-1)?.meta_data;
  const end = Number(last?.data_page_offset) + Number(last?.total_compressed_size);
  const before = readFileSync(input).subarray(0, end);
  expect(readFileSync(path("out.parquet")).subarray(0, end).equals(before)).toBe(true);
});

test("a file is known by its first bytes, whatever its name", async () => {
  const input = sample("f.parquet", ["HTTP://A"]);
  renameSync(input, path("f.data"));
  expect(await urlsOf([], path("f.data"))).toEqual(["http://a/"]);
});

test("--format parquet reads a file of any name", async () => {
  const input = sample("g.parquet", ["HTTP://A"]);
  renameSync(input, path("g"));
  expect(await urlsOf(["--format", "parquet"], path("g"))).toEqual(["http://a/"]);
});

test("standard output takes Parquet where it is a file or a pipe", async () => {
  const input = sample("h.parquet");
  await urlsOf([], input);
  const { stdout } = await runCli(["normalize", "--field", "link", input]);
  expect(Buffer.from(stdout, "latin1").equals(readFileSync(path("out.parquet")))).toBe(true);
});
