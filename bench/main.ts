// The whole table, a JSON file beside it, and --check against the ratios that were committed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { readCorpus } from "./corpus.ts";
import { functions } from "./functions/index.ts";
import { measure, type Times } from "./measure.ts";
import type { Path } from "./path.ts";
import { paths } from "./paths/index.ts";

/** How far a ratio may fall below the committed one. */
const TOLERANCE = 0.85;
const RATIOS = new URL("../../bench/ratios.json", import.meta.url);

const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    json: { type: "string", default: "build/bench.json" },
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "9" },
    check: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    functions: { type: "boolean", default: false },
  },
});
const corpus = readCorpus(values.corpus);
const rounds = Number(values.rounds);
const node = process.versions.node.split(".")[0] as string;

/** The time of the watched peer over ours. */
function ratioOf({ contestants, reference }: Path, times: Times): number {
  return (times.get(reference) as number) / (times.get(contestants[0]?.name as string) as number);
}

console.log(
  `${corpus.urls.length} URLs of ${corpus.name}, ${(corpus.bytes.length / corpus.urls.length).toFixed(1)} bytes each with LF`,
);
console.log(
  `Node ${process.version}, ${cpus()[0]?.model.trim()}, one core, median of ${rounds} interleaved rounds\n`,
);
console.log("| path | urlmill wasm | urlmill js | peer | x peer | asked |");
console.log("|---|---:|---:|---:|---:|---:|");
const results: { path: Path; times: Times }[] = [];
for (const make of values.functions ? functions : paths) {
  const path = make(corpus);
  if (!path.name.includes(values.only)) continue;
  const times = await measure(path, rounds);
  results.push({ path, times });
  const [wasm, js] = [...times.values()];
  const peer = `${path.reference} ${times.get(path.reference)?.toFixed(0)}`;
  const ratio = ratioOf(path, times).toFixed(2);
  console.log(
    `| ${path.name} | ${wasm?.toFixed(0)} | ${js?.toFixed(0)} | ${peer} | ${ratio} | ${path.target.toFixed(2)} |`,
  );
}
console.log();
for (const { path, times } of results) {
  const others = [...times].slice(2).filter(([name]) => name !== path.reference);
  const also = others.map(([name, time]) => `; ${name} ${time.toFixed(0)}`).join("");
  console.log(`- ${path.name}: ${path.note}${also}.`);
}

const ratios = Object.fromEntries(
  results.map(({ path, times }) => [path.name, Number(ratioOf(path, times).toFixed(3))]),
);
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(
  values.json,
  `${JSON.stringify(
    {
      node: process.version,
      cpu: cpus()[0]?.model,
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
    ([name, ratio]) => ratio < TOLERANCE * (committed[name] ?? 0),
  );
  for (const [name, ratio] of fallen) {
    console.error(`${name}: ${ratio.toFixed(2)}, was ${committed[name]?.toFixed(2)}`);
  }
  if (fallen.length > 0) process.exitCode = 1;
  else console.log(`\nNo ratio fell by more than ${Math.round(100 * (1 - TOLERANCE))} %.`);
}
