import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { flagsOf } from "../../src/cli/flags/command.ts";
import { COMMANDS } from "../../src/cli/flags/commands.ts";
import { LEARN } from "../../src/cli/learn/learn.ts";
import { LISTS } from "../../src/cli/lists/lists.ts";
import { SEEN } from "../../src/cli/seen/seen.ts";
import { runCli } from "../shared/cli.ts";
import { isHere } from "../shared/tools.ts";

const hasGroff = isHere("groff", spawnSync("groff", ["--version"]).error === undefined);

test("dist/urlmill.1.gz is what urlmill man prints", async () => {
  const file = readFileSync(new URL("../../dist/urlmill.1.gz", import.meta.url));
  expect(gunzipSync(file).toString("latin1")).toBe((await runCli(["man"])).stdout);
});

test("the manual page has each command and each flag", async () => {
  const { stdout } = await runCli(["man"]);
  const plain = stdout.replaceAll("\\-", "-");
  for (const command of [...COMMANDS, ...LEARN.commands, ...LISTS.commands, ...SEEN.commands]) {
    expect(plain).toContain(`.SS "urlmill ${command.name}`);
    for (const { name } of flagsOf(command))
      expect(plain).toMatch(new RegExp(`^\\.B .*--${name}\\b`, "m"));
  }
});

test.skipIf(!hasGroff)("groff reads the manual page without a warning", async () => {
  const { stdout } = await runCli(["man"]);
  const page = Buffer.from(stdout, "latin1");
  const args = ["-man", "-ww", "-Kutf8", "-Tutf8", "-P-cbu"];
  const shown = spawnSync("groff", args, { input: page, encoding: "utf8" });
  expect([shown.status, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toContain("urlmill dedupe [FILE…]");
  expect(shown.stdout).toMatch(/\\xHH\s+is\s+a/);
});
