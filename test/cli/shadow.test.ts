import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string) => join(folder, name);
const DROP_SID = "a.org\t*\tdrop sid";
const CUT_INDEX = "a.org\t/...\tcut index";

beforeAll(() => {
  writeFileSync(
    file("rules"),
    `#urlmill-rules 1\n${DROP_SID}\tfingerprint n=30 ok=30 lb=.8864\n${CUT_INDEX}\n`,
  );
});

/** Runs `dedupe` with the rules in shadow. Returns also the entries of the list, as columns. */
async function dedupe(lines: readonly string[], ...flags: string[]) {
  const args = ["dedupe", "--rules", file("rules"), "--shadow", file("list"), ...flags];
  const result = await runCli(args, `${lines.join("\n")}\n`);
  const list = readFileSync(file("list"), "utf8").split("\n").slice(0, -1);
  return { ...result, list: list.map((entry) => entry.split("\t")) };
}

test("a shadow merges nothing by rules, and says how many lines they would merge", async () => {
  const lines = ["http://a.org/t?id=1", "http://a.org/t?id=1&sid=1", "HTTP://A.org/t?id=1", "x"];
  const { stdout, stderr } = await dedupe(lines);
  expect(stdout.trimEnd().split("\n")).toEqual([lines[0], lines[1], "x"]);
  expect(stderr).toContain("would have merged 1 of 3 lines");
});

test("an entry has the key, the line, the key without rules, and the rule as its file has it", async () => {
  const lines = ["http://a.org/t?id=1", "HTTP://A.org/t?sid=1&utm_source=x&id=1#top"];
  const { list } = await dedupe(lines, "--preset", "crawl");
  const [key, before] = ["http://a.org/t?id=1", "http://a.org/t?id=1&sid=1"];
  expect(list).toEqual([[key, lines[1], before, ...DROP_SID.split("\t")]]);
});

test("an entry has each rule that changed its line, in the order they are applied", async () => {
  const line = "http://a.org/index/t?sid=1";
  const { list } = await dedupe(["http://a.org/t", line]);
  const rules = [...DROP_SID.split("\t"), ...CUT_INDEX.split("\t")];
  expect(list).toEqual([["http://a.org/t", line, line, ...rules]]);
});

test("an entry has no rule if rules changed only the line before it", async () => {
  const { list } = await dedupe(["http://a.org/t?sid=1", "http://a.org/t"]);
  expect(list).toEqual([["http://a.org/t", "http://a.org/t", "http://a.org/t"]]);
});

test("a TAB in a line does not make another column", async () => {
  const { list } = await dedupe(["http://a.org/t", "http://a.org/\tt?sid=1"]);
  expect(list[0]?.[1]).toBe("http://a.org/\\x09t?sid=1");
  expect(list[0]?.[2]).toBe("http://a.org/t?sid=1");
});

test("a reference is resolved against the base before rules are applied", async () => {
  const { list } = await dedupe(["/t", "t?sid=1"], "--base", "http://a.org/x");
  expect(list).toEqual([
    ["http://a.org/t", "t?sid=1", "http://a.org/t?sid=1", ...DROP_SID.split("\t")],
  ]);
});

test("a shadow passes over a line that is too long for a URL", async () => {
  const lines = ["http://a.org/t", `http://a.org/${"x".repeat(3 << 20)}`, "http://a.org/t?sid=2"];
  const { stdout, stderr, list } = await dedupe(lines);
  expect(stdout).toBe(`${lines.join("\n")}\n`);
  expect(list.map(([, line]) => line)).toEqual([lines[2]]);
  expect(stderr).toContain("would have merged 1 of 3 lines");
});

test("a shadow without rules is refused", async () => {
  const { code, stderr } = await runCli(["dedupe", "--shadow", file("s")]);
  expect(code).toBe(2);
  expect(stderr).toContain("add --rules FILE or --page-aliases FILE");
});

test("a shadow of records is refused", async () => {
  const args = ["dedupe", "--rules", file("rules"), "--shadow", file("s"), "--format", "tsv"];
  const { code, stderr } = await runCli([...args, "--field", "1"]);
  expect(code).toBe(2);
  expect(stderr).toContain("--shadow reads lines (--format lines --emit original)");
});
