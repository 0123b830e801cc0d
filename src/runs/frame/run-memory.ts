import { counted } from "../../base/counted.ts";
import { MIN_BYTES } from "../../fingerprints/fingerprint-set.ts";
import { formatOf } from "../../formats/index.ts";
import { say } from "../../io/say.ts";
import { setBytes } from "../../seen/contract/identity.ts";
import { processCores } from "../../threads/process-cores.ts";
import { type MemoryRoom, processMemory } from "../../threads/process-memory.ts";
import { HEAP_SPACE, KERNEL_SPACE, threadsThatFit } from "../../threads/threads-that-fit.ts";
import { type KeepOptions, leavesOut, readsTwice, valueFieldOf } from "../base/keep.ts";
import { passesInBulk } from "../call/job.ts";
import type { LineOptions } from "../call/options.ts";

/**
 * The memory that a run takes besides its keys, and that each of several threads adds, in bytes: slots, kernels, heaps
 * and pending outputs. Whole lines pass in bulk; rows that the scanner finds stay bytes; other records are taken apart, and so
 * are those that get a count or are chosen by a value. A row group of Parquet is in memory as a whole. `npm run proof memory`
 * holds runs to these figures.
 */
const OVERHEAD = {
  bulk: { run: 32 << 20, thread: 32 << 20 },
  scanned: { run: 48 << 20, thread: 96 << 20 },
  records: { run: 80 << 20, thread: 128 << 20 },
  parquet: { run: 160 << 20, thread: 128 << 20 },
} as const;
/**
 * What the JavaScript engine takes more: the strings of its rows, and a table of keys that has grown, until V8 frees it.
 * Tables grow by a quarter, so the table before the last is a quarter of the last three.
 */
const JAVASCRIPT = { run: 24 << 20, keys: 0.7 };
/** The share of the free memory that threads may take. The keys have the rest. */
const THREADS_SHARE = 0.25;

/** The bytes of input from which threads are worth their start for Parquet, if no number of threads is given. */
const WORTH_THREADS = 1 << 25;
/** How many times the bytes of a row group, not compressed, a thread takes for it. */
const GROUP_SHARE = 2;

type Engine = "wasm" | "js";

/** Describes the work of a run. */
interface Work {
  readonly kind: keyof typeof OVERHEAD;
  readonly engine: Engine;
  /** What the run, and each of several threads, takes more than its kind does, in bytes. */
  readonly more?: number;
}

/** Says what a run may take of the memory of the process. */
export interface RunMemory {
  readonly threads: number;
  /** The most bytes that the set of keys may take. */
  readonly keyBytes: number;
}

/** Divides the memory of the process between the threads of a run and its keys. Reports threads that have no room. */
export function memoryForLines(options: LineOptions, dedupes: boolean, engine: Engine): RunMemory {
  const wanted = options.threads ?? processCores();
  const kind = kindOfWork(options, dedupes, engine);
  return memoryFor({ kind, engine }, wanted, options.threads !== undefined);
}

/** Holds the sizes of the row groups of all files. */
export interface GroupSizes {
  /** Counts those that have rows. */
  readonly groups: number;
  /** The most bytes of one, not compressed. */
  readonly largest: number;
  /** The rows of all. */
  readonly rows: number;
}

/** Does the same for a run on Parquet files of `total` bytes. A thread has one row group at a time. */
export function memoryForParquet(
  { threads }: Pick<LineOptions, "threads">,
  { groups, largest }: GroupSizes,
  total: number,
  engine: Engine,
): RunMemory {
  const worthwhile = total < WORTH_THREADS ? 1 : processCores();
  const wanted = Math.max(1, Math.min(threads ?? worthwhile, groups));
  const work = { kind: "parquet", engine, more: GROUP_SHARE * largest } as const;
  return memoryFor(work, wanted, threads !== undefined);
}

function memoryFor(work: Work, wanted: number, isAsked: boolean): RunMemory {
  const space = work.engine === "wasm" ? KERNEL_SPACE : HEAP_SPACE;
  const inSpace = wanted === 1 ? 1 : Math.max(1, threadsThatFit(wanted, space));
  const shares = shareMemory(processMemory(), work, inSpace);
  if (shares.threads < wanted && isAsked) {
    const limit = inSpace < wanted ? "the limit on address space (ulimit -v)" : "memory";
    say(
      `${counted(shares.threads, "thread")} in place of ${wanted}: ${limit} has no room for more`,
    );
  }
  return shares;
}

/** Says what the rows of a run take: those of "records" are worked on in JavaScript, or kept for later. */
export function kindOfWork(
  options: LineOptions,
  dedupes: boolean,
  engine: Engine,
): keyof typeof OVERHEAD {
  if (options.count || valueFieldOf(options.keep) !== null) return "records";
  if (passesInBulk(options, dedupes)) return "bulk";
  const isScanned =
    engine === "wasm" && formatOf(options.format, options.field).layout !== undefined;
  return isScanned && options.form === "url" ? "scanned" : "records";
}

/**
 * Divides memory between the keys and at most `wanted` threads. The set takes what the rest of the run leaves, and no
 * more than sets in a program do.
 */
export function shareMemory(
  { limit, free }: MemoryRoom,
  { kind, engine, more: moreBytes = 0 }: Work,
  wanted: number,
): RunMemory {
  const run = OVERHEAD[kind].run + moreBytes;
  const thread = OVERHEAD[kind].thread + moreBytes;
  const fitting = Math.floor((THREADS_SHARE * free) / thread);
  const threads = wanted === 1 ? 1 : Math.max(1, Math.min(wanted, fitting));
  const { run: more, keys } = engine === "js" ? JAVASCRIPT : { run: 0, keys: 1 };
  const rest = free - run - more - (threads === 1 ? 0 : threads * thread);
  const keyBytes = Math.floor(Math.min(setBytes(limit), keys * rest));
  return { threads, keyBytes: Math.max(MIN_BYTES, keyBytes) };
}

/** Halves the memory of keys if they are in memory twice: in the set of all runs, and with the records that win. */
export function shareForKeep(options: KeepOptions, memory: RunMemory): RunMemory {
  if (!readsTwice(options) || !leavesOut(options)) return memory;
  return { ...memory, keyBytes: memory.keyBytes / 2 };
}

/** Limits the memory of keys to the sum that `--memory` gives. */
export function limitTo(bytes: number | undefined, memory: RunMemory): RunMemory {
  if (bytes === undefined) return memory;
  return { ...memory, keyBytes: Math.min(bytes, memory.keyBytes) };
}
