// Parsers of URLs against urlmill, on strings and on lines, on one core. It compares what they write before it takes a time:
// if two of the same form differ in a byte, it lists where and ends with 1. `npm run bench parsers`
//
//   -- --corpus FILE   gzip of URLs in UTF-8, one a line (test/fixtures/urls-50k.txt.gz)
//   -- --rounds N      processes of each contestant, interleaved; the median counts (3)
//   -- --differ        take the times although outputs differ
//
// It builds the contestants of parsers/ in build/parsers, of the versions below and in Cargo.lock and go.mod, and says which it
// leaves out and why. They need a compiler of C++20 (CXX names another than c++), cargo, go, npm, and python3 with pip (PYTHON
// names another).
//
// Each contestant is a program with the last arguments WAY LIST ROUNDS [OUT]. WAY is `strings` (each URL and each result is a
// string of its own), `lines` (the text is split, and results go to one buffer) or ada's `can_parse`, which writes none. It
// warms up for half a second, runs ROUNDS times on LIST in memory, and prints the nanoseconds a URL of the best round and of
// the median. It writes results to OUT, one a line; that of a refused URL is empty.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { differences } from "./differences.mjs";

const VERSIONS = { ada_url: "4.0.0", can_ada: "3.0.0", bun: "1.4.5" };
const ROUNDS_OF_PROCESS = 9;
const SHOWN_DIFFERENCES = 20;

const { values } = parseArgs({
  options: {
    corpus: { type: "string", default: "test/fixtures/urls-50k.txt.gz" },
    rounds: { type: "string", default: "3" },
    differ: { type: "boolean", default: false },
  },
});
const sources = join(import.meta.dirname, "parsers");
const sourceOf = (name) => join(sources, name);
const builtOf = (name) => join("build/parsers", name);
const list = builtOf("list.txt");
const python = process.env.PYTHON ?? "python3";
const bunFolder = builtOf(`bun-${VERSIONS.bun}`);
const canAdaFolder = builtOf(`can_ada-${VERSIONS.can_ada}-wheel`);
const env = { ...process.env, PYTHONPATH: canAdaFolder };

/** Runs a command, and returns what it prints. Throws with its last complaint if it fails. */
function run([program, ...args], cwd) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    encoding: "utf8",
    env,
    cwd,
  });
  if (error) throw new Error(`${program}: ${error.message}`);
  if (status !== 0)
    throw new Error(`${program} ended with ${status}: ${stderr.trim().slice(-300)}`);
  return stdout.trim();
}

/** Unpacks the sources of a package of PyPI, and returns their folder. */
function unpack(name) {
  const folder = builtOf(`${name}-${VERSIONS[name]}`);
  if (!existsSync(folder)) {
    const wanted = `${name}==${VERSIONS[name]}`;
    const target = ["-q", "--no-deps", "--no-binary", name, "-d", builtOf("")];
    run([python, "-m", "pip", "download", ...target, wanted]);
    run(["tar", "-xzf", `${folder}.tar.gz`, "-C", builtOf("")]);
  }
  return folder;
}

const find = (file, pattern) => pattern.exec(readFileSync(file, "utf8"))[1];
const adaOf = (folder) => find(join(folder, "ada.h"), /define ADA_VERSION "(.+)"/);

/** Builds the program of ada, which is in the sources of its Python package. */
function buildAda() {
  const ada = join(unpack("ada_url"), "ada_url");
  const program = builtOf("ada");
  const flags = ["-std=c++20", "-O3", "-DNDEBUG", "-DADA_INCLUDE_URL_PATTERN=0", "-I", ada];
  const files = [sourceOf("ada.cpp"), join(ada, "ada.cpp")];
  run([process.env.CXX ?? "c++", ...flags, ...files, "-o", program]);
  return { version: adaOf(ada), command: [program] };
}

function buildCrate(name) {
  const target = ["--target-dir", builtOf("rust"), "--manifest-path", sourceOf("Cargo.toml")];
  run(["cargo", "build", "--quiet", "--release", "--locked", ...target]);
  const version = find(sourceOf("Cargo.lock"), RegExp(`name = "${name}"\nversion = "(.+)"`));
  return { version, command: [builtOf("rust/release/parsers"), name] };
}

function installBun() {
  const bun = join(bunFolder, "node_modules/.bin/bun");
  const wanted = `bun@${VERSIONS.bun}`;
  if (!existsSync(bun)) run(["npm", "install", "--no-save", "--prefix", bunFolder, wanted]);
  return { version: run([bun, "--version"]), command: [bun, sourceOf("url.mjs"), "URL"] };
}

function installCanAda() {
  const wanted = `can_ada==${VERSIONS.can_ada}`;
  const target = ["-q", "--no-deps", "--target", canAdaFolder];
  if (!existsSync(canAdaFolder)) run([python, "-m", "pip", "install", ...target, wanted]);
  const version = `${VERSIONS.can_ada} (ada ${adaOf(join(unpack("can_ada"), "src"))})`;
  return { version, command: [python, sourceOf("can-ada.py")] };
}

