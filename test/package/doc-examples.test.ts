import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { type CheckedExample, countChecked, runExamples } from "../shared/checked-examples.ts";
import { tempFolder } from "../shared/temp-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The `@example` blocks of the doc comments of a file. */
function examplesOf(file: string): CheckedExample[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (!/^\s*\* @example$/.test(line)) return [];
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((text) => /^\s*(\*\/|\* @)/.test(text));
    const block = rest.slice(0, end).map((text) => text.replace(/^\s*\* ?/, ""));
    return [{ place: `${relative(root, file)}:${index + 1}`, lines: block }];
  });
}

const examples = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .flatMap((name) => examplesOf(join(root, "src", name)));
// `npm run proof stores` runs sets on a server.
const runnable = examples.filter(({ lines }) => !lines.join().includes("redis://"));

const directory = tempFolder();
let results: ReturnType<typeof runExamples>;

beforeAll(() => {
  results = runExamples(runnable, directory, { globals: true });
});

test.each(runnable)("the example at $place gives what it says", (example) => {
  const values = results[example.place] ?? [];
  expect(values.map(([value]) => value)).toEqual(values.map(([, said]) => said));
  expect(values).toHaveLength(countChecked(example));
});

test("only the example that needs a server is not run", () => {
  expect(examples.length - runnable.length).toBe(1);
});
