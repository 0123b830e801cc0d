import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readLines } from "../../src/cli/learn/read-lines.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const folder = tempFolder();

async function linesOf(text: string): Promise<[number, string][]> {
  const file = join(folder, "lines");
  writeFileSync(file, text);
  const lines: [number, string][] = [];
  for await (const { number, line } of readLines([file])) lines.push([number, line]);
  return lines;
}

test("lines are numbered, and a last one without its end is a line", async () => {
  expect(await linesOf("a\n\nb")).toEqual([
    [1, "a"],
    [2, ""],
    [3, "b"],
  ]);
  expect(await linesOf("a\n")).toEqual([[1, "a"]]);
  expect(await linesOf("")).toEqual([]);
});

test("a long line comes whole", async () => {
  const long = "\u00e9".repeat(4_000_000);
  const lines = await linesOf(`a\n${long}\nb\n`);
  expect(lines.map(([number, line]) => [number, line.length])).toEqual([
    [1, 1],
    [2, long.length],
    [3, 1],
  ]);
  expect(lines[1]?.[1] === long).toBe(true);
});

test.each([
  ["without its end", "a\nlonger"],
  ["over many chunks", `a\n${"x".repeat(1 << 20)}`],
])("a line that is too long is refused with its number: %s", async (_, text) => {
  const file = join(folder, "long");
  writeFileSync(file, text);
  const read = async (): Promise<void> => {
    for await (const { line } of readLines([file], 5)) expect(line.length).toBeLessThan(6);
  };
  await expect(read()).rejects.toThrow(`${file}, line 2: it is longer than 5 bytes`);
});

test("a line that is not UTF-8 is refused with its number", async () => {
  const file = join(folder, "latin-1");
  writeFileSync(file, Buffer.from("a\nb\n\xe9\n", "latin1"));
  const read = async (): Promise<void> => {
    for await (const { line } of readLines([file])) expect(line).toMatch(/[ab]/);
  };
  await expect(read()).rejects.toThrow(`${file}, line 3: it is not UTF-8`);
});
