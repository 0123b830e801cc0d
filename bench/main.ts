import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Bench } from "tinybench";
import { contestants } from "./contestants.ts";
import { readCorpus } from "./corpus.ts";

const ROUNDS = 9;
const REFERENCE = "new URL().href";

/** The median time of each contestant over rounds in which each runs once, in turn. */
async function measure(bench: Bench): Promise<Map<string, number>> {
  const samples = new Map<string, number[]>(bench.tasks.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const task of await bench.run()) {
      if (task.result.state !== "completed") throw new Error(`${task.name}: ${task.result.state}`);
      if (round > 0) samples.get(task.name)?.push(task.result.latency.mean);
    }
    bench.reset();
  }
  return new Map([...samples].map(([name, times]) => [name, median(times)]));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

const { values } = parseArgs({ options: { corpus: { type: "string" } } });
const corpus = readCorpus(values.corpus);
const bench = new Bench({ iterations: 1, time: 0, warmup: false });
for (const { name, run } of contestants(corpus)) bench.add(name, run);
const times = await measure(bench);
const reference = times.get(REFERENCE) as number;

console.log(
  `${corpus.urls.length} URLs of ${corpus.name}, ${(corpus.bytes.length / corpus.urls.length).toFixed(1)} bytes each with LF`,
);
console.log(
  `Node ${process.version}, ${cpus()[0]?.model.trim()}, median of ${ROUNDS} interleaved rounds\n`,
);
console.log("| | ns per URL | URLs per second | GB/s | times new URL() |");
console.log("|---|---:|---:|---:|---:|");
for (const [name, milliseconds] of times) {
  const nanoseconds = (milliseconds * 1e6) / corpus.urls.length;
  const perSecond = Math.round((corpus.urls.length / milliseconds) * 1e3).toLocaleString("en");
  const gigabytes = (corpus.bytes.length / milliseconds / 1e6).toFixed(2);
  const ratio = (reference / milliseconds).toFixed(2);
  console.log(`| ${name} | ${nanoseconds.toFixed(0)} | ${perSecond} | ${gigabytes} | ${ratio} |`);
}
