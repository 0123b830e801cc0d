import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readableSource } from "../../playground/worker/source.ts";
import { type UrlList, urlList } from "../../playground/worker/url-list.ts";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

async function read(name: string, content: Uint8Array<ArrayBuffer>): Promise<UrlList | null> {
  const source = await readableSource(new Blob([content]), { name, task: "dedupe" });
  return urlList(
    source,
    name,
    () => {},
    () => false,
  );
}

/** Returns what the command line says when it refuses a file, without the program's name. */
async function refusal(path: string, content: Uint8Array): Promise<string> {
  writeFileSync(path, content);
  const { code, stderr } = await runCli(["dedupe", path]);
  expect(code).toBeGreaterThan(0);
  return latin1(stderr)
    .toString()
    .replace(/^urlmill: (.*)\n$/, "$1");
}

function latin1(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text, "latin1");
}

describe("the page refuses what the command line refuses, in its words", () => {
  test.each([
    ["bars.csv", latin1("url|status\nhttp://a/|200\n")],
    ["links.csv", latin1("from,to\nhttp://a/,http://b/\n")],
    ["tab.txt", latin1("http://a/\t200\n")],
    ["page.txt", latin1("<!doctype html>\n")],
    ["book.xlsx", latin1("PK\x03\x04\x14\0\x06\0")],
    ["utf-32.txt", latin1("\xff\xfe\0\0h\0\0\0")],
    ["half.txt", latin1("\xff\xfeh\0t")],
    ["twice.gz", gzipSync(gzipSync("http://a/\n"))],
    ["book.gz", gzipSync("PK\x03\x04\x14\0\x06\0")],
  ])("%s", async (name, content) => {
    const path = join(folder, name);
    const said = await refusal(path, content);
    await expect(read(path, content)).rejects.toThrow(said);
  });
});

test("names the command for what only the command line reads", async () => {
  await expect(read("a.parquet", latin1("PAR1\x15\0"))).rejects.toThrow(
    "npx urlmill dedupe --preset crawl a.parquet -o unique.parquet",
  );
  await expect(read("a.zst", latin1("\x28\xb5\x2f\xfd"))).rejects.toThrow("does not read zstd");
  // Node reads several members, and browsers refuse them as damaged.
  const cut = Buffer.from(gzipSync("http://a/\n".repeat(99)).subarray(0, 20));
  await expect(read("a.gz", cut)).rejects.toThrow(
    "cannot read a.gz: its gzip is damaged, or has several members, which the command line reads: npx urlmill dedupe --preset crawl a.gz -o unique.txt",
  );
});

test("names for a table of pages the command that learns, and refuses Parquet as that does", async () => {
  const readPages = (content: Uint8Array<ArrayBuffer>) =>
    readableSource(new Blob([content]), { name: "pages.zst", task: "learn" });
  await expect(readPages(latin1("\x28\xb5\x2f\xfd"))).rejects.toThrow(
    "the command line does: npx urlmill learn pages.zst -o rules.tsv",
  );
  await expect(readPages(latin1("PAR1\x15\0"))).rejects.toThrow(
    "it is a Parquet file; run: duckdb",
  );
});

test.each([
  ["a.txt", "\ufeffid,link\n1,http://a/\n", "csv", "link"],
  ["a.txt", '{"page":"http://a/"}\n', "jsonl", "page"],
  ["a.csv", "http://a/,1\n", "csv", "1"],
  ["a.tsv", "url\tto\nhttp://a/\thttp://b/\n", "tsv", "url"],
  ["a.txt", "page;nr\nhttp://a/;1\n", "csv", "page"],
  ["a.txt", "http://a/", "lines", ""],
  ["a.json", '["http:\\/\\/a\\u002f"]', "lines", ""],
  ["a.csv", "sep=;\r\nid;link\r\n1;http://a/\r\n", "csv", "link"],
])("finds the URLs of %s with %j", async (name, content, format, field) => {
  const list = await read(name, Buffer.from(content));
  expect(list?.format).toEqual({ name: format, field });
  expect((await list?.lines.text())?.trim()).toBe("http://a/");
});

test("reads a table with semicolons, commas in it, and text in UTF-16", async () => {
  const table = '"x,y";"Adresse"\n"";"http://a/;1,2"\n';
  const bytes = Buffer.from(`\ufeff${table}`, "utf16le");
  for (const content of [bytes, gzipSync(bytes)]) {
    const list = await read("a.csv", content);
    expect(list?.format.field).toBe("Adresse");
    expect(await list?.lines.text()).toBe("http://a/;1,2\n");
  }
});
