// Fuzzes a part of urlmill by Jazzer.js: `npm run fuzz NAME -- --seconds 60`
//
//   -- --seconds N    how long (60)
//   -- --corpus PATH  where inputs are kept that reached something new (build/fuzz/corpus/NAME)
//   -- --coverage     runs the corpus once, and prints how much of assembly/ it reaches
//   -- --build        builds the target and writes its seeds, and runs nothing
//
// Inputs that are files are written to TMPDIR: a folder in memory, such as /dev/shm, takes more of them in a second.
//
// The kernel is compiled so that it counts the places it reaches (count-edges.mjs), and these counts steer the fuzzer.
// Jazzer.js needs glibc 2.38; where the system's is older, LOADER names another: the file ld-linux-x86-64.so.2 beside
// which that library is.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
const NAMES = readdirSync("test/fuzz/targets").map((file) => file.replace(/\.ts$/, ""));
const { values, positionals } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    corpus: { type: "string" },
    coverage: { type: "boolean", default: false },
    build: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
/**
 * The modules of assembly/: the export by which an instance is known, and the constant in which a source file holds it for
 * Node. The kernel alone is read from its file.
 */
const MODULES = {
  kernel: { name: "kernel", entry: "index", mark: "loadPlan" },
  scanner: { name: "scanner", entry: "records/index", mark: "SCANNER_VERSION", held: "SCANNER" },
  pages: { name: "pages", entry: "pages/index", mark: "PAGES_VERSION", held: "PAGE_KERNEL" },
  disk: { name: "disk", entry: "disk/index", mark: "DISK_VERSION", held: "DISK_KERNEL" },
};

/** The module whose places steer each target. Archives, journals and manifests are read by JavaScript alone. */
const COUNTED = {
  ...{ urls: "kernel", keys: "kernel", rules: "kernel", aliases: "kernel", plan: "kernel" },
  ...{ records: "scanner", csv: "scanner", parquet: "pages", sets: "disk" },
  ...{ warc: null, journal: null, manifests: null },
};

/** Node's functions for files, as src/base/peer.ts has them. What is in their place is in test/fuzz/files.ts. */
const FILES = /^export const files = .*$/m;

/**
 * What is in the place of the lock of a set: no other process opens the sets of a target, and to start the program flock would
 * take most of the time.
 */
const NO_LOCK = `const lock = { check: async () => {}, release: async () => {} };
export const lockDirectory = async () => lock;
export const lockToRead = async () => lock;`;

/**
 * The regions of a set on disk, as fuzzing has them: less memory is quicker to make and to collect, and what takes thousands of
 * rows to fill is filled by a few. Each is what is in the source, and what is in its place.
 */
const SMALL_REGIONS = [
  ["WINDOW = 1 << 20", "WINDOW = 1 << 14"],
  ["BATCH = 1 << 16", "BATCH = 1 << 10"],
  ["LEAST_MEMORY = 1 << 24", "LEAST_MEMORY = 1 << 20"],
  ["INDEX = 1 << 22", "INDEX = 1 << 16"],
  ["take(1 << 22)", "take(1 << 18)"],
];

/** The targets that wait for files or sets. */
const ASYNC = ["keys", "parquet", "journal", "sets", "manifests"];

const [name] = positionals;
if (!NAMES.includes(name)) {
  console.error(`npm run fuzz NAME: ${NAMES.join(", ")}`);
  process.exit(2);
}

