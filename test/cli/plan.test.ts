import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNormalizer } from "../../src/index.ts";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string): string => join(folder, name);

const RULES = "#urlmill-rules 1\nexample.org\t*\tdrop ref\n";

test("plan writes the plan of its options to a file, and says its profileId", async () => {
  writeFileSync(file("config.json"), '{"preset": "crawl", "www": "remove"}');
  writeFileSync(file("rules.tsv"), RULES);
  const flags = ["--config", file("config.json"), "--rules", file("rules.tsv")];
  const { code, stdout, stderr } = await runCli(["plan", ...flags, "-o", file("crawl.plan")]);
  const n = createNormalizer({ preset: "crawl", www: "remove", rules: RULES });
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toBe(`urlmill: plan of ${n.plan.length} bytes, profileId ${n.profileId}\n`);
  expect([...readFileSync(file("crawl.plan"))]).toEqual([...n.plan]);
});

test("plan writes to standard output", async () => {
  const { stdout } = await runCli(["plan", "--preset", "aggressive"]);
  const { plan } = createNormalizer({ preset: "aggressive" });
  expect([...Buffer.from(stdout, "latin1")]).toEqual([...plan]);
});

test.each([
  [["urls.txt"], "plan takes options alone; see urlmill plan --help"],
  [["--preset", "wild"], 'option preset cannot be "wild": expected safe'],
  [["--engine", "wasm"], "Unknown option '--engine', which is for urlmill normalize"],
  [["--base", "http://a/"], "Unknown option '--base', which is for urlmill normalize"],
])("plan %j is a wrong call", async (args, message) => {
  const { code, stdout, stderr } = await runCli(["plan", ...args]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
});

test("plan refuses to write over a file that it reads", async () => {
  writeFileSync(file("own.json"), "{}");
  const args = ["plan", "--config", file("own.json"), "-o", file("own.json")];
  const { code, stderr } = await runCli(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be read and written")]);
  expect(readFileSync(file("own.json"), "utf8")).toBe("{}");
});

test("plan fails with 1 where a file is missing, or cannot be written", async () => {
  const read = await runCli(["plan", "--rules", file("none.tsv")]);
  expect([read.code, read.stderr]).toEqual([1, expect.stringContaining("cannot read")]);
  const write = await runCli(["plan", "-o", folder]);
  expect([write.code, write.stderr]).toEqual([1, expect.stringContaining("cannot write")]);
});
