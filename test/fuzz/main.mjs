// Fuzzes a part of urlmill by Jazzer.js: `npm run fuzz NAME -- --seconds 60`
//
//   -- --seconds N    how long (60)
//   -- --corpus PATH  where inputs are kept that reached something new (build/fuzz/corpus/NAME)
//   -- --coverage     runs the corpus once, and prints how much of assembly/ it reaches
//   -- --build        builds the target and writes its seeds, and runs nothing
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
const [name] = positionals;
if (!NAMES.includes(name)) {
  console.error(`npm run fuzz NAME: ${NAMES.join(", ")}`);
  process.exit(2);
}

run(process.execPath, [
  ...["node_modules/assemblyscript/bin/asc.js", "assembly/index.ts"],
  ...[
    "--config",
    "asconfig.json",
    "--target",
    "fuzz",
    "--transform",
    "./test/fuzz/count-edges.mjs",
  ],
]);
await build({
  entryPoints: [`test/fuzz/targets/${name}.ts`, "test/fuzz/seeds.ts", "test/fuzz/kernel.ts"],
  outdir: "build/fuzz",
  outbase: "test/fuzz",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  define: { "import.meta.url": "__url" },
  banner: { js: 'const __url = require("node:url").pathToFileURL(__filename).href;' },
  packages: "external",
  logLevel: "error",
});
const target = resolve(`build/fuzz/targets/${name}.cjs`);
const corpus = resolve(values.corpus ?? `build/fuzz/corpus/${name}`);
const require = createRequire(import.meta.url);
if (!existsSync(corpus)) {
  mkdirSync(corpus, { recursive: true });
  const seeds = require(resolve("build/fuzz/seeds.cjs")).SEEDS_OF[name]();
  for (const [at, seed] of seeds.entries()) writeFileSync(join(corpus, `seed-${at}`), seed);
}
if (values.coverage) printCoverage();
else if (!values.build) fuzz();

function fuzz() {
  const jazzer = require.resolve("@jazzer.js/core").replace(/core\.js$/, "cli.js");
  const args = [jazzer, target, corpus, "--sync", "--includes", "build/fuzz/targets"];
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
function printCoverage() {
  const { fuzz: tryInput, reached, PLACES } = require(target);
  if (reached === undefined) return console.log(`${name} does not run the kernel`);
  for (const file of readdirSync(corpus)) tryInput(readFileSync(join(corpus, file)));
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