function buildPurell() {
  const program = join(process.cwd(), builtOf("purell"));
  // Go takes no folder that has C++ as well.
  run(["go", "build", "-o", program, "main.go"], sources);
  return { version: find(sourceOf("go.mod"), /purell v(\S+)/), command: [program] };
}

const node = (peer) => [process.execPath, sourceOf("url.mjs"), peer];
const urlmill = (engine) => ({
  name: `urlmill, ${engine}`,
  form: "urlmill safe",
  prepare: () => ({
    version: run([process.execPath, "dist/cli/main.js", "--version"]),
    command: node(engine),
  }),
});
const WHATWG = [
  { name: "ada, C++", prepare: buildAda, ways: ["can_parse", "strings", "lines"] },
  { name: "crate ada-url", prepare: () => buildCrate("ada-url") },
  { name: "crate url", prepare: () => buildCrate("url") },
  {
    name: "Node, new URL()",
    prepare: () => ({
      version: `${process.versions.node} (ada ${process.versions.ada})`,
      command: node("URL"),
    }),
  },
  { name: "Bun, new URL()", prepare: installBun },
  { name: "can_ada, Python", prepare: installCanAda },
].map((peer) => ({ ...peer, form: "WHATWG href" }));
const PEERS = [
  urlmill("wasm"),
  urlmill("js"),
  ...WHATWG,
  { name: "purell, FlagsSafe", form: "purell", prepare: buildPurell },
];

/** Writes the list with an end to each line. Throws if it is not UTF-8, which parsers read in different ways. */
function writeList() {
  const bytes = gunzipSync(readFileSync(values.corpus));
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  writeFileSync(list, text.endsWith("\n") ? text : `${text}\n`);
  return text.trimEnd().split("\n");
}

/** Returns a row for each way of each contestant that is here, and says which are left out. */
function prepareRows() {
  return PEERS.flatMap(({ name, form, prepare, ways = ["strings", "lines"] }) => {
    try {
      const { version, command } = prepare();
      return ways.map((way) => ({ name, form, version, way, command, best: [], median: [] }));
    } catch (error) {
      console.log(`${name}: left out. ${error.message}`);
      return [];
    }
  });
}

/** Returns the result of each line, as bytes in latin1. */
function outputOf({ command, way }) {
  const out = builtOf("out.txt");
  run([...command, way, list, "1", out]);
  return readFileSync(out, "latin1").split("\n");
}

/** Returns the outputs of contestants by name. A way of which the output is not that of the first way has its own. */
function outputsOf(rows) {
  const outputs = {};
  for (const row of rows) {
    const output = outputOf(row);
    outputs[row.name] ??= output;
    if (differences({ first: outputs[row.name], output }).length > 0) {
      outputs[`${row.name}, ${row.way}`] = output;
    }
  }
  return outputs;
}

/** Compares the outputs of each form. Returns the number of lines that differ. */
function compare(rows, urls) {
  let count = 0;
  for (const form of new Set(rows.map((row) => row.form))) {
    const outputs = outputsOf(rows.filter((row) => row.form === form && row.way !== "can_parse"));
    const found = differences(outputs);
    count += found.length;
    console.log(`${form}: ${found.length} lines differ between ${Object.keys(outputs).join("; ")}`);
    for (const { line, results } of found.slice(0, SHOWN_DIFFERENCES)) {
      console.log(`  line ${line}: ${JSON.stringify(urls[line - 1])}`);
      for (const [result, names] of results) {
        console.log(`    ${JSON.stringify(result)}: ${names.join("; ")}`);
      }
    }
  }
  return count;
}

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

function takeTimes(rows) {
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const row of rows) {
      const printed = run([...row.command, row.way, list, String(ROUNDS_OF_PROCESS)]);
      const [best, median] = printed.split(" ").map(Number);
      row.best.push(best);
      row.median.push(median);
    }
  }
}

/** Prints the table as Markdown. Ratios are to the best and to the median of urlmill's first row of the same way. */
function print(rows) {
  console.log("\n| peer | version | way | best, ns | / urlmill | median, ns | / urlmill |");
  console.log("|---|---|---|---:|---:|---:|---:|");
  const timesOf = ({ best, median }) => [Math.min(...best), middle(median)];
  for (const row of rows) {
    const ours = rows.find(({ way }) => way === (row.way === "lines" ? "lines" : "strings"));
    const times = timesOf(row).map((time, at) => [
      time.toFixed(0),
      (time / timesOf(ours)[at]).toFixed(2),
    ]);
    console.log(`| ${[row.name, row.version, row.way, ...times.flat()].join(" | ")} |`);
  }
}

mkdirSync(builtOf(""), { recursive: true });
const urls = writeList();
const rows = prepareRows();
const count = compare(rows, urls);
if (count > 0 && !values.differ) {
  console.log("The race stops: it takes no times of results that differ. --differ takes them.");
  process.exitCode = 1;
} else {
  takeTimes(rows);
  const machine = `${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}`;
  console.log(
    `${new Date().toISOString().slice(0, 10)}, ${machine}, ${urls.length} URLs of ${values.corpus}`,
  );
  print(rows);
}
