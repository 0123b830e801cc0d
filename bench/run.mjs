// Runs a benchmark: `npm run bench NAME`; the table, if no name is given. CONTRIBUTING.md says what each measures.
import { runByName } from "../tools/run-by-name.mjs";

const built = (file) => [`node build/bench/${file}.js`];

const BENCHMARKS = {
  table: built("main"),
  check: ["node build/bench/main.js --check"],
  into: built("into"),
  pool: built("pool"),
  seen: ["node --expose-gc build/bench/seen.js"],
  rules: built("rules"),
  load: built("load"),
  browser: ["node bench/browser/main.mjs"],
  peers: ["node bench/peers/main.mjs"],
  formats: ["node bench/peers/formats.mjs"],
  keys: ["node bench/peers/keys.mjs"],
  parsers: ["node bench/peers/parsers.mjs"],
  compare: built("compare-keys"),
  lists: [
    "rolldown bench/lists.mjs --dir build/bench/lists --platform node --format esm --log-level warn",
    "node build/bench/lists/lists.js",
  ],
};

const args = process.argv.slice(2);
const isNamed = args[0] !== undefined && !args[0].startsWith("-");
runByName("bench", BENCHMARKS, isNamed ? args : ["table", ...args]);
