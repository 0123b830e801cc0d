import { expect, test } from "vitest";
import { apiDocument } from "../../tools/api-document.mjs";
import { withCommands } from "../../tools/cli-document.mjs";
import { runCli } from "../shared/cli.ts";
import { readDocument } from "../shared/code-blocks.ts";

const helpOf = async (...command: string[]): Promise<string> => {
  const { stdout } = await runCli(["help", ...command]);
  return Buffer.from(stdout, "latin1").toString();
};

test("docs/cli.md has the help of each command as it is now (npm run docs)", async () => {
  const text = readDocument("docs/cli.md");
  expect(await withCommands(text, helpOf)).toBe(text);
});

test("docs/api.md has the doc comments as they are now (npm run docs)", () => {
  expect(readDocument("docs/api.md")).toBe(apiDocument());
});
