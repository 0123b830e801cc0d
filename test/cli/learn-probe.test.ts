import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string): string => join(folder, name);
const plan = (...args: string[]) =>
  runCli(["learn", "plan", "--probe", file("links.txt"), file("fetched.jsonl"), ...args]);

test("learn plan --probe asks in rounds, and learn takes the same files", async () => {
  const ids = Array.from({ length: 150 }, (_, at) => at);
  const links = ids.flatMap((id) => [
    `http://a.org/t?id=${id}`,
    `http://a.org/t?id=${id}&s=${id * 7}`,
  ]);
  writeFileSync(file("links.txt"), links.map((url) => `${url}\n`).join(""));
  writeFileSync(file("fetched.jsonl"), "");
  const listed: string[] = [];
  for (;;) {
    const { code, stderr } = await plan("--fetches", "50", "-o", file("next.txt"));
    expect(code).toBe(0);
    const next = readFileSync(file("next.txt"), "utf8").split("\n").slice(0, -1);
    if (next.length === 0) {
      expect(stderr).toBe(
        "urlmill: 50 URLs were fetched, and no more are needed: learn from the same files\n",
      );
      break;
    }
    expect(stderr).toContain(`fetch these ${next.length}, and ask again with their records\n`);
    listed.push(...next);
    for (const url of next) {
      const record = { url, status: 200, fp: `cls:${url.replace(/&.*/, "")}` };
      appendFileSync(file("fetched.jsonl"), `${JSON.stringify(record)}\n`);
    }
  }
  expect(listed).toHaveLength(50);
  expect(listed.filter((url) => !links.includes(url))).toEqual([]);
  const { stdout } = await runCli(["learn", file("links.txt"), file("fetched.jsonl")]);
  expect(stdout).toMatch(/^a\.org\t\/t\tdrop s\tfingerprint /m);
});

test.each([
  [["--probe", "--rules", "r"], "--probe takes no --rules"],
  [["--probe", "--fetches", "0"], '--fetches is a whole number from 1 on, not "0"'],
  [["--probe", "--pairs", "9"], "--pairs is for --rules"],
  [["--rules", "r", "--fetches", "9"], "--fetches is for --probe"],
  [["--rules", "r", "--invent"], "--invent is for --probe"],
  [[], "--rules FILE or --probe is missing; see urlmill learn plan --help"],
])("learn plan %j is refused", async (args, message) => {
  expect(await runCli(["learn", "plan", ...args], "http://a/\n")).toEqual({
    code: 2,
    stdout: "",
    stderr: `urlmill: ${message}\n`,
  });
});
