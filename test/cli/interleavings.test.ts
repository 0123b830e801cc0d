// At full length only: it repeats with late answers what tests of each flag, store and format try at once.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { builtFile } from "../shared/built-file.ts";
import { atLength } from "../shared/length.ts";
import { writeColumns } from "../shared/parquet.ts";
import { Random } from "../shared/random.ts";
import { tempFolder } from "../shared/temp-folder.ts";

// Answers of sets, inputs and outputs come after a seeded number of turns. What a run writes must not depend on that.

const late = await vi.hoisted(async () => {
  const { Late } = await import("../shared/late.ts");
  return new Late();
});
vi.mock("node:fs", async (original) => {
  const real = late.files(await original<typeof import("node:fs")>());
  return { ...real, default: real };
});
vi.mock("../../src/runs/keys/stored-keys.ts", async (original) => {
  const real = await original<typeof import("../../src/runs/keys/stored-keys.ts")>();
  return { ...real, deciderFor: (keys: never) => late.keys(real.deciderFor(keys)) };
});
vi.mock("../../src/seen/journal/open-journal.ts", async (original) => {
  const real = await original<typeof import("../../src/seen/journal/open-journal.ts")>();
  const openJournal: typeof real.openJournal = async (...values) => {
    const open = await real.openJournal(...values);
    late.journal(open.journal);
    return open;
  };
  return { ...real, openJournal };
});
vi.mock("../../src/seen/stored/kinds.ts", async (original) => {
  const { KINDS } = await original<typeof import("../../src/seen/stored/kinds.ts")>();
  const ofLate = Object.entries(KINDS).map(([name, kind]) => {
    const store: typeof kind.store = async (...values) => {
      const open = await kind.store(...values);
      return async (wanted) => late.store(await open(wanted));
    };
    return [name, { ...kind, store }];
  });
  return { KINDS: Object.fromEntries(ofLate) };
});
// Chunks are small, so that small lists have several, and the memory that a run may take is little: a set on disk reserves
// its part of it.
vi.mock("../../src/runs/base/chunk-bytes.ts", () => ({ CHUNK: 1 << 14, CHUNK_SENT: 1 << 14 }));
vi.mock("../../src/threads/process-memory.ts", async (original) => {
  const real = await original<typeof import("../../src/threads/process-memory.ts")>();
  return { ...real, processMemory: () => ({ limit: 1 << 26, free: 2 ** 31 }) };
});
// Nobody else opens these sets, and the program that locks them would cost more than a run.
vi.mock("../../src/io/files/system-lock.ts", async (original) => {
  const real = await original<typeof import("../../src/io/files/system-lock.ts")>();
  const openLocked: typeof real.openLocked = (path, flags, how) => open(path, flags, how?.mode);
  return { ...real, openLocked };
});
// Threads run what was built.
vi.mock("../../src/threads/start-pool.ts", async (original) => {
  const real = await original<typeof import("../../src/threads/start-pool.ts")>();
  const file = pathToFileURL(builtFile("shared/thread.cjs"));
  const startPool: typeof real.startPool = async (options, tasks) =>
    late.pool(await real.startPool({ ...options, file }, tasks));
  return { startPool };
});

/** The seeds that are tried: in short, of so many those that show something new; `npm run proof interleavings` tries more. */
const FIRST = Number(process.env["URLMILL_FIRST_SEED"] ?? 1);
const SEEDS = Number(process.env["URLMILL_SEEDS"] ?? atLength(100, 300));

const folder = tempFolder();
const path = (name: string): string => join(folder, name);

/** Rows are long, so that a list has several chunks and few rows. */
const rows = (
  seed: number,
  count: number,
  write: (url: string, value: number) => string,
): Buffer => {
  const random = new Random(seed);
  const texts = Array.from({ length: count }, () => {
    const key = random.below(count / 2);
    const scheme = random.pick(["http", "HTTP"]);
    if (random.chance(40)) return write(`nothing ${key}`, key);
    return write(`${scheme}://h${key % 100}/${key}?${"x".repeat(200 + ((key * 37) % 1000))}`, key);
  });
  return Buffer.from(texts.join(""));
};

