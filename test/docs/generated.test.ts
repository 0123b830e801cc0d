import { expect, test } from "vitest";
import { flagForm } from "../../src/cli/flags/help-text.ts";
import { OPTION_GROUPS } from "../../src/cli/flags/option-flags.ts";
import { apiDocument } from "../../tools/api-document.mjs";
import { withCommands } from "../../tools/cli-document.mjs";
import { withLayers } from "../../tools/layers.mjs";
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

test("ARCHITECTURE.md draws the layers as the test of imports has them (npm run docs)", () => {
  const text = readDocument("ARCHITECTURE.md");
  expect(withLayers(text)).toBe(text);
});

test("docs/cli.md lists each flag of rules once, for all commands that take it", () => {
  const lines = readDocument("docs/cli.md").split("\n");
  const ofRules = OPTION_GROUPS.flatMap(({ flags }) => flags)
    // `learn` commands have flags --rules and --page-aliases of their own.
    .filter(({ name }) => name !== "rules" && name !== "page-aliases")
    .map((flag) => `  ${flagForm(flag)}`);
  const listed = lines.filter((line) => ofRules.some((form) => `${line} `.startsWith(`${form} `)));
  expect(listed).toHaveLength(ofRules.length);
});
