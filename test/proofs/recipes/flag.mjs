// A switch that says which share of the lines is not URLs.
import { after, all, before } from "./edits.mjs";

export const HEADING = "Add a flag";

/** What tells whether all was done: help, completion, the manual page and the document of commands. */
export const TESTS = [
  "test/cli/percent.test.ts",
  "test/cli/help.test.ts",
  "test/cli/completion.test.ts",
  "test/cli/man-page.test.ts",
  "test/docs/generated.test.ts",
];

export const EDITS = {
  "src/runs/call/options.ts": before(
    "  quiet: switchFlag({\n",
    `  percent: switchFlag({
    name: "percent",
    text: "say on standard error which share of the lines is not URLs",
  }),
`,
  ),
  "src/runs/frame/summary.ts": all(
    before(
      "function sayErrors(\n",
      `/** Says which share of the records has no URL, if \`--percent\` asks. */
function sayPercent({ options: { percent }, tally }: PreparedRun, record: "line" | "row"): void {
  const share = (100 * (tally.errors - tally.blocked)) / tally.lines;
  if (percent) say(\`\${share.toFixed(1)} % of the \${record}s are not URLs\`);
}

`,
    ),
    after("    sayErrors(prepared, record);\n", "    sayPercent(prepared, record);\n"),
  ),
  "test/cli/percent.test.ts": () => `import { expect, test } from "vitest";
import { runCli } from "../shared/cli.ts";

test("--percent says which share of the lines is not URLs", async () => {
  const { stderr } = await runCli(["normalize", "--percent"], "http://a/\\nx\\nhttp://b/\\nhttp://c/\\n");
  expect(stderr).toContain("25.0 % of the lines are not URLs");
});
`,
};
