import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);
const ENTRY_POINTS = {
  urlmill: "index.js",
  "urlmill/js": "js.js",
  "urlmill/pool": "pool/index.js",
  "urlmill/seen": "seen/index.js",
  "urlmill/seen/lmdb": "seen/lmdb.js",
  "urlmill/seen/redis": "seen/redis.js",
  "urlmill/learn": "learn/index.js",
  "urlmill/crawlee": "crawlee/index.js",
  "urlmill/arrow": "arrow/index.js",
};
/** `expression; // value`, or `expression; // throws CODE`. */
const CHECKED = /^(\s*)(\S.*?);\s*\/\/ (.+)$/;
const IMPORT = /^import \{ (.+) \} from "(.+)";$/;

interface Example {
  readonly place: string;
  readonly lines: readonly string[];
}

/** The `@example` blocks of the doc comments of a file. */
function examplesOf(file: string): Example[] {
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
// `npm run proof:stores` runs sets on a server.
const runnable = examples.filter(({ lines }) => !lines.join().includes("redis://"));

const urlOf = (name: string): string =>
  name in ENTRY_POINTS
    ? pathToFileURL(join(root, "dist", ENTRY_POINTS[name as keyof typeof ENTRY_POINTS])).href
    : require.resolve(name);

/** A statement of an example, which notes the value of an expression and the one that is said of it. */
function compile(line: string): string {
  const imported = IMPORT.exec(line);
  if (imported !== null)
    return `const { ${imported[1]} } = await import("${urlOf(imported[2] ?? "")}");`;
  const [, , expression, value = ""] = CHECKED.exec(line) ?? [];
  if (expression === undefined) return line;
  const said = value.startsWith("throws ") ? JSON.stringify(value) : value;
  return `await note(async () => (${expression}), ${said});`;
}

/** A module that runs examples and writes what each gave to `results.json`. */
function moduleOf(all: readonly Example[]): string {
  const imports = Object.keys(ENTRY_POINTS).map(
    (name, at) => `import * as m${at} from "${urlOf(name)}";`,
  );
  const names = Object.keys(ENTRY_POINTS)
    .map((_, at) => `...m${at}`)
    .reverse();
  return [
    'import { writeFileSync } from "node:fs";',
    'import { inspect } from "node:util";',
    ...imports,
    `Object.assign(globalThis, { ${names.join(", ")} });`,
    "globalThis.n = m0.createNormalizer();",
    "const results = {};",
    "const run = async (place, example) => {",
    "  const values = (results[place] = []);",
    "  const note = async (run, said) => {",
    '    const value = await run().catch((error) => "throws " + (error.code ?? error));',
    "    values.push([inspect(value), inspect(said)]);",
    "  };",
    "  await example(note).catch((error) => values.push([String(error), 'no error']));",
    "};",
    ...all.map(
      ({ place, lines }) =>
        `await run("${place}", async (note) => {\n${lines.map(compile).join("\n")}\n});`,
    ),
    'writeFileSync("results.json", JSON.stringify(results));',
    "process.exit();",
  ].join("\n");
}

let directory: string;
let results: Record<string, [string, string][]>;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "urlmill-examples-"));
  writeFileSync(join(directory, "examples.mjs"), moduleOf(runnable));
  execFileSync(process.execPath, ["examples.mjs"], { cwd: directory, stdio: "pipe" });
  results = JSON.parse(readFileSync(join(directory, "results.json"), "utf8"));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.each(runnable)("the example at $place gives what it says", ({ place, lines }) => {
  const values = results[place] as [string, string][];
  expect(values.map(([value]) => value)).toEqual(values.map(([, said]) => said));
  expect(values).toHaveLength(lines.filter((line) => CHECKED.test(line)).length);
});

test("only the example that needs a server is not run", () => {
  expect(examples.length - runnable.length).toBe(1);
});
