// Measures from which size on a pool is worth its messages. Prints the time of the calling thread over that
// of a pool of two threads, the median of nine interleaved rounds. `npm run bench pool`
import { createNormalizer, type EngineChoice } from "urlmill";
import { createPool } from "urlmill/pool";
import { readCorpus } from "./corpus.ts";

const ROUNDS = 9;
const SIZES = [18, 20, 22, 24].map((bits) => 2 ** bits);
const corpus = readCorpus().urls;

/** Returns URLs of the corpus, repeated up to `bytes` of lines. */
function urlsOf(bytes: number): string[] {
  const urls: string[] = [];
  for (let length = 0, at = 0; length < bytes; at++) {
    const url = corpus[at % corpus.length] as string;
    urls.push(url);
    length += url.length + 1;
  }
  return urls;
}

async function time(run: () => unknown): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

async function compare(alone: () => unknown, pooled: () => unknown): Promise<string> {
  const times: { alone: number[]; pooled: number[] } = { alone: [], pooled: [] };
  for (let round = -1; round < ROUNDS; round++) {
    const first = await time(alone);
    const second = await time(pooled);
    if (round < 0) continue;
    times.alone.push(first);
    times.pooled.push(second);
  }
  return (median(times.alone) / median(times.pooled)).toFixed(2).padStart(8);
}

console.log(`Node ${process.version}, preset crawl, calling thread / pool of 2 threads`);
console.log(`${"".padEnd(16)}${SIZES.map((size) => `${size / 1024} KiB`.padStart(8)).join("")}`);
for (const engine of ["wasm", "js"] satisfies EngineChoice[]) {
  const options = { preset: "crawl", engine } as const;
  const normalizer = createNormalizer(options);
  const pool = createPool({ ...options, threads: 2, minBatchBytes: 0 });
  const lines: string[] = [];
  const shared: string[] = [];
  const strings: string[] = [];
  for (const size of SIZES) {
    const urls = urlsOf(size);
    const bytes = Buffer.from(`${urls.join("\n")}\n`, "latin1");
    lines.push(
      await compare(
        () => normalizer.normalizeLines(bytes),
        () => pool.normalizeLines(bytes),
      ),
    );
    const memory = new Uint8Array(new SharedArrayBuffer(bytes.length));
    memory.set(bytes);
    const into = new Uint8Array(new SharedArrayBuffer(2 * bytes.length));
    shared.push(
      await compare(
        () => normalizer.normalizeLines(bytes),
        () => pool.normalizeLines(memory, { into }),
      ),
    );
    strings.push(
      await compare(
        () => normalizer.normalizeBatch(urls),
        () => pool.normalizeBatch(urls),
      ),
    );
  }
  console.log(`${`lines, ${engine}`.padEnd(16)}${lines.join("")}`);
  console.log(`${`shared, ${engine}`.padEnd(16)}${shared.join("")}`);
  console.log(`${`strings, ${engine}`.padEnd(16)}${strings.join("")}`);
  await pool.close();
}
