// Changes the kernel in one place after the other, and counts the changes that the suites find.
// `npm run proof mutants`
//
//   -- --count N      changes that are tried (60)
//   -- --seed N       which of all (1)
//   -- --under PATH   only files of this folder of assembly/, or this file
//   -- --workers N    processes that try changes at a time (1)
//   -- --resume       tries only what the last run with this seed has not tried or not found
//
// Each change is compiled in a process that stays, which runs the project's own test files with it until one fails
// (mutants/suites.mjs). What passes them is built as the release is, and goes through Vitest. A change that compiles to the
// same module is left out, and one of mutants/equal.mjs is not tried. One that is not found is printed: a test is missing,
// or the change is of speed alone. build/mutants has a line for each change.
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyTree, ROOT } from "./copy-tree.mjs";
import { changed, changesOf, draw, filesUnder, folderOf } from "./mutants/changes.mjs";
import { EQUAL } from "./mutants/equal.mjs";
import { moduleOf, testsOf, testsTogetherOf } from "./mutants/modules.mjs";
import { Order } from "./mutants/order.mjs";
import { Worker } from "./mutants/workers.mjs";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    under: { type: "string", default: "" },
    workers: { type: "string", default: "1" },
    resume: { type: "boolean", default: false },
  },
});

/** A run of Vitest, a compilation or a measurement that takes longer does not end. */
const LONGEST = 15 * 60_000;
const workers = Array.from({ length: Number(values.workers) }, () => new Worker());
/** Where the lines of changes are, and how long the test files of each module take. */
const FOLDER = join(ROOT, "build/mutants");
const orders = new Map();
const measured = new Map();

/** Returns the order of the test files of a module. They are measured with the module as it is when they are first needed. */
function orderOf(name, worker) {
  if (!orders.has(name)) orders.set(name, measure(name, worker));
  return orders.get(name);
}

/** With --resume, only those that were not measured before. */
async function measure(name, worker) {
  const file = join(FOLDER, "measured.json");
  const known = values.resume && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const tests = testsTogetherOf(name);
  const before = (known[name] ?? []).filter(({ file }) => tests.includes(file));
  const others = tests.filter((test) => !before.some(({ file }) => file === test));
  if (others.length > 0) {
    const added = await worker.call({ task: "measure", name, tests: others }, () => LONGEST);
    if (!Array.isArray(added)) throw new Error(`${name}: the tests do not end`);
    measured.set(name, [...before, ...added]);
    writeFileSync(file, JSON.stringify({ ...known, ...Object.fromEntries(measured) }));
  }
  return new Order(measured.get(name) ?? before);
}

/** Runs the test files that are tried first, or the rest of those that run in such a process. */
async function tryHere(change, worker, part) {
  const { file } = change;
  const name = moduleOf(file);
  if (name === "lanes") return { result: "not found" };
  const order = await orderOf(name, worker);
  // What is left for the rest stays what it was.
  change.parts ??= order.for(file);
  const message = {
    task: "attempt",
    name,
    sources: { [file]: changed(change) },
    tests: change.parts[part],
  };
  const limit = (running) => (running === undefined ? LONGEST / 5 : order.limitOf(running));
  let tried = await worker.call(message, limit);
  // Not a test ended it: it is tried once more.
  if (tried.stopped) tried = await worker.call(message, limit);
  if (tried.stopped) throw new Error(`cannot be tried: ${change.name}`);
  const { endless } = tried;
  const answer = endless ? { result: "found", file: endless, by: "it does not end" } : tried;
  if (answer.result === "found") order.add(file, answer.file);
  return answer;
}

let tree;
const run = (command, args, more = {}) =>
  spawnSync(command, args, { cwd: tree, encoding: "utf8", killSignal: "SIGKILL", ...more });

