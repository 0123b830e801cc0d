// Measures what a result in memory of the caller saves. Prints nanoseconds a URL with new memory and with `into`, and
// their ratio, the median of nine interleaved rounds. `npm run bench into`
import { createNormalizer } from "urlmill";
import { readCorpus } from "./corpus.ts";

const ROUNDS = 9;
const MEGABYTES = [1, 8, 32, 128];
const corpus = readCorpus().urls;

/** Returns lines of the corpus, repeated up to `bytes`. */
function linesOf(bytes: number): Buffer {
  const text = Buffer.from(`${corpus.join("\n")}\n`, "latin1");
  return Buffer.alloc(text.length * Math.ceil(bytes / text.length), text);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

function compare(preset: "safe" | "crawl", megabytes: number): string {
  const lines = linesOf(megabytes << 20);
  const normalizer = createNormalizer({ preset });
  const memories = [undefined, new Uint8Array(2 * lines.length)];
  const times: [number[], number[]] = [[], []];
  let rows = 1;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, into] of memories.entries()) {
      const started = performance.now();
      rows = normalizer.normalizeLines(lines, { into }).lines;
      times[at as 0 | 1].push(performance.now() - started);
    }
  }
  const [fresh, into] = times.map((all) => (1e6 * median(all)) / rows) as [number, number];
  return `${fresh.toFixed(1).padStart(6)} ${into.toFixed(1).padStart(6)} ${(into / fresh).toFixed(2)}`;
}

console.log(`Node ${process.version}; ns a URL: new memory, into, ratio`);
for (const preset of ["safe", "crawl"] as const) {
  for (const megabytes of MEGABYTES) {
    console.log(
      `${preset.padEnd(6)}${String(megabytes).padStart(4)} MB ${compare(preset, megabytes)}`,
    );
  }
}
