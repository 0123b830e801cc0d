import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const TOOLS = new URL("../../tools/", import.meta.url);

test("each file that a build step reads or writes is where the step says", () => {
  const tools = readdirSync(TOOLS, { recursive: true, encoding: "utf8" });
  const named = tools.flatMap((tool) => {
    if (!tool.endsWith(".mjs")) return [];
    const file = new URL(tool, TOOLS);
    const paths = readFileSync(file, "utf8").matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g);
    return [...paths].map(([, path = ""]) => new URL(path, file));
  });
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});
