// Changes the kernel in one place after the other, and counts the changes that the suites find.
// `npm run proof mutants`
//
//   -- --count N      changes that are tried (60)
//   -- --seed N       which of all (1)
//   -- --under PATH   only files of this folder of assembly/, or this file
//
// A change that compiles to the same module is left out. One that is not found is printed: a test is missing, or the
// change is of speed alone.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyTree, ROOT } from "./copy-tree.mjs";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    under: { type: "string", default: "" },
  },
});

/** The module that each folder is compiled to, and the suites that run it. All other files are of the kernel. */
const KERNEL = {
  target: "release",
  wasm: "kernel",
  entry: "assembly/index.ts",
  suites: ["kernel", "engine", "spec", "rules", "aliases", "differential"],
};
const MODULES = {
  records: { target: "scanner", wasm: "scanner", suites: ["formats"] },
  pages: { target: "pages", wasm: "pages", suites: ["parquet"] },
  lists: { target: "lists", wasm: "lists", suites: ["cli"] },
  disk: { target: "disk", wasm: "disk", suites: ["seen/disk"] },
  sort: { target: "sort", wasm: "sort", suites: ["cdx"] },
};
/** A run that takes longer does not end: the change is found. */
const LONGEST = 15 * 60_000;

/** What becomes what. Each stands between spaces, so that the brackets of types are left alone. */
const OPERATORS = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "+",
  "&": "|",
  "|": "&",
  "^": "|",
  "<<": ">>",
  ">>": "<<",
};

/** Returns the source with spaces for comments, texts and lines that hold no code to change. */
function maskedOf(source) {
  const blank = (text) => text.replaceAll(/[^\n]/g, " ");
  return source
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"[^"\n]*"/g, blank)
    .replaceAll(/^(?:import|export \{|@)[\s\S]*?;$/gm, blank)
    .replaceAll(/^.*memory\.data\(.*$/gm, blank);
}

/** Lists the changes of a file: where they begin and end, and what comes there. */
function changesOf(file) {
  const source = readFileSync(join(ROOT, file), "utf8");
  const masked = maskedOf(source);
  const changes = [];
  const add = (start, text, to) =>
    changes.push({ file, source, start, end: start + text.length, to });
  for (const { 1: text, index } of masked.matchAll(
    /(?<= )([=!]==|[<>]=?|&&|\|\||[-+*&|^]|<<|>>)(?= )/g,
  )) {
    add(index, text, OPERATORS[text]);
  }
  for (const { 0: text, index } of masked.matchAll(/(?<![\w.])(?:0x[\da-f]+|\d+)(?![\w.])/g)) {
    const next = BigInt(text) + 1n;
    add(index, text, text.startsWith("0x") ? `0x${next.toString(16)}` : `${next}`);
  }
  for (const { 1: text, index } of masked.matchAll(
    /(?<=\n {2,})([\w.]+(?:<\w+>)?\([^;\n]*\);)(?=\n)/g,
  )) {
    add(index, text, "");
  }
  return changes;
}

/** Returns a generator of whole numbers below a limit (mulberry32). */
function randomBelow(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

function draw(all, count, seed) {
  const below = randomBelow(seed);
  const left = [...all];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(below(left.length), 1)[0],
  );
}

const moduleOf = (file) => {
  const folder = file.split("/")[1];
  const own = MODULES[folder];
  return own === undefined ? KERNEL : { entry: `assembly/${folder}/index.ts`, ...own };
};

const tree = copyTree("mutants");
const run = (command, args, more = {}) =>
  spawnSync(command, args, { cwd: tree, encoding: "utf8", killSignal: "SIGKILL", ...more });
const asc = (own) =>
  run(process.execPath, [
    "node_modules/assemblyscript/bin/asc.js",
    own.entry,
    "--config",
    "asconfig.json",
    "--target",
    own.target,
  ]);
const wasmOf = (own) => readFileSync(join(tree, `build/${own.wasm}.wasm`));

/** Says what became of a change: "found", "not found", "the same module" or "does not compile". */
function tryChange({ file, source, start, end, to }) {
  const own = moduleOf(file);
  const before = wasmOf(own);
  writeFileSync(join(tree, file), source.slice(0, start) + to + source.slice(end));
  try {
    if (asc(own).status !== 0) return "does not compile";
    if (wasmOf(own).equals(before)) return "the same module";
    run(process.execPath, ["tools/embed-kernel.mjs"]);
    const suites = own.suites.map((suite) => `test/${suite}`);
    const vitest = [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--bail",
      "1",
      "--reporter",
      "dot",
      ...suites,
    ];
    return run(process.execPath, vitest, { timeout: LONGEST }).status === 0 ? "not found" : "found";
  } finally {
    writeFileSync(join(tree, file), source);
    writeFileSync(join(tree, `build/${own.wasm}.wasm`), before);
  }
}

function describe({ file, source, start, end, to }) {
  const lines = source.slice(0, start).split("\n");
  const line = source.split("\n")[lines.length - 1].trim();
  return `${file}:${lines.length} ${source.slice(start, end)} → ${to || "(nothing)"} in: ${line}`;
}

const files = readdirSync(join(ROOT, "assembly"), { recursive: true, encoding: "utf8" })
  .map((name) => `assembly/${name.replaceAll("\\", "/")}`)
  .filter((file) => file.endsWith(".ts") && !file.includes(".generated."))
  .filter((file) => values.under === "" || `${file}/`.startsWith(`assembly/${values.under}/`));
const all = files.flatMap(changesOf);
const chosen = draw(all, Number(values.count), Number(values.seed));
console.log(
  `Node ${process.version}, ${chosen.length} of ${all.length} changes of ${files.length} files, seed ${values.seed}`,
);

const counts = new Map();
try {
  if (run("npm", ["run", "build"]).status !== 0) throw new Error("the kernel does not build");
  for (const change of chosen) {
    const result = tryChange(change);
    const folder = change.file.split("/").slice(1, -1).join("/") || "(root)";
    const own = counts.get(folder) ?? {
      found: 0,
      "not found": 0,
      "the same module": 0,
      "does not compile": 0,
    };
    own[result]++;
    counts.set(folder, own);
    if (result === "not found") console.log(`not found: ${describe(change)}`);
  }
} finally {
  rmSync(tree, { recursive: true, force: true });
}
const sum = { found: 0, "not found": 0 };
for (const [folder, own] of [...counts].toSorted()) {
  sum.found += own.found;
  sum["not found"] += own["not found"];
  console.log(
    `${folder}: ${Object.entries(own)
      .map(([what, count]) => `${count} ${what}`)
      .join(", ")}`,
  );
}
const tried = sum.found + sum["not found"];
console.log(
  `${sum.found} of ${tried} found (${((100 * sum.found) / Math.max(1, tried)).toFixed(1)} %)`,
);
process.exitCode = sum["not found"] === 0 ? 0 : 1;
