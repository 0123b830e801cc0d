import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const TOOLS = new URL("../../tools/", import.meta.url);

test("each file that a build step reads or writes is where the step says", () => {
  const named = readdirSync(TOOLS).flatMap((tool) => {
    const text = readFileSync(new URL(tool, TOOLS), "utf8");
    return [...text.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g)].map(([, path]) => path);
  });
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(new URL(path as string, TOOLS)))).toEqual([]);
});
