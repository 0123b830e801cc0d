import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string, data: string): string => {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
};

test.each([
  ["csv", "count,url\n5,http://a/\n", ["-c"], "--count adds the column count"],
  ["csv", "\nsep=;\ncount;url\n5;http://a/\n", ["-c"], "--count adds the column count"],
  [
    "tsv",
    "url\tnormalized_url\n",
    ["--emit", "both"],
    "--emit both adds the column normalized_url",
  ],
  ["cdx", " CDX N b a U\nk 1 http://a/ 5\n", ["-c"], "--count adds the column U"],
  ["jsonl", '\n{"url":"http://a/","count":5}\n', ["-c"], "--count adds the member count"],
  ["cdxj", '!x 1\nk 1 {"url":"http://a/","count":5}\n', ["-c"], "--count adds the member count"],
  [
    "jsonl",
    '{"url":"http://a/","normalized_url":""}\n',
    ["--emit", "both", "-c"],
    "--emit both adds the member normalized_url",
  ],
])("%s with %j is refused", async (format, text, flags, said) => {
  const name = file(`list.${format}`, text.replace(/^\nsep/, "sep"));
  const out = join(folder, "out");
  for (const args of [[name], [name, "-o", out], [name, "-j", "2", "-o", out]]) {
    const { code, stdout, stderr } = await runCli(["dedupe", ...flags, ...args]);
    const message = `urlmill: ${said}, which ${name} has already; rename that first\n`;
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: message });
    expect(existsSync(out)).toBe(false);
  }
});

test("what is written once is refused the second time", async () => {
  for (const [format, text] of [
    ["csv", "url\nhttp://a/\n"],
    ["jsonl", '{"url":"http://a/"}\n'],
  ] as const) {
    const args = ["normalize", "--format", format, "--emit", "both"];
    const once = await runCli(args, text);
    expect(once.code).toBe(0);
    expect(await runCli(args, once.stdout)).toMatchObject({ code: 2, stdout: "" });
  }
});

test("a later record of JSON, another run's column and a table without a header are not refused", async () => {
  const later = '{"url":"http://a/"}\n{"url":"http://b/","count":5}\n';
  const emitted = await runCli(["dedupe", "--format", "jsonl", "-c"], later);
  expect([emitted.code, emitted.stdout]).toEqual([
    0,
    '{"url":"http://a/","count":1}\n{"url":"http://b/","count":5,"count":1}\n',
  ]);
  const other = await runCli(
    ["normalize", "--format", "csv", "--emit", "both"],
    "count,url\n5,x\n",
  );
  expect(other.code).toBe(0);
  const plain = ["dedupe", "--format", "csv", "--no-header", "--field", "2", "-c"];
  expect((await runCli(plain, "count,http://a/\n")).stdout).toBe("count,http://a/,1\n");
  const lines = await runCli(["dedupe", "--format", "lines", "-c"], '{"count":1}\n');
  expect(lines.code).toBe(0);
});
