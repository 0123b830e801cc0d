import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CliResult, runProcess } from "../shared/cli.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();
const file = (name: string) => join(folder, name);

/** Makes the command line fail where no error is expected: at the list of merged lines. */
const FAULT = `const { replaceAll } = String.prototype;
String.prototype.replaceAll = function (...args) {
  if (String(this).includes("BOOM")) throw new TypeError("a fault\\x1b[31m");
  return replaceAll.apply(this, args);
};`;
writeFileSync(file("fault.cjs"), FAULT);

/** Runs `dedupe` into such a fault. */
function runFault(...args: string[]): Promise<CliResult> {
  const env = { NODE_OPTIONS: `--require ${file("fault.cjs")}` };
  const lines = "http://a/BOOM\\\n".repeat(2);
  return runProcess(["dedupe", "--map", file("map"), ...args], lines, env);
}

test("a fault of urlmill ends with exit code 1, and says where to report it", async () => {
  const { code, stderr } = await runFault();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^urlmill: stopped by a fault of its own, so the output may be incomplete\./,
  );
  expect(stderr).toContain("github.com/urlmill/urlmill/issues");
});

test("a fault names the functions it came through, and the versions", async () => {
  const { stderr } = await runFault();
  expect(stderr).toMatch(/TypeError: a fault.*at escapeLine .*at #merge .*urlmill \d.*Node v\d/s);
});

test("a fault shows no line of minified code, and nothing that a terminal obeys", async () => {
  const { stderr } = await runFault();
  for (const line of stderr.split("\n")) expect(line.length).toBeLessThan(300);
  expect(stderr).not.toContain("\x1b");
});

test("a fault on a thread ends the process, and names the functions of the thread", async () => {
  const { code, stderr } = await runFault("--threads", "2");
  expect(code).toBe(1);
  expect(stderr).toMatch(/TypeError: a fault.*at escapeLine .*at ChunkProcessor\.list /s);
});
