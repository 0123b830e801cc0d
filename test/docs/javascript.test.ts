import { beforeAll, expect, test } from "vitest";
import { countChecked, runExamples } from "../shared/checked-examples.ts";
import { codeBlocks } from "../shared/code-blocks.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// docs/api has the examples of doc comments, which test/package/doc-examples.test.ts runs.
const blocks = codeBlocks().filter(
  ({ place, language, notRun }) =>
    language === "js" && notRun === null && !place.startsWith("docs/api/"),
);

/** The most milliseconds that all blocks may take: those that load Crawlee take some seconds on a busy machine. */
const RUN_MS = 60_000;

const folder = tempFolder();
let results: ReturnType<typeof runExamples>;

beforeAll(() => {
  results = runExamples(blocks, folder, { globals: false });
}, RUN_MS);

test.each(blocks)("the code at $place gives what it says", (block) => {
  const values = results[block.place] ?? [];
  expect(values.map(([given]) => given)).toEqual(values.map(([, said]) => said));
  expect(values).toHaveLength(countChecked(block));
});