const counted = COUNTED[name];
if (counted !== null) {
  const { entry, name: module } = MODULES[counted];
  process.env.PLACES = module;
  run(process.execPath, [
    ...["node_modules/assemblyscript/bin/asc.js", `assembly/${entry}.ts`],
    ...["--config", "asconfig.json", "--target", "fuzz"],
    ...["--outFile", `build/fuzz/${module}.wasm`, "--transform", "./test/fuzz/count-edges.mjs"],
  ]);
}
await build({
  entryPoints: [`test/fuzz/targets/${name}.ts`, "test/fuzz/seeds.ts"],
  outdir: "build/fuzz",
  outbase: "test/fuzz",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  define: {
    "import.meta.url": "__url",
    ...(counted === null ? {} : { COUNTED: JSON.stringify(MODULES[counted]) }),
  },
  plugins: [
    { name: "counted", setup: takeCounted },
    { name: "quicker", setup: makeQuicker },
  ],
  banner: { js: 'const __url = require("node:url").pathToFileURL(__filename).href;' },
  packages: "external",
  logLevel: "error",
});
const target = resolve(`build/fuzz/targets/${name}.cjs`);
const corpus = resolve(values.corpus ?? `build/fuzz/corpus/${name}`);
const require = createRequire(import.meta.url);
if (!existsSync(corpus)) {
  const seeds = require(resolve("build/fuzz/seeds.cjs")).SEEDS_OF[name]();
  mkdirSync(corpus, { recursive: true });
  for (const [at, seed] of seeds.entries()) writeFileSync(join(corpus, `seed-${at}`), seed);
}
if (values.coverage) await printCoverage();
else if (!values.build) fuzz();

/** Puts the counting module in the place of the one that is built. */
function takeCounted({ onLoad }) {
  onLoad({ filter: /\.generated\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, "utf8");
    const { name: module, held } = MODULES[counted] ?? {};
    if (held === undefined || !text.includes(`export const ${held}:`)) return null;
    const bytes = brotliCompressSync(readFileSync(`build/fuzz/${module}.wasm`)).toString("base64");
    return { contents: `export const ${held} = "${bytes}";`, loader: "ts" };
  });
}

/** Puts what is quicker in the place of locks, of files and of the regions of sets on disk. */
function makeQuicker({ onLoad }) {
  const change = (name, changed) =>
    onLoad({ filter: new RegExp(`[\\\\/]${name}$`) }, ({ path }) => ({
      contents: changed(readFileSync(path, "utf8")),
      loader: "ts",
    }));
  change("folder/lock.ts", () => NO_LOCK);
  change("base/peer.ts", (text) =>
    replaced(
      text,
      FILES,
      `export { files } from ${JSON.stringify(resolve("test/fuzz/files.ts"))};`,
    ),
  );
  change("memory-plan.ts", (text) =>
    SMALL_REGIONS.reduce((all, [from, to]) => replaced(all, from, to), text),
  );
}

/** Returns a text with a part replaced, which must be there. */
function replaced(text, from, to) {
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`there is no ${from}`);
  return changed;
}

function fuzz() {
  const jazzer = require.resolve("@jazzer.js/core").replace(/core\.js$/, "cli.js");
  const args = [
    jazzer,
    target,
    corpus,
    ...(ASYNC.includes(name) ? [] : ["--sync"]),
    ...["--disableBugDetectors", ".*"],
    "--includes",
    "build/fuzz/targets",
  ];
  const limits = [
    "--",
    `-max_total_time=${values.seconds}`,
    "-max_len=8192",
    "-timeout=20",
    "-rss_limit_mb=4096",
  ];
  const { LOADER } = process.env;
  const node = LOADER === undefined ? [] : ["--library-path", dirname(LOADER), process.execPath];
  run(LOADER ?? process.execPath, [...node, ...args, ...limits, "-artifact_prefix=build/fuzz/"]);
}

/** Runs each input of the corpus once. */
async function printCoverage() {
  const { fuzz: tryInput, reached, PLACES } = require(target);
  if (reached === undefined) return console.log(`${name} does not run the kernel`);
  for (const file of readdirSync(corpus)) await tryInput(readFileSync(join(corpus, file)));
  const folders = new Map();
  for (const [place, where] of PLACES.entries()) {
    const folder = dirname(where.split(":")[0]);
    const [hit = 0, all = 0] = folders.get(folder) ?? [];
    folders.set(folder, [hit + reached[place], all + 1]);
  }
  const rows = [...folders].toSorted();
  for (const [folder, [hit, all]] of rows) console.log(`${folder}: ${hit} of ${all} places`);
  const [hit, all] = rows.reduce(([a, b], [, [c, d]]) => [a + c, b + d], [0, 0]);
  console.log(
    `${readdirSync(corpus).length} inputs reach ${hit} of ${all} places (${((100 * hit) / all).toFixed(1)} %)`,
  );
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
