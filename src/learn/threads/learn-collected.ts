import { counted } from "../../base/counted.ts";
import { markHandled } from "../../base/handled.ts";
import { whenAborted } from "../../base/when-aborted.ts";
import { processCores } from "../../threads/process-cores.ts";
import { advised } from "../../threads/retry.ts";
import { besideBundle } from "../../threads/start-pool.ts";
import { KERNEL_SPACE, threadsThatFit } from "../../threads/threads-that-fit.ts";
import { Workers } from "../../threads/workers.ts";
import type { SiteCollector } from "../collect/collector.ts";
import type { PackedSite } from "../collect/packed-site.ts";
import { joinSites, type Learned, type LearnedAlone, type LearnJob, learnOne } from "../learn.ts";
import { Pauses } from "./pause.ts";
import type { SitesTask } from "./worker.ts";

/**
 * URLs of a list from which more threads are faster than one, if the number of threads is not given: each thread has to
 * compile the code again.
 */
const WORTH_THREADS = 100_000;
/** Limits the URLs of small sites that go to a thread at a time. Fewer go if each thread would not get several tasks. */
const TASK_URLS = 4096;
const TASKS_PER_THREAD = 8;
/** The young generation of a worker. Learning makes many short-lived objects. */
const YOUNG_MB = 96;
/** What a user can do if a thread ends before its task. */
const ADVICE =
  "no rules are written: if memory ran out, set NODE_OPTIONS=--max-old-space-size=8192 or split the list by site, else use one thread (--threads 1)";
/** Names the file of a thread. It takes others of the package, so no bundler may find it here and copy it alone. */
const THREAD_FILE = ["./learn-thread", "cjs"];

/** Says how the sites of a collector are learned. */
export interface LearnRun extends LearnJob {
  /** Sets how many threads learn; undefined for as many as help. */
  readonly threads: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Is called with the URLs whose sites are done. */
  readonly onUrls: (urls: number) => void;
  /** Runs the work of some sites on the calling thread. */
  readonly alone: <T>(work: () => T) => T | Promise<T>;
}

/**
 * Learns the sites of a collector, each on one thread. The result is the same for any number of threads. The collector
 * is empty afterwards. Throws the reason of `signal` if it aborts, `BAD_OPTION` as `learn` does, and `WORKER_DIED` if a
 * thread ends before its task.
 */
export async function learnCollected(collector: SiteCollector, run: LearnRun): Promise<Learned> {
  run.signal?.throwIfAborted();
  const lanes = lanesFor(collector.sizes(), run.threads);
  const alone =
    lanes < 2 ? await learnHere(collector, run) : await learnOnThreads(collector, run, lanes);
  const { records, skipped, failed } = collector;
  return { ...joinSites(alone), records, skipped, failed };
}

/** Returns how many threads there is work and room for. */
function lanesFor(sizes: readonly number[], threads: number | undefined): number {
  const total = sumOf(sizes);
  const wanted = threads ?? (total < WORTH_THREADS || !hasThreads() ? 1 : processCores());
  const useful = Math.min(wanted, sizes.length);
  return useful < 2 ? 1 : threadsThatFit(useful, KERNEL_SPACE);
}

function threadFile(): URL {
  const name = THREAD_FILE.join(".");
  return import.meta.url === undefined ? besideBundle(name) : new URL(name, import.meta.url);
}

/** Returns whether threads can start unasked: in Node, where the package is not bundled. */
function hasThreads(): boolean {
  const files =
    "Deno" in globalThis ? undefined : globalThis.process?.getBuiltinModule?.("node:fs");
  return files?.existsSync(threadFile()) ?? false;
}

async function learnHere(
  collector: SiteCollector,
  { alone, signal, onUrls, ...job }: LearnRun,
): Promise<LearnedAlone[]> {
  const learned: LearnedAlone[] = [];
  const pauses = new Pauses();
  const sites = collector.sites();
  for (;;) {
    const some = await alone(() => {
      const own: LearnedAlone[] = [];
      // An iteration that is left would end the sites.
      for (let next = sites.next(); next.done !== true; next = sites.next()) {
        own.push(learnOne(next.value, job));
        if (pauses.isDue) break;
      }
      return own;
    });
    if (some.length === 0) return learned;
    for (const each of some) {
      learned.push(each);
      onUrls(each.learned.urls);
      signal?.throwIfAborted();
    }
    if (pauses.isDue) await pauses.pause();
  }
}

async function learnOnThreads(
  collector: SiteCollector,
  { maxPageLoss, exhausted, isReported, signal, onUrls }: LearnRun,
  threads: number,
): Promise<LearnedAlone[]> {
  const learned: LearnedAlone[] = [];
  const workers = new Workers<SitesTask, LearnedAlone[]>({
    file: threadFile(),
    threads,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const unlisten = whenAborted(signal, () => {
    markHandled(workers.stop(signal?.reason)); // the tasks throw the reason, and the next stop the error
  });
  try {
    const least = Math.min(
      TASK_URLS,
      Math.ceil(sumOf(collector.sizes()) / (threads * TASKS_PER_THREAD)),
    );
    const rest = runsOf(collector.packedSites(), least);
    // Each lane takes the next task when its last one is done, so no thread waits for another.
    const run = async (): Promise<void> => {
      for (const sites of rest) {
        const urls = urlsOf(sites);
        const name = nameOf(sites, urls);
        const task = { maxPageLoss, exhausted, isReported, sites };
        for (const each of await workers.run(task, () => name)) learned.push(each);
        onUrls(urls);
        signal?.throwIfAborted();
      }
    };
    await Promise.all(Array.from({ length: threads }, run));
    await workers.close();
    return learned;
  } catch (error) {
    await workers.stop(error as Error);
    throw advised(error, ADVICE);
  } finally {
    unlisten();
  }
}

/** Groups sites until they have `least` URLs, because each message costs something. */
function* runsOf(sites: Iterable<PackedSite>, least: number): Generator<PackedSite[]> {
  let run: PackedSite[] = [];
  let urls = 0;
  for (const site of sites) {
    run.push(site);
    urls += site.isHttps.length;
    if (urls < least) continue;
    yield run;
    run = [];
    urls = 0;
  }
  if (run.length > 0) yield run;
}

function nameOf(sites: readonly PackedSite[], urls: number): string {
  const [first] = sites as [PackedSite];
  const others = sites.length > 1 ? ` and ${counted(sites.length - 1, "other site")}` : "";
  return `the ${counted(urls, "URL")} of ${first.name}${others}`;
}

const urlsOf = (sites: readonly PackedSite[]): number =>
  sumOf(sites.map(({ isHttps }) => isHttps.length));

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
