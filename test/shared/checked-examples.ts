import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ENTRY_POINTS } from "../../tools/entry-points.mjs";
import { builtFile } from "./built-file.ts";

const require = createRequire(import.meta.url);
/** Matches `expression; // value` and `expression; // throws CODE`. */
const CHECKED = /^(\s*)(\S.*?);\s*\/\/ (.+)$/;
const IMPORT = /^import \{ (.+) \} from "(.+)";$/;

/** Holds lines of JavaScript and their place. Some lines give the value of an expression. */
export interface CheckedExample {
  readonly place: string;
  readonly lines: readonly string[];
}

/**
 * Holds, for each expression of an example, the value that it gave and the value that the example
 * states.
 */
export type CheckedValues = readonly (readonly [given: string, said: string])[];

/** Counts the expressions of an example whose value is stated. */
export function countChecked({ lines }: CheckedExample): number {
  return lines.filter((line) => CHECKED.test(line)).length;
}

/**
 * Runs examples in a process of their own in `folder`, and returns the values of each by its place. With `globals`
 * everything that the package exports is there without an import, and `n` is a normalizer.
 */
export function runExamples(
  examples: readonly CheckedExample[],
  folder: string,
  { globals }: { readonly globals: boolean },
): Readonly<Record<string, CheckedValues>> {
  writeFileSync(join(folder, "examples.mjs"), moduleOf(examples, globals));
  execFileSync(process.execPath, ["examples.mjs"], { cwd: folder, stdio: "pipe" });
  return JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));
}

function urlOf(name: string): string {
  const entry = ENTRY_POINTS.find((point) => point.name === name);
  if (entry !== undefined) return pathToFileURL(builtFile(`${entry.file}.js`)).href;
  return name.startsWith("node:") ? name : pathToFileURL(require.resolve(name)).href;
}

/**
 * Returns a line of an example as a statement that records the value of its expression and the
 * stated one.
 */
function compile(line: string): string {
  const imported = IMPORT.exec(line);
  if (imported !== null)
    return `const { ${imported[1]} } = await import("${urlOf(imported[2] ?? "")}");`;
  const [, , expression, value = ""] = CHECKED.exec(line) ?? [];
  if (expression === undefined) return line;
  const said = value.startsWith("throws ") ? JSON.stringify(value) : value;
  return `await note(async () => (${expression}), ${said});`;
}

/** Returns a module that runs examples and writes the values of each to `results.json`. */
function moduleOf(examples: readonly CheckedExample[], globals: boolean): string {
  const names = ENTRY_POINTS.map(({ name }) => name);
  const exported = names.map((_, at) => `...m${at}`).reverse();
  return [
    'import { writeFileSync } from "node:fs";',
    'import { inspect } from "node:util";',
    ...(globals
      ? [
          ...names.map((name, at) => `import * as m${at} from "${urlOf(name)}";`),
          `Object.assign(globalThis, { ${exported.join(", ")} });`,
          "globalThis.n = m0.createNormalizer();",
        ]
      : []),
    "const results = {};",
    "const run = async (place, example) => {",
    "  const values = (results[place] = []);",
    "  const note = async (run, said) => {",
    '    const value = await run().catch((error) => "throws " + (error.code ?? error));',
    "    values.push([inspect(value), inspect(said)]);",
    "  };",
    "  await example(note).catch((error) => values.push([String(error), 'no error']));",
    "};",
    ...examples.map(
      ({ place, lines }) =>
        `await run("${place}", async (note) => {\n${lines.map(compile).join("\n")}\n});`,
    ),
    'writeFileSync("results.json", JSON.stringify(results));',
    "process.exit();",
  ].join("\n");
}
