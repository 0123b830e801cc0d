import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { firstOfFiles } from "../../src/runs/frame/first-records.ts";
import { runCli } from "../shared/cli.ts";
import { sampleOf } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const out = join(folder, "out");

/** What a run says to a terminal, without its progress. */
async function told(text: string, ...args: string[]): Promise<string> {
  const list = join(folder, "list");
  writeFileSync(list, text);
  const { code, stderr } = await runCli([...args, list, "-o", out], "", true);
  expect(code).toBe(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the progress clears its line
  return stderr.replaceAll(/\r?\x1b\[2K|^.* % {2}.*$/gm, "").replaceAll(/\d+\.\d s/g, "N s");
}

const TABLE = "id,url\n1,http://a/\n2,HTTP://A\n3,http://b/?utm_source=x\n4,http://b/\n";

test("the closing line counts rows, and says what merged, by which preset, and into which file", async () => {
  const crawl = await told(TABLE, "dedupe", "--preset", "crawl", "--field", "url");
  expect(crawl).toContain(
    `urlmill: 4 rows, 2 merged (50 %), 2 kept, preset crawl, N s → ${out}\n`.replace(
      "→",
      "\xe2\x86\x92",
    ),
  );
  expect(crawl).not.toContain("--preset crawl would");
  const normalized = await told("http://a\n", "normalize");
  expect(normalized).toContain("urlmill: 1 line, preset safe, N s ");
});

test("a run that appends names the file, also where it writes no line", async () => {
  const again = ["dedupe", "--seen", join(folder, "set"), "--append", out];
  for (const args of sampleOf([again, [...again, "--threads", "2"]], 2)) {
    await runCli(args, "http://a/\n");
    const { stderr } = await runCli(args, "http://a/\n");
    expect(Buffer.from(stderr, "latin1").toString()).toMatch(
      /^urlmill: no line is written: .* s → (.*)\n$/,
    );
    expect(stderr).toContain(` ${out}\n`);
  }
});

test("a preset is hinted at if it merges more of the first URLs, and a scheme if most have none", async () => {
  expect(await told(TABLE, "dedupe")).toContain(
    "urlmill: --preset crawl would merge 1 more of the first 4 URLs\n",
  );
  expect(await told("http://a/\nhttp://a\nhttp://b/\n", "dedupe")).not.toContain("would merge");
  expect(await told("a.com/x\nb.org:80\nhttp://c/\n", "normalize")).toContain(
    "urlmill: most URLs have no scheme: add --default-scheme https\n",
  );
  expect(await told("a.com\nhttp://b/\nhttp://c/\n", "dedupe")).not.toContain("--default-scheme");
  expect(await told(TABLE, "dedupe", "-q")).toBe("");
});

test("a scheme is hinted at where nobody watches, with any preset, unless a flag reads URLs without one", async () => {
  const hint = "urlmill: most URLs have no scheme: add --default-scheme https\n";
  const hintedBy = async (...args: string[]) =>
    (await runCli(args, "a.com/x\nb.org:80\nhttp://c/\n")).stderr.endsWith(hint);
  expect(await hintedBy("dedupe", "--preset", "crawl")).toBe(true);
  expect(await hintedBy("normalize", "-o", out)).toBe(true);
  expect(await hintedBy("dedupe", "--default-scheme", "https")).toBe(false);
  expect(await hintedBy("dedupe", "--base", "http://b/")).toBe(false);
  expect(await hintedBy("dedupe", "--quiet")).toBe(false);
});

test("explain and help name the flags that read a URL without a scheme", async () => {
  const says = "NO_SCHEME: no scheme, and no --base or --default-scheme to read it by";
  expect((await runCli(["explain", "example.com"])).stdout).toContain(says);
  expect((await runCli(["help", "NO_SCHEME"])).stdout).toContain(says);
});

test("a file that went away after it was read shows no hint, and no error", () => {
  const gone = { name: join(folder, "gone"), begin: 0, end: 9, bytes: 9 };
  expect(firstOfFiles([gone])).toHaveLength(0);
  expect(firstOfFiles([])).toHaveLength(0);
});

test("a line for Excel is named as what tells the delimiter, and is not a row", async () => {
  for (const [delimiter, shown] of [
    [";", ";"],
    ["\t", "<TAB>"],
  ]) {
    const table = `sep=${delimiter}\nid,link\n1,http://a/\n`.replaceAll(",", delimiter as string);
    const said = await told(table, "dedupe");
    expect(said).toContain(`is read as csv by its first line sep=${shown}, the URL is in link (`);
    expect(said).toContain("urlmill: 1 row, 1 kept, ");
  }
});
