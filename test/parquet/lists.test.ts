import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { readParquet, writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(path(name), "latin1");

const OUT = path("out.parquet");
const URLS = ["http://a/", "HTTP://A", null, "not\na url", "http://a/", "http://b/"];
const SAMPLE = writeColumns(
  path("sample.parquet"),
  [{ name: "url", data: URLS, type: "STRING", nullable: true, encoding: "RLE_DICTIONARY" }],
  3,
);

test("--errors lists rows without a URL by their number, --map merged rows after their key", async () => {
  const args = ["--errors", path("errors"), "--map", path("map")];
  expect(await runCli(["dedupe", ...args, SAMPLE, "-o", OUT])).toMatchObject({ code: 0 });
  expect(text("errors")).toBe("3\tNO_FIELD\t\n4\tNO_SCHEME\tnot\\x0aa url\n");
  expect(text("map")).toBe("http://a/\tHTTP://A\nhttp://a/\thttp://a/\n");
});

test("--stats counts rows, not values of the dictionary", async () => {
  const input = writeColumns(path("stats.parquet"), [
    {
      name: "url",
      data: ["HTTP://a/", "HTTP://a/", null, "x", "HTTP://a/", "x", "http://b/"],
      type: "STRING",
      nullable: true,
      encoding: "RLE_DICTIONARY",
    },
  ]);
  const { stderr } = await runCli(["dedupe", "--stats", input, "-o", OUT]);
  const { changesByStep, ...counts } = JSON.parse(stderr);
  expect(counts).toMatchObject({
    lines: 7,
    unchanged: 1,
    changed: 3,
    duplicates: 3,
    errors: 3,
    errorsByCode: { NO_FIELD: 1, NO_SCHEME: 2 },
    threads: 1,
  });
  expect(Object.values(changesByStep)).toEqual([3]);
});

test("without --errors, the rows that are not URLs are counted for people", async () => {
  const { stderr } = await runCli(["dedupe", SAMPLE, "-o", OUT]);
  expect(stderr).toContain("2 rows are not URLs, compared as a whole");
});

test("--report writes its page", async () => {
  const args = ["dedupe", "--report", path("report.html"), SAMPLE, "-o", OUT];
  expect(await runCli(args)).toMatchObject({ code: 0 });
  expect(text("report.html")).toContain("HTTP://A");
});

test("--seen leaves out what an earlier run wrote", async () => {
  const seen = ["--seen", path("keys"), "--on-error", "empty"];
  expect(await runCli(["dedupe", ...seen, SAMPLE, "-o", OUT])).toMatchObject({ code: 0 });
  expect((await readParquet(OUT)).rows.map(({ url }) => url)).toEqual(["http://a/", "http://b/"]);
  const next = writeColumns(path("next.parquet"), [
    { name: "url", data: ["HTTP://b", "http://c/"], type: "STRING", nullable: true },
  ]);
  expect(await runCli(["dedupe", ...seen, next, "-o", OUT])).toMatchObject({ code: 0 });
  expect((await readParquet(OUT)).rows.map(({ url }) => url)).toEqual(["http://c/"]);
});

test("--seen records no key of a run that fails before its footer is written", async () => {
  const seen = ["--seen", path("failed"), "-o", OUT];
  const urls = ["http://a/", "not a url"];
  const bad = writeColumns(path("bad.parquet"), [{ name: "url", data: urls, type: "STRING" }], 1);
  const failing = await runCli(["dedupe", "--on-error", "fail", ...seen, bad]);
  expect(failing.code).toBe(1);
  const first = writeColumns(path("first.parquet"), [
    { name: "url", data: ["http://a/"], type: "STRING" },
  ]);
  expect(await runCli(["dedupe", ...seen, first])).toMatchObject({ code: 0 });
  expect((await readParquet(OUT)).rows).toEqual([{ url: "http://a/" }]);
});
