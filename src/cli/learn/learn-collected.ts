import { availableParallelism } from "node:os";
import { markHandled } from "../../base/handled.ts";
import { joinSites, type Learned, type LearnedAlone } from "../../learn/learn.ts";
import type { SiteCollector } from "../../learn/site/collector.ts";
import type { PackedSite } from "../../learn/site/packed-site.ts";
import { counted } from "../../runs/counted.ts";
import { advised } from "../../threads/again.ts";
import { KERNEL_SPACE, threadsThatFit } from "../../threads/threads-that-fit.ts";
import { Workers } from "../../threads/workers.ts";
import { withoutPause } from "../until-interrupted.ts";
import { type LearnJob, learnOne } from "./learn-one.ts";
import type { LearnArguments } from "./options.ts";
import type { SitesTask } from "./worker.ts";

/**
 * URLs of a list from which more threads are faster than one, if the number of threads is not given: each thread has
 * to compile the code again.
 */
const WORTH_THREADS = 100_000;
/** Limits the URLs of small sites that go to a thread at a time. Fewer go if each thread would not get several tasks. */
const TASK_URLS = 4096;
const TASKS_PER_THREAD = 8;
/** The young generation of a worker. Learning makes many short-lived objects. */
const YOUNG_MB = 96;
/** What a user can do if a thread ends before its task. */
const ADVICE =
  "no rules are written: if memory ran out, set NODE_OPTIONS=--max-old-space-size=8192 or split the list by site, else use --threads 1";

/**
 * Learns the sites of a collector, each on one thread. The result is the same for any number of threads. The
 * collector is empty afterwards. Throws the reason of `signal` if it aborts, `BAD_OPTION` as `learn` does, and
 * `WORKER_DIED` if a thread ends before its task.
 */
export async function learnCollected(
  collector: SiteCollector,
  { threads, maxPageLoss, report }: LearnArguments,
  signal: AbortSignal,
): Promise<Learned> {
  const sizes = collector.sizes();
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const wanted = threads ?? (total < WORTH_THREADS ? 1 : availableParallelism());
  const lanes = threadsThatFit(Math.min(wanted, sizes.length), KERNEL_SPACE);
  const job: LearnJob = { maxPageLoss, isReported: report !== undefined };
  const alone =
    lanes < 2
      ? withoutPause(() => Array.from(collector.sites(), (site) => learnOne(site, job)))
      : await learnOnThreads(collector, job, lanes, signal);
  const { records, skipped, failed } = collector;
  return { ...joinSites(alone), records, skipped, failed };
}

async function learnOnThreads(
  collector: SiteCollector,
  job: LearnJob,
  threads: number,
  signal: AbortSignal,
): Promise<LearnedAlone[]> {
  signal.throwIfAborted();
  const alone: LearnedAlone[] = [];
  const workers = new Workers<SitesTask, LearnedAlone[]>({
    file: new URL("./learn-thread.cjs", import.meta.url),
    threads,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const stop = (): void => {
    markHandled(workers.stop(signal.reason)); // the tasks throw the reason, and the next stop the error
  };
  signal.addEventListener("abort", stop);
  try {
    const total = collector.sizes().reduce((sum, size) => sum + size, 0);
    const least = Math.min(TASK_URLS, Math.ceil(total / (threads * TASKS_PER_THREAD)));
    const rest = runsOf(collector.packedSites(), least);
    // Each lane takes the next task when its last one is done, so no thread waits for another.
    const run = async (): Promise<void> => {
      for (const sites of rest) {
        const name = nameOf(sites);
        for (const each of await workers.run({ ...job, sites }, () => name)) alone.push(each);
      }
    };
    await Promise.all(Array.from({ length: threads }, run));
    await workers.close();
    return alone;
  } catch (error) {
    await workers.stop(error as Error);
    throw advised(error, ADVICE);
  } finally {
    signal.removeEventListener("abort", stop);
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

function nameOf(sites: readonly PackedSite[]): string {
  const urls = sites.reduce((sum, { isHttps }) => sum + isHttps.length, 0);
  const [first] = sites as [PackedSite];
  const others = sites.length > 1 ? ` and ${counted(sites.length - 1, "other site")}` : "";
  return `the ${counted(urls, "URL")} of ${first.name}${others}`;
}
