// Adds two options, a format and a flag to a copy of the sources, by the recipes of CONTRIBUTING.md, then builds it and tries
// them. Fails where a recipe names other files than are changed here. `npm run proof recipes`. PYTHON names a Python with
// wasmtime and pytest; without it, Python is left out.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { importSource } from "../../../tools/import-source.mjs";
import { programOf } from "../../../tools/program-of.mjs";
import { copyTree, ROOT } from "../copy-tree.mjs";
import { checkSteps, stepsOf } from "./edits.mjs";
import * as flag from "./flag.mjs";
import * as format from "./format.mjs";
import * as option from "./option.mjs";

const { CATALOG } = await importSource("options/catalog.ts");
const { isSound } = await importSource("plan/check.ts");
const next = CATALOG.filter((entry) => entry.option?.place !== undefined).length;

const RECIPES = [
  ...option.OPTIONS.map((added, at) => ({
    ...option,
    EDITS: option.editsOf({ ...added, place: next + at }),
  })),
  format,
  flag,
];

const contributing = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
for (const { HEADING, EDITS } of RECIPES) {
  checkSteps(HEADING, stepsOf(contributing, HEADING), Object.keys(EDITS));
}

const tree = copyTree("recipes");
try {
  const files = new Set(RECIPES.flatMap(addTo));
  run("biome", ["check", "--write", ...[...files].filter((file) => file.endsWith(".ts"))]);
  run("node", ["tools/build.mjs"]);
  run("node", ["tools/write-docs.mjs"]);
  run("tsc", ["-p", "."]);
  run("vitest", ["run", ...new Set(RECIPES.flatMap(({ TESTS }) => TESTS))]);
  const [then, now] = await Promise.all([ROOT, tree].map(packageIn));
  tryOptions(then, now);
  tryFormat();
  await tryRecords();
  tryFlag();
  tryPython(process.env.PYTHON);
} finally {
  rmSync(tree, { recursive: true });
}

/** Changes the files of a recipe, and says how many lines each of them got. Returns their names. */
function addTo({ HEADING, EDITS }) {
  console.log(HEADING);
  for (const [file, edit] of Object.entries(EDITS)) {
    const path = join(tree, file);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    const changed = edited(file, edit, text);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, changed);
    console.log(`  ${file}: ${changed.split("\n").length - text.split("\n").length} lines more`);
  }
  return Object.keys(EDITS);
}

function edited(file, edit, text) {
  try {
    return edit(text);
  } catch (error) {
    throw new Error(`${file}: ${error.message}`);
  }
}

/** Runs a program in the copy. Throws if it fails. */
function run(name, args, environment = {}) {
  console.log(`> ${name} ${args.join(" ")}`);
  const [file, ...first] = programOf(name);
  const env = { ...process.env, ...environment };
  execFileSync(file, [...first, ...args], {
    cwd: tree,
    stdio: ["ignore", "inherit", "inherit"],
    env,
  });
}

/** Runs the command line of the copy. */
function urlmill(args, input) {
  const main = join(tree, "dist/cli/main.js");
  return spawnSync(process.execPath, [main, ...args], { input, encoding: "utf8" });
}

function packageIn(folder) {
  return import(pathToFileURL(join(folder, "dist/index.js")).href);
}

/** Tries the options on both engines, and that other plans stay as they were. */
function tryOptions(then, now) {
  for (const { name, character } of option.OPTIONS) {
    const url = `http://a/b${character}${character}`;
    for (const engine of ["wasm", "js"]) {
      const n = now.createNormalizer({ [name]: "remove", engine });
      assert.equal(n.normalize(url), "http://a/b", `${name} on ${engine}`);
      assert.deepEqual(
        n.explain(url).steps.map(({ step }) => step),
        [name],
      );
    }
    const flags = [`--${name.replaceAll(/[A-Z]/g, "-$&").toLowerCase()}`, "remove"];
    assert.equal(urlmill(["normalize", ...flags], url).stdout, "http://a/b\n");
    const { plan } = now.createNormalizer({ [name]: "remove" });
    assert.equal(isSound(plan), false, `the engine before takes a plan with ${name}`);
  }
  const [first, second] = option.OPTIONS.map(({ name }) => name);
  const both = now.createNormalizer({ [first]: "remove", [second]: "remove", www: "remove" });
  assert.equal(both.normalize("http://www.a.b/c,.,."), "http://a.b/c");
  for (const preset of ["safe", "crawl", "c14n", "aggressive"]) {
    for (const options of [
      { preset },
      { preset, fragment: "keep-route", www: "add", case: "lower-path" },
    ]) {
      const [old, same] = [then, now].map(({ createNormalizer }) => createNormalizer(options));
      assert.equal(same.profileId, old.profileId);
      assert.deepEqual(same.plan, old.plan);
    }
  }
}

/** Tries the format where it is named, and where the first line shows it. */
function tryFormat() {
  const list = `${format.LINES.join("\n")}\n`;
  const expected = list.replace("HTTP://example.com/a/../b", "http://example.com/b");
  for (const flags of [["--format", "squid"], []]) {
    assert.equal(urlmill(["normalize", "--emit", "normalized", ...flags], list).stdout, expected);
  }
}

/** Tries the records that `learn` makes of the format. */
async function tryRecords() {
  const { detectFormat, RecordReader } = await import(
    pathToFileURL(join(tree, "dist/learn/index.js")).href
  );
  const list = `${format.LINES.join("\n")}\n`;
  const reader = new RecordReader(detectFormat(list, "-"));
  assert.deepEqual(reader.push(Buffer.from(list), true), [
    { url: "HTTP://example.com/a/../b", status: 200, size: 411, ts: "1286536308.779" },
    { url: "http://example.com/x", status: 403, size: 3714, ts: "1286536309.450" },
  ]);
}

/** Tries that the flag changes what is said, and that it is not said without it. */
function tryFlag() {
  const said = [["--percent"], []].map(
    (flags) => urlmill(["normalize", ...flags], "http://a/\nx\n").stderr,
  );
  assert.match(said[0], /50\.0 % of the lines are not URLs/);
  assert.doesNotMatch(said[1], /%/);
}

/** Tries the options in Python, with its tests that compare it with Node. */
function tryPython(python) {
  if (python === undefined) return console.log("Python is left out: PYTHON names none");
  const [{ name, character }] = option.OPTIONS;
  const snake = name.replaceAll(/[A-Z]/g, "_$&").toLowerCase();
  const program = `import urlmill
n = urlmill.Normalizer(${snake}="remove")
assert n.normalize("http://a/b${character}") == "http://a/b"
assert [step.step for step in n.explain("http://a/b${character}").steps] == ["${name}"]`;
  const environment = { PYTHONPATH: join(tree, "python/src") };
  run(python, ["-c", program], environment);
  const tests = option.PYTHON_TESTS.map((test) => `python/tests/${test}`);
  run(python, ["-m", "pytest", "-q", ...tests], environment);
}