const ROWS = 120;
const lines = (seed: number): Buffer => rows(seed, ROWS, (url) => `${url}\n`);
/** Returns the same rows as a file of Parquet with several row groups. */
function parquet(seed: number): Buffer {
  const data = lines(seed).toString().trimEnd().split("\n");
  writeColumns(path("parquet"), [{ name: "url", data }], 24);
  return readFileSync(path("parquet"));
}
const LISTS = {
  lines: { args: [], bytes: lines(1) },
  "lines, compressed": { args: ["--format", "lines"], bytes: gzipSync(lines(2), { level: 1 }) },
  tsv: {
    args: ["--format", "tsv", "--field", "1"],
    bytes: rows(3, ROWS, (url, value) => `${url}\t${value}\n`),
  },
  jsonl: {
    args: ["--format", "jsonl", "--field", "url"],
    bytes: rows(4, ROWS, (url, value) => `{"url":"${url}","n":${value}}\n`),
  },
  csv: {
    args: ["--format", "csv", "--header", "--field", "url"],
    bytes: Buffer.concat([
      Buffer.from("n,url\n"),
      rows(5, ROWS, (url, value) => `"${value}\n",${url}\n`),
    ]),
  },
  parquet: { args: ["--format", "parquet"], bytes: parquet(6) },
} as const;
for (const [name, { bytes }] of Object.entries(LISTS)) writeFileSync(path(name), bytes);
writeFileSync(
  path("other"),
  rows(7, 50, (url) => `${url}\n`),
);
writeFileSync(path("blocked"), "h7\n=h11\n");
writeFileSync(path("rules"), "#urlmill-rules 1\nh2\t/...\tlower path\nh1\t*\tdrop *\n");

const FLAGS: readonly (readonly string[])[] = [
  [],
  [],
  [],
  ["-c"],
  ["-d"],
  ["--keep", "last"],
  ["--memory", "1M"],
  ["--memory", "1M", "--exclude", path("other"), "-c"],
  ["--exclude", path("other")],
  ["--block", path("blocked")],
  ["--base", "http://h1/"],
  ["--flush"],
  ["--on-error", "fail"],
  ["--rules", path("rules"), "--shadow", path("shadow")],
  ["--errors", path("errors")],
  ["--map", path("map"), "--errors", path("errors")],
  ["--report", path("report"), "--map", path("map")],
  ["--emit", "both", "--on-error", "empty"],
  ["--emit", "normalized"],
  ["--stats"],
];
/** Flags that `normalize` has as well. */
const BOTH = FLAGS.filter(([flag = "--"]) =>
  /^--(?:errors|emit|stats|block|base|flush|on-error|)$/.test(flag),
);
const STORES = ["none", "journal", "disk", "lmdb"] as const;
const OUTPUTS = ["stdout", "-o", "-o x.gz", "--append"] as const;

/** Says what a run does. */
interface Case {
  readonly command: "normalize" | "dedupe";
  readonly list: keyof typeof LISTS;
  readonly isPiped: boolean;
  readonly flags: readonly string[];
  readonly store: (typeof STORES)[number];
  readonly output: (typeof OUTPUTS)[number];
  readonly threads: 1 | 2;
  readonly engine: "wasm" | "js";
}

const PLAIN = {
  command: "dedupe",
  list: "lines",
  isPiped: false,
  flags: [],
  engine: "wasm",
} as const;
/** Cases that are tried whatever is drawn. The first wrote the memory of another chunk, without an error. */
const NAMED: readonly Case[] = [
  { ...PLAIN, store: "disk", output: "--append", threads: 1 },
  { ...PLAIN, store: "journal", output: "stdout", threads: 2 },
  { ...PLAIN, store: "lmdb", output: "-o", isPiped: true, threads: 2 },
  { ...PLAIN, command: "normalize", store: "none", output: "stdout", isPiped: true, threads: 2 },
];
/** So many cases are tried, each with several seeds: more of them in a long run. */
const CASES = SEEDS > 300 ? 2000 : 100;

/** Returns the case of a seed. */
function caseOf(seed: number): Case {
  const named = NAMED[seed % CASES];
  if (named !== undefined) return named;
  const random = new Random(seed % CASES);
  for (;;) {
    const one = drawnCase(random);
    if (isTaken(one)) return one;
  }
}

/** Returns whether a call takes these flags together. */
function isTaken({ list, flags, output }: Case): boolean {
  const [flag = ""] = flags;
  const areLines = list.startsWith("lines");
  if (flags.includes("--shadow") || flags.includes("--exclude")) return areLines;
  if (flag === "--flush" && output === "-o x.gz") return false;
  if (list !== "parquet") return true;
  return output !== "-o x.gz" && output !== "--append" && !["--flush", "--base"].includes(flag);
}

