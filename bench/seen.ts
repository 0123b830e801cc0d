// Compares a seen-set with a Set of the raw strings: the time per URL and the memory, at one and ten million
// URLs, interleaved in one run. Also measures how long a journal takes to open. `npm run bench seen`, or
// `npm run bench seen -- --inserts 40000000` for what so many inserts take, and nothing else
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeenSet } from "urlmill/seen";
import { distinctLines } from "./distinct-lines.ts";
import { measureInserts } from "./seen-inserts.ts";

const BATCH = 100_000;
const SIZES = [1_000_000, 10_000_000];
const ROUNDS = { 1000000: 7, 10000000: 3 } as Record<number, number>;

/** Returns strings that nothing has hashed or read yet. */
function stringsOf(lines: Buffer): string[] {
  const urls: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = lines.indexOf(10, at);
    urls.push(lines.toString("latin1", at, end));
    at = end + 1;
  }
  return urls;
}

async function addStrings(set: SeenSet, urls: readonly string[]): Promise<void> {
  for (let first = 0; first < urls.length; first += BATCH) {
    await set.addBatch(urls.slice(first, first + BATCH));
  }
}

async function addLines(set: SeenSet, lines: Buffer): Promise<void> {
  for (let at = 0; at < lines.length; ) {
    const end = lines.lastIndexOf(10, at + 64 * BATCH) + 1;
    await set.addBatch(lines.subarray(at, end));
    at = end;
  }
}

interface Contestant {
  readonly name: string;
  readonly times: number[];
  bytes: number;
  run(lines: Buffer, urls: () => string[]): Promise<{ ms: number; bytes: number }>;
}

async function time(work: () => Promise<unknown> | unknown): Promise<number> {
  globalThis.gc?.();
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function seen(
  name: string,
  options: { bits?: 64; capacity?: number },
  takesLines: boolean,
): Contestant {
  return {
    name,
    times: [],
    bytes: 0,
    run: async (lines, urls) => {
      const batch = takesLines ? [] : urls();
      const set = new SeenSet(options);
      const ms = await time(() => (takesLines ? addLines(set, lines) : addStrings(set, batch)));
      const { memoryBytes = 0, size } = await set.stats();
      await set.close();
      return { ms, bytes: memoryBytes / size };
    },
  };
}

function rawSet(): Contestant {
  return {
    name: "Set.add of raw strings",
    times: [],
    bytes: 0,
    run: async (_, urls) => {
      const before = process.memoryUsage().heapUsed;
      const batch = urls();
      const set = new Set<string>();
      const ms = await time(() => {
        for (const url of batch) set.add(url);
      });
      return { ms, bytes: (process.memoryUsage().heapUsed - before) / set.size - 8 };
    },
  };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number;

async function compare(count: number): Promise<void> {
  const lines = distinctLines(count);
  const reference = rawSet();
  const contestants = [
    reference,
    seen("strings", {}, false),
    seen("strings, 64 bits", { bits: 64 }, false),
    seen("strings, capacity given", { capacity: count }, false),
    seen("lines", {}, true),
    seen("lines, capacity given", { capacity: count }, true),
  ];
  for (let round = 0; round < (ROUNDS[count] ?? 3); round++) {
    for (const contestant of contestants) {
      const { ms, bytes } = await contestant.run(lines, () => stringsOf(lines));
      contestant.times.push((ms * 1e6) / count);
      contestant.bytes = bytes;
    }
  }
  console.log(`\n${count.toLocaleString("en")} URLs${" ".repeat(24)}ns a URL  x Set  bytes a URL`);
  for (const { name, times, bytes } of contestants) {
    const ratio = median(reference.times.map((set, round) => set / (times[round] as number)));
    const figures = [median(times).toFixed(0), ratio.toFixed(2), bytes.toFixed(1)];
    const [ns = "", x = "", size = ""] = figures;
    console.log(`${name.padEnd(34)}${ns.padStart(10)}${x.padStart(7)}${size.padStart(13)}`);
  }
}

/**
 * Compares lines that are equal under `hash = 31 * hash + byte` with other lines of the same length. `Aa` and
 * `BB` are equal under it, and so are all strings of equally many of them; `Aa` and `Cc` are not.
 */
async function compareHostile(count: number): Promise<void> {
  const pairs = Math.ceil(Math.log2(count));
  const linesWith = (other: string): Buffer =>
    Buffer.from(
      Array.from({ length: count }, (_, row) => {
        const bits = row.toString(2).padStart(pairs, "0");
        return `http://a.example/${bits.replaceAll("0", "Aa").replaceAll("1", other)}\n`;
      }).join(""),
    );
  const lists = [linesWith("Cc"), linesWith("BB")].map((lines) => ({
    lines,
    times: [] as number[],
  }));
  for (let round = 0; round < 5; round++) {
    for (const { lines, times } of lists)
      times.push(await time(() => addLines(new SeenSet(), lines)));
  }
  const [ordinary = 0, hostile = 0] = lists.map(({ times }) => median(times));
  console.log(
    `\n${count.toLocaleString("en")} lines of equal hash without a key take ${(hostile / ordinary).toFixed(2)} times as long as others`,
  );
}

async function openJournal(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "urlmill-bench-"));
  try {
    const set = await SeenSet.open(folder);
    await addLines(set, distinctLines(count));
    await set.close();
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const started = performance.now();
      const opened = await SeenSet.open(folder);
      times.push(performance.now() - started);
      await opened.close();
    }
    console.log(
      `\na journal of ${count.toLocaleString("en")} URLs opens in ${median(times).toFixed(0)} ms`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [flag, inserts] = process.argv.slice(2);
if (flag === "--inserts") {
  for (const grows of [false, true]) await measureInserts(Number(inserts), grows);
} else {
  console.log(
    `Node ${process.version}, preset safe, batches of ${BATCH}, medians of interleaved rounds`,
  );
  for (const count of SIZES) await compare(count);
  await compareHostile(1_000_000);
  await openJournal(10_000_000);
}