/** Compiles a change as the release is. Unless the module is the same, runs all tests that were not run before. */
async function tryRest(change) {
  const { file, source } = change;
  const name = moduleOf(file);
  const sources = { [file]: changed(change) };
  let wasm;
  if (name !== "lanes") {
    const message = { task: "release", name, sources };
    const { result, bytes } = await workers[0].call(message, () => LONGEST);
    if (result === undefined) throw new Error(`cannot be tried: ${change.name}`);
    if (bytes === undefined) return { result };
    wasm = Buffer.from(bytes, "base64");
    const rest = await tryHere(change, workers[0], "rest");
    if (rest.result === "found") return rest;
  }
  tree ??= builtTree();
  const built = join(tree, `build/${name}.wasm`);
  const before = wasm && readFileSync(built);
  writeFileSync(join(tree, file), sources[file]);
  try {
    if (wasm) {
      writeFileSync(built, wasm);
      run(process.execPath, ["tools/embed-kernel.mjs"]);
      // The command line that is built has the other modules in its code.
      if (name !== "kernel") run("npm", ["run", "build:js"]);
    }
    return { result: (await passesVitest(name)) ? "not found" : "found", by: "Vitest" };
  } finally {
    writeFileSync(join(tree, file), source);
    if (wasm) writeFileSync(built, before);
  }
}

function builtTree() {
  tree = copyTree("mutants");
  if (run("npm", ["run", "build"]).status !== 0) throw new Error("the kernel does not build");
  return tree;
}

/** Runs what does not run in the process of a worker; of the smaller modules all tests, at length. */
async function passesVitest(name) {
  const tests = name === "kernel" ? await testsApartOf(name) : testsOf(name);
  if (tests.length === 0) return true;
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--bail", "1", "--reporter", "dot"];
  const env = { ...process.env, URLMILL_LONG: name === "kernel" ? "" : "1" };
  const { status } = run(process.execPath, [...vitest, ...tests], { env, timeout: LONGEST });
  return status === 0;
}

async function testsApartOf(name) {
  const { incomplete } = await orderOf(name, workers[0]);
  const together = testsTogetherOf(name);
  return testsOf(name).filter((file) => !together.includes(file) || incomplete.includes(file));
}

const files = filesUnder(values.under);
const all = files.flatMap(changesOf);
const chosen = draw(all, Number(values.count), Number(values.seed));
const names = new Set(all.map(({ name }) => name));
for (const name of values.under === "" ? EQUAL.keys() : []) {
  if (!names.has(name))
    throw new Error(`mutants/equal.mjs lists what is no change any more: ${name}`);
}
console.log(
  `Node ${process.version}, ${chosen.length} of ${all.length} changes of ${files.length} files, seed ${values.seed}`,
);

const log = join(FOLDER, `seed-${values.seed}.jsonl`);
mkdirSync(FOLDER, { recursive: true });
const known = new Map();
if (values.resume && existsSync(log)) {
  for (const line of readFileSync(log, "utf8").trimEnd().split("\n")) {
    const { change, result } = JSON.parse(line);
    known.set(change, result);
  }
} else rmSync(log, { force: true });

const counts = new Map();
function count(change, result) {
  const folder = folderOf(change.file);
  if (!counts.has(folder)) counts.set(folder, {});
  const own = counts.get(folder);
  own[result] = (own[result] ?? 0) + 1;
}

function record(change, answer, start) {
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  const line = { change: change.name, ...answer, seconds };
  appendFileSync(log, `${JSON.stringify(line)}\n`);
  count(change, answer.result);
}

const left = [];
const queue = chosen.values();

async function tryAll(worker) {
  for (const change of queue) {
    const before = EQUAL.has(change.name) ? "equal" : known.get(change.name);
    const start = performance.now();
    if (before !== undefined && before !== "not found") count(change, before);
    else {
      const answer = await tryHere(change, worker, "first");
      if (answer.result === "not found") {
        left.push(change);
        console.log(`tried first: ${change.name}`);
      } else record(change, answer, start);
    }
  }
}

try {
  await Promise.all(workers.map(tryAll));
  for (const change of left) {
    const start = performance.now();
    const answer = await tryRest(change);
    record(change, answer, start);
    if (answer.result === "not found") console.log(`not found: ${change.name}`);
  }
} finally {
  for (const worker of workers) worker.stop();
  if (tree !== undefined) rmSync(tree, { recursive: true, force: true });
}
const sum = { found: 0, "not found": 0 };
for (const [folder, own] of [...counts].toSorted()) {
  for (const what of Object.keys(sum)) sum[what] += own[what] ?? 0;
  const parts = Object.entries(own).toSorted();
  console.log(`${folder}: ${parts.map(([what, number]) => `${number} ${what}`).join(", ")}`);
}
const tried = sum.found + sum["not found"];
console.log(
  `${sum.found} of ${tried} found (${((100 * sum.found) / Math.max(1, tried)).toFixed(1)} %)`,
);
process.exitCode = sum["not found"] === 0 ? 0 : 1;
