// Prints the whole table, writes it as JSON (for people and for github-action-benchmark), and with --check compares it with the
// committed ratios.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { readCorpus } from "./corpus.ts";
import { functions } from "./functions/index.ts";
import { nodePeers } from "./node-peers.ts";
import { paths } from "./paths/index.ts";
import { printTable, ratioOf } from "./table.ts";

const RATIOS = new URL("../../bench/ratios.json", import.meta.url);

const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    json: { type: "string", default: "build/bench.json" },
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "9" },
    check: { type: "boolean", default: false },
    /** The share of its committed value that a ratio must reach: less on a machine with other work. */
    share: { type: "string", default: "0.85" },
    save: { type: "boolean", default: false },
    functions: { type: "boolean", default: false },
  },
});
const corpus = readCorpus(values.corpus);
const rounds = Number(values.rounds);
const share = Number(values.share);
const node = process.versions.node.split(".")[0] as string;

const cpu = cpus()[0]?.model.trim() ?? "an unknown CPU";
const wanted = values.functions ? functions : paths;
const measured = { corpus, peers: nodePeers, paths: wanted, only: values.only, rounds, cpu };
const results = await printTable(measured, (line) => console.log(line));

const ratios = Object.fromEntries(
  results.map((result) => [result.path.name, Number(ratioOf(result).toFixed(3))]),
);
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(
  values.json,
  `${JSON.stringify(
    {
      node: process.version,
      cpu,
      corpus: corpus.name,
      urls: corpus.urls.length,
      bytes: corpus.bytes.length,
      rounds,
      nanoseconds: Object.fromEntries(
        results.map(({ path, times }) => [path.name, Object.fromEntries(times)]),
      ),
      ratios,
    },
    null,
    2,
  )}\n`,
);

// As github-action-benchmark reads it (customBiggerIsBetter).
const figures = Object.entries(ratios).map(([name, value]) => ({ name, unit: "x", value }));
writeFileSync(values.json.replace(/\.json$/, ".figures.json"), JSON.stringify(figures));

type Ratios = Record<string, Record<string, number>>;
const readRatios = (): Ratios => JSON.parse(readFileSync(RATIOS, "utf8")) as Ratios;

if (values.save) {
  const saved = { ...readRatios(), [node]: ratios };
  writeFileSync(RATIOS, `${JSON.stringify(saved, null, 2)}\n`);
}
if (values.check) {
  const committed = readRatios()[node];
  if (committed === undefined) throw new Error(`bench/ratios.json has no ratios of Node ${node}`);
  const fallen = Object.entries(ratios).filter(
    ([name, ratio]) => ratio < share * (committed[name] ?? 0),
  );
  for (const [name, ratio] of fallen) {
    console.error(`${name}: ${ratio.toFixed(2)}, was ${committed[name]?.toFixed(2)}`);
  }
  if (fallen.length > 0) process.exitCode = 1;
  else console.log(`\nNo ratio fell by more than ${Math.round(100 * (1 - share))} %.`);
}
