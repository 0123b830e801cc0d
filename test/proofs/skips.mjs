// Compares the tests that this system skips with test/expected-skips.json: `npm run proof skips`. Runs none of them. A skip
// that is not listed there with a reason fails. `-- --write` writes the list of this system. `-- --as win32` asks what a system
// would skip by its name alone, without being one.
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createVitest } from "vitest/node";

const root = fileURLToPath(new URL("../..", import.meta.url));
const list = new URL("../expected-skips.json", import.meta.url);
const as = process.argv.indexOf("--as");
const system = as < 0 ? process.platform : process.argv[as + 1];

// At full length, no test is skipped for its time.
process.env.URLMILL_LONG = "1";
process.env.URLMILL_SYSTEM = system;
// Only the processes that vitest starts see another name.
if (as >= 0) process.env.NODE_OPTIONS = `--import ${new URL("as-system.mjs", import.meta.url)}`;
const vitest = await createVitest("test", { root, watch: false, reporters: [{}] });
await vitest.collect();
const modules = vitest.state.getTestModules();
await vitest.close();

const expected = JSON.parse(readFileSync(list, "utf8"));
const writes = process.argv.includes("--write");
const known = [expected.everywhere, ...(writes ? [] : [expected[system] ?? {}])];
const skips = {};
for (const module of modules) {
  const file = relative(root, module.moduleId).replaceAll("\\", "/");
  if (module.errors().length > 0) complain(`${file} cannot be read`);
  const names = new Set(
    [...module.children.allTests()].filter(isSkipped).map((test) => highestSkipped(test).fullName),
  );
  const added = [...names].filter((name) => !isKnown(file, name));
  if (added.length > 0) skips[file] = { why: expected[system]?.[file]?.why ?? "", tests: added };
}

if (writes) {
  const sorted = Object.entries(skips).toSorted(([a], [b]) => (a < b ? -1 : 1));
  expected[system] = Object.fromEntries(sorted);
  writeFileSync(list, `${JSON.stringify(expected, null, 2)}\n`);
} else {
  for (const [file, { tests }] of Object.entries(skips)) {
    for (const name of tests) complain(`${file}: "${name}" is skipped, and is not listed`);
  }
  for (const [file, { why }] of known.flatMap(Object.entries)) {
    if (why === "") complain(`${file} is listed without a reason`);
  }
  if (process.exitCode === undefined) console.log(`${system} skips no test that is not listed`);
}

function complain(text) {
  console.error(text);
  process.exitCode = 1;
}

function isSkipped({ options }) {
  return options.mode === "skip" || options.mode === "todo";
}

/** Returns the highest suite of a skipped test that has no other tests, or the test. */
function highestSkipped(test) {
  let highest = test;
  for (let at = test.parent; at.type === "suite"; at = at.parent) {
    if ([...at.children.allTests()].every(isSkipped)) highest = at;
  }
  return highest;
}

function isKnown(file, name) {
  return known.some((tests) =>
    tests[file]?.tests.some((entry) => name === entry || name.startsWith(`${entry} > `)),
  );
}
