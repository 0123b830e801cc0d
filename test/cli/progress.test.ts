// At full length only: it waits for a terminal or a pipe.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI_PATH, runCli } from "../shared/cli.ts";
import { writeColumns } from "../shared/parquet.ts";
import { tempFolder } from "../shared/temp-folder.ts";
import { isHere } from "../shared/tools.ts";

const folder = tempFolder();
const path = (name: string): string => join(folder, name);
const CLEAR_LINE = "\x1b[2K";
/** util-linux has a `script` that runs a command on a terminal of its own. */
const hasScript = isHere("script", spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0);

/** Runs a command whose standard input, output and error are a terminal; returns what it shows. */
function onTerminal(args: string): string {
  const command = `"${process.execPath}" "${CLI_PATH}" ${args}`;
  return spawnSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8" }).stdout;
}

describe.runIf(hasScript)("progress on a terminal", () => {
  writeFileSync(path("urls.txt"), "http://a/\n");

  test("is shown by default where the lines go to a file", () => {
    expect(onTerminal(`normalize "${path("urls.txt")}" -o "${path("out.txt")}"`)).toContain(
      CLEAR_LINE,
    );
  });

  test("is not shown by default where the lines come on the same terminal", () => {
    expect(onTerminal(`normalize "${path("urls.txt")}"`)).toBe("http://a/\r\n");
  });

  test("is not shown after --no-progress", () => {
    const args = `normalize --no-progress --quiet "${path("urls.txt")}" -o "${path("out.txt")}"`;
    expect(onTerminal(args)).toBe("");
  });
});

test("--progress counts the rows of Parquet as rows", async () => {
  const data = Array.from({ length: 6000 }, (_, row) => `http://a/./${row}`);
  const input = writeColumns(path("in.parquet"), [{ name: "url", data, type: "STRING" }], 1000);
  const args = ["dedupe", "--emit", "both", "--progress", input, "-o", path("out.parquet")];
  const { code, stderr } = await runCli(args);
  expect(code).toBe(0);
  // The last figures are drawn at the end, however short the run is.
  expect(stderr).toMatch(/6\.0 k rows {2}[\d.]+ [kM]B {2}[\d.]+ [kM] rows\/s {2}0 errors/);
});
