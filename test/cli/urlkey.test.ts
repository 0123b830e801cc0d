import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { runCli } from "../shared/cli.ts";
import { linesOf, readCorpus } from "../shared/fixtures.ts";
import { atLength } from "../shared/length.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

const LIST = "https://WWW.Example.com/A//b/?y&x#top\nhttp://example.com:80/a/b?x&y\nhttp://a:b/\n";
const KEY = "com,example)/a/b?x&y";

test("normalize writes keys, and dedupe merges by them", async () => {
  const normalized = await runCli(["normalize", "--form", "urlkey"], LIST);
  expect(normalized.stdout).toBe(`${KEY}\n${KEY}\nhttp://a:b/\n`);
  const deduped = await runCli(["dedupe", "--form", "urlkey"], LIST);
  expect(deduped.stdout).toBe(
    LIST.split("\n")
      .filter((_, line) => line !== 1)
      .join("\n"),
  );
  const www = await runCli(["normalize", "--form", "urlkey-www"], LIST);
  expect(www.stdout.split("\n")[0]).toBe("com,example,www)/a/b?x&y");
});

test.each([
  [
    "jsonl",
    '{"url":"http://WWW.a.b/C"}\n',
    '{"url":"http://WWW.a.b/C","normalized_url":"b,a)/c"}\n',
  ],
  ["csv", "url\nhttp://WWW.a.b/C\n", 'url,normalized_url\nhttp://WWW.a.b/C,"b,a)/c"\n'],
  ["tsv", "url\nhttp://WWW.a.b/C\n", "url\tnormalized_url\nhttp://WWW.a.b/C\tb,a)/c\n"],
])("records of %s get keys", async (format, input, output) => {
  for (const engine of ["wasm", "js"]) {
    const flags = ["--form", "urlkey", "--emit", "both", "--format", format, "--engine", engine];
    const { stdout } = await runCli(["normalize", ...flags], input);
    expect(stdout).toBe(output);
  }
});

test.each(["wasm", "js"])(
  "--engine %s: keys of references are those of what they mean from the base",
  async (engine) => {
    const base = "http://www.a.com/B/c";
    const list = ["x", "../x", "?Q", "//b/", "HTTP://C/"];
    const n = createNormalizer();
    for (const form of ["urlkey", "urlkey-www"] as const) {
      const flags = ["--form", form, "--base", base, "--engine", engine];
      const { stdout } = await runCli(["normalize", ...flags], `${list.join("\n")}\n`);
      expect(stdout.trimEnd().split("\n")).toEqual(list.map((url) => n.urlkey(url, base, form)));
      const deduped = await runCli(["dedupe", ...flags], `${list.join("\n")}\n`);
      expect(deduped.stdout.trimEnd().split("\n")).toEqual(list);
    }
    expect(n.urlkey("../x", base)).toBe("com,a)/x");
  },
);

test("one thread and several write the same keys, by both engines", async () => {
  const list = `${linesOf(readCorpus()).slice(0, atLength(5_000, 30_000)).join("\n")}\n`;
  const outputs = await Promise.all(
    [
      ["--threads", "1"],
      ["--threads", "2"],
      ["--threads", "1", "--engine", "js"],
    ].map((flags) => runCli(["normalize", "-q", "--form", "urlkey", ...flags], list)),
  );
  expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
});

const RULES = path("rules");
writeFileSync(RULES, "#urlmill-rules 1\na.b\t*\tdrop x\n");

test.each([
  [["--block", RULES], "--block, --allow, --skip-noindex and --skip-exhausted compare URLs"],
  [["--unicode-hosts"], "--form urlkey and --unicode-hosts contradict each other"],
  [
    ["--shadow", path("shadow"), "--rules", RULES],
    "--shadow and --form urlkey contradict each other",
  ],
])("%j is a wrong call", async (flags, message) => {
  const { code, stderr } = await runCli(["dedupe", "--form", "urlkey", ...flags], "");
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("a set of keys is refused to a run on URLs", async () => {
  const seen = ["dedupe", "--seen", path("seen")];
  const first = await runCli([...seen, "--form", "urlkey"], LIST);
  const second = await runCli([...seen, "--form", "urlkey"], LIST);
  const other = await runCli(seen, LIST);
  expect([first.code, second.code, second.stdout]).toEqual([0, 0, ""]);
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining('output was "urlkey" and is not set'),
  ]);
});
