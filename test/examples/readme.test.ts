import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeSpans, readTables } from "../shared/spec-document.ts";

const FOLDER = new URL("../../examples/", import.meta.url);
const programs = readdirSync(FOLDER).filter((name) => name.endsWith(".mjs"));
const readme = readFileSync(new URL("README.md", FOLDER), "utf8");

test("each program has a row that says how to run it, with the arguments that the program names", () => {
  const table = readTables(readme).find(({ columns }) => columns.includes("run it"));
  const commands = table?.rows.map((row) => codeSpans(row["run it"] ?? "")[0]) ?? [];
  expect(commands.map((command) => command?.split(/[ /]/)[2]).sort()).toEqual(programs.sort());
  for (const command of commands) {
    const [, name] = /examples\/(\S+)/.exec(command ?? "") ?? [];
    const text = readFileSync(new URL(name as string, FOLDER), "utf8");
    expect(text).toContain(command?.split(" ").slice(0, 3).join(" "));
  }
});

test("each program has a test that runs it", () => {
  const tests = readdirSync(new URL(".", import.meta.url));
  const tested = programs.map((name) => name.replace(".mjs", ".test.ts"));
  expect(tests).toEqual(expect.arrayContaining(tested));
});
