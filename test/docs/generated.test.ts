import { expect, test } from "vitest";
import { apiDocument } from "../../tools/api-document.mjs";
import { withCommands } from "../../tools/cli-document.mjs";
import { readDocument } from "../shared/code-blocks.ts";

test("docs/cli.md has the help of each command as it is now (npm run docs)", () => {
  const text = readDocument("docs/cli.md");
  expect(withCommands(text)).toBe(text);
});

test("docs/api.md has the doc comments as they are now (npm run docs)", () => {
  expect(readDocument("docs/api.md")).toBe(apiDocument());
});
