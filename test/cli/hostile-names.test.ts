import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

/** ESC, the C1 form of it, DEL, and what turns the direction of writing. */
const HOSTILE = "\x1b]0;x\x07\u009b2J\x7f\u202egpj\u2069\u200f";

const folder = tempFolder();

const file = (name: string, text: string): string => {
  const path = join(folder, `${name}${HOSTILE}`);
  writeFileSync(path, text);
  return path;
};
const utf8 = (text: string): string => Buffer.from(text, "latin1").toString();

/** What a terminal would show, which must be lines of text. */
async function expectSafe(args: readonly string[], code: number, shown: "stdout" | "stderr") {
  const result = await runCli(args);
  const text = utf8(result[shown]);
  expect(text).not.toMatch(/[^\P{Cc}\n\t]|\p{Cf}/u);
  expect(text).toContain("\\u");
  expect(result.code).toBe(code);
}

test.each([
  ["a command", 2, [`x${HOSTILE}`]],
  ["a flag", 2, ["normalize", `--x${HOSTILE}`]],
  ["the value of a flag", 2, ["normalize", "--preset", HOSTILE]],
  ["a missing file", 1, ["normalize", `/missing${HOSTILE}`]],
  [
    "a missing file with a line end in its name",
    1,
    ["normalize", "/missing\nurlmill: all is well"],
  ],
  ["an output that cannot be made", 1, ["normalize", "-o", `/missing/${HOSTILE}`]],
  ["a base that is not a URL", 2, ["normalize", "--base", HOSTILE]],
] as const)("hidden characters of %s are escaped on standard error", async (_, code, args) => {
  await expectSafe(args, code, "stderr");
});

test("hidden characters of what a file says are escaped on standard error", async () => {
  const rules = file("rules", `#urlmill-rules 1\na.b\t*\t${HOSTILE}\n`);
  await expectSafe(["normalize", "--rules", rules], 2, "stderr");
  const config = file("config", `{"preset": ${JSON.stringify(HOSTILE)}}`);
  await expectSafe(["normalize", "--config", config], 2, "stderr");
  const noJson = file("no-json", HOSTILE);
  await expectSafe(["normalize", "--config", noJson], 2, "stderr");
  const list = file("list", "http://a/\n");
  await expectSafe(["learn", "--format", "jsonl", list], 1, "stderr");
});

test("hidden characters of a folder of keys are escaped on standard error", async () => {
  writeFileSync(join(folder, "no-folder"), "");
  await expectSafe(["dedupe", "--seen", join(folder, "no-folder", HOSTILE)], 1, "stderr");
});

test("explain escapes hidden characters, and puts its caret below the place that it means", async () => {
  await expectSafe(["explain", `http://a/${HOSTILE}`], 0, "stdout");
  const { stdout } = await runCli(["explain", "\thttp://\u202eb/"]);
  expect(stdout.split("\n").slice(0, 2)).toEqual(["\thttp://\\u{202e}b/", "\t       ^"]);
});

test("explain --json has no hidden character, and means the same", async () => {
  const url = `http://a/${HOSTILE}`;
  const { stdout } = await runCli(["explain", "--json", url]);
  expect(stdout).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(stdout).input).toBe(url);
});

test("a list for machines stays as it is, and a list of errors is escaped", async () => {
  const line = Buffer.from(`${HOSTILE}\n`).toString("latin1");
  expect((await runCli(["normalize"], line)).stdout).toBe(line);
  expect((await runCli(["dedupe"], line)).stdout).toBe(line);
  const errors = join(folder, "errors");
  const { stdout } = await runCli(["normalize", "--errors", "-", "-o", errors], line);
  expect(stdout).toBe(
    "1\tNO_SCHEME\t\\x1b]0;x\\x07\\xc2\\x9b2J\\x7f\\xe2\\x80\\xaegpj\\xe2\\x81\\xa9\\xe2\\x80\\x8f\n",
  );
});