function drawnCase(random: Random): Case {
  const command = random.chance(5) ? "normalize" : "dedupe";
  const flags = random.pick(command === "dedupe" ? FLAGS : BOTH);
  const list = random.pick(Object.keys(LISTS) as (keyof typeof LISTS)[]);
  const isPiped = list !== "parquet" && random.chance(2);
  const store = command === "normalize" ? "none" : random.pick(STORES);
  const output = random.pick(OUTPUTS);
  const threads = random.chance(SEEDS > 300 ? 10 : 20) ? 2 : 1;
  const engine = random.chance(8) ? "js" : "wasm";
  return { command, list, isPiped, flags, store, output, threads, engine };
}

/** What a run wrote. */
interface Written {
  readonly code: number;
  readonly text: string;
  readonly files: readonly (string | null)[];
  /** What the same run without flags writes after it: all keys are in the set. */
  readonly again: string | null;
}

async function runOnce(args: string[], bytes: Uint8Array): Promise<{ code: number; out: Buffer }> {
  const stdout = late.output();
  const stderr = late.output();
  const code = await runCommandLine(args, { stdin: late.input(bytes), stdout, stderr });
  if (code > 1) throw new Error(stderr.bytes.toString()); // the call is wrong
  return { code, out: stdout.bytes };
}

const FILES = ["errors", "map", "shadow"];

/** Runs a case twice: the second time its keys are known. */
async function run(one: Case): Promise<Written> {
  for (const name of [...FILES, "report", "out", "out.gz", "seen"]) {
    rmSync(path(name), { recursive: true, force: true });
  }
  const { args: format, bytes } = LISTS[one.list];
  const out = path(one.output === "-o x.gz" ? "out.gz" : "out");
  const to = one.output === "stdout" ? [] : [one.output === "--append" ? "--append" : "-o", out];
  const seen = one.store === "none" ? [] : ["--seen", path("seen"), "--store", one.store];
  const args = [
    ...[one.command, "--preset", "safe", "--engine", one.engine, "-j", String(one.threads)],
    ...[...format, ...one.flags, ...seen],
    ...(one.isPiped ? [] : [path(one.list)]),
  ];
  const { code, out: stdout } = await runOnce([...args, ...to], bytes);
  // A run that ends early writes no file.
  const text = to.length === 0 ? stdout : existsSync(out) ? readFileSync(out) : Buffer.alloc(0);
  const files = FILES.map((name) =>
    existsSync(path(name)) ? readFileSync(path(name), "latin1") : null,
  );
  const isAsked = seen.length > 0 && one.flags.length === 0;
  const again = !isAsked
    ? null
    : (await runOnce([...args, "-j", "1"], bytes)).out.toString("latin1");
  return { code, text: text.toString("latin1"), files, again };
}

/** Replaces texts by their digests, so that a difference can be shown. */
const inShort = ({ code, text, files, again }: Written) => ({
  code,
  texts: [text, again, ...files].map(
    (part) => part && createHash("sha256").update(part).digest("hex"),
  ),
});

const expected = new Map<string, Promise<Written>>();

/** Returns what a case writes on one thread if nothing is late. */
async function expectedOf(one: Case): Promise<Written> {
  const name = JSON.stringify(one);
  const made = expected.get(name) ?? run({ ...one, threads: 1 });
  expected.set(name, made);
  return made;
}

/** What a case shows, apart from what only its draw combines. */
const shownBy = (one: Case): unknown[] => [
  NAMED.indexOf(one),
  one.flags,
  `${one.list} ${one.store}`,
  `${one.output} ${one.threads} ${one.command}`,
];

const met = new Set<unknown>();
const seeds = Array.from({ length: SEEDS }, (_, at) => FIRST + at).filter((seed) => {
  const before = met.size;
  for (const shown of shownBy(caseOf(seed))) met.add(shown);
  return SEEDS > CASES || met.size > before;
});
test.each(seeds)("writes what it does if nothing is late: seed %d", async (seed) => {
  const one = caseOf(seed);
  late.begin(null);
  const wanted = await expectedOf(one);
  late.begin(seed);
  const found = await run(one);
  expect({ ...one, ...inShort(found) }).toEqual({ ...one, ...inShort(wanted) });
});
