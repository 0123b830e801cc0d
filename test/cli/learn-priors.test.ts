import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { madeUpForums } from "../shared/made-up-forums.ts";

const folder = mkdtempSync(join(tmpdir(), "urlmill-learn-priors-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(path(name), "utf8");

describe("urlmill learn --priors", () => {
  beforeAll(async () => {
    const lines = madeUpForums(30).known.map((record) => `${JSON.stringify(record)}\n`);
    writeFileSync(path("crawl.jsonl"), lines.join(""));
    await runCli(["learn", path("crawl.jsonl"), "-o", path("first")]);
    const again = ["learn", path("crawl.jsonl"), "--priors", path("first"), "--threads", "1"];
    expect((await runCli([...again, "-o", path("second")])).code).toBe(0);
  });

  test("finds more rules, and the same ones on several threads", async () => {
    expect(text("second").split("\n").length).toBeGreaterThan(2 * text("first").split("\n").length);
    const args = ["learn", path("crawl.jsonl"), "--priors", path("first"), "--threads", "3"];
    expect((await runCli([...args, "-o", path("threads")])).code).toBe(0);
    expect(text("threads")).toBe(text("second"));
  });

  test("does the same in the steps mine, count and select", async () => {
    const [list, priors] = [path("crawl.jsonl"), ["--priors", path("first")]];
    await runCli(["learn", "mine", list, ...priors, "-o", path("mined")]);
    await runCli(["learn", "count", list, "--rules", path("mined"), "-o", path("counted")]);
    await runCli(["learn", "select", path("counted"), ...priors, "-o", path("selected")]);
    expect(text("selected")).toBe(text("second"));
  });

  test("reads a file of rules as JSON objects", async () => {
    const list = path("crawl.jsonl");
    await runCli(["learn", list, "--json", "-o", path("first.json")]);
    await runCli(["learn", list, "--priors", path("first.json"), "-o", path("from-json")]);
    expect(text("from-json")).toBe(text("second"));
  });

  test("names the line of a file that is not rules, and a file that is missing", async () => {
    writeFileSync(path("bad"), "#urlmill-rules 1\na.org\t*\tdropp sid\n");
    for (const command of [["learn"], ["learn", "mine"], ["learn", "select"]]) {
      const bad = await runCli([...command, "--priors", path("bad")]);
      expect([bad.code, bad.stdout]).toEqual([2, ""]);
      expect(bad.stderr).toContain(`${path("bad")}`);
      expect(bad.stderr).toContain("line 2");
      const missing = await runCli([...command, "--priors", path("missing")]);
      expect([missing.code, missing.stdout]).toEqual([1, ""]);
      expect(missing.stderr).toContain("missing");
    }
  });

  test("refuses to write the file that it reads", async () => {
    const before = text("first");
    const args = ["learn", path("crawl.jsonl"), "--priors", path("first"), "-o", path("first")];
    const { code, stderr } = await runCli(args);
    expect([code, text("first")]).toEqual([2, before]);
    expect(stderr).toContain("read and written by the same run");
  });
});
