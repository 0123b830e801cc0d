// Runs a proof: `npm run proof NAME`. README.md says what each proves.
import { runByName } from "../../tools/run-by-name.mjs";

const vitest = (names) => [`vitest run --config test/proofs/vitest.config.ts ${names}`];
const node = (file) => [`node test/proofs/${file}.mjs`];

const PROOFS = {
  suite: ["URLMILL_LONG=1 vitest run --testTimeout 240000"],
  repeats: ["URLMILL_LONG=2 vitest run --testTimeout 3600000"],
  corpus: vitest("corpus"),
  fuzz: vitest("fuzz"),
  formats: ["URLMILL_LONG=2 vitest run test/formats --testTimeout 3600000"],
  options: vitest("options"),
  plans: node("plans"),
  reasons: vitest("reasons"),
  large: vitest("large"),
  stores: vitest("stores"),
  seen: [
    ...vitest("seen"),
    "URLMILL_LONG=1 URLMILL_POWER_STATES=1 URLMILL_FAULTS=300 URLMILL_FLIP_STEP=61 vitest run --testTimeout 3600000 test/seen/disk",
  ],
  "full-disk": ["unshare -rm node test/proofs/full-disk.mjs"],
  memory: [...node("memory"), ...node("beyond-memory")],
  cdx: node("cdx"),
  open: node("open-journal"),
  billion: node("billion"),
  streams: [...node("streams-interrupts"), ...node("streams")],
  lines: node("lines"),
  interleavings: ["URLMILL_SEEDS=20000 vitest run test/cli/interleavings.test.ts"],
  parquet: node("parquet"),
  scalar: ["vitest run --config test/proofs/scalar.config.ts", ...vitest("proofs/scalar.proof")],
  aliases: node("aliases"),
  learn: node("learn"),
  "learn-quality": ["tsc -p test/proofs/learn-quality", "node build/learn-quality/main.js"],
  "learn-thresholds": vitest("thresholds"),
  bundlers: vitest("bundle install"),
  runtimes: ["node test/proofs/runtimes/main.mjs"],
  playground: vitest("playground"),
  site: vitest("proofs/site.proof"),
  hosts: vitest("proofs/hosts.proof"),
  nodes: node("nodes"),
  arm64: node("arm64"),
  musl: node("musl"),
  skips: node("skips"),
  mutants: node("mutants"),
  smoke: node("smoke"),
  unicode: node("unicode"),
  tasks: vitest("tasks"),
  reproducible: node("reproducible"),
  recipes: node("recipes/main"),
};

runByName("proof", PROOFS, process.argv.slice(2));
