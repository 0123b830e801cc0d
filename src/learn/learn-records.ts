import { UrlmillError } from "../base/errors.ts";
import { gather } from "../base/gather.ts";
import { markHandled } from "../base/handled.ts";
import { optionSuggestion } from "../base/nearest.ts";
import { whenAborted } from "../base/when-aborted.ts";
import { checkThreads } from "../normalizer/check-calls.ts";
import { checkAnswers } from "../normalizer/check-run-options.ts";
import { checkOptionsObject } from "../options/options.ts";
import { SiteCollector } from "./collect/collector.ts";
import { checkLearnOptions, type Learned, type LearnOptions } from "./learn.ts";
import { checkRecordList } from "./records/check-record.ts";
import type { LearnRecord } from "./records/record.ts";
import { learnCollected } from "./threads/learn-collected.ts";
import { Pauses } from "./threads/pause.ts";

/** How many records are read at a time. */
const RECORDS = 4096;

/** Says how far learning is. */
export interface LearnProgress {
  /** Counts the records that were read. */
  readonly records: number;
  /** Counts the different URLs of the sites that are done. */
  readonly urls: number;
  /** Counts the different URLs of all sites; 0 while records are read. */
  readonly ofUrls: number;
}

/** Holds the options of `learn`. */
export interface LearnRunOptions extends LearnOptions {
  /**
   * Sets how many threads learn. A site is learned on one of them, so more threads than sites are of no use.
   *
   * @default as many as there are processors, in Node from 100,000 URLs on; else the calling thread alone
   */
  readonly threads?: number | undefined;
  /**
   * Ends the call with the signal's reason; on the calling thread after the site in work.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Is called while records are read, and when sites are done. An error that it throws ends the call.
   *
   * @default none
   */
  readonly onProgress?: ((progress: LearnProgress) => void) | undefined;
}

/**
 * Learns rules from records, which may come in any order: in a list, or one by one from an async iterable.
 *
 * Throws `BAD_INPUT` for what is not a list of records, `BAD_OPTION` for an option that it does not know or cannot
 * take, and `WORKER_DIED` if a thread ends before its task.
 *
 * @example
 * const records = Array.from({ length: 60 }, (_, at) => ({
 *   url: `http://a/?id=${at >> 1}&sid=${at}`,
 *   fp: `cls:${at >> 1}`,
 * }));
 * (await learn(records)).rules.map(({ action }) => action); // [{ type: "drop", params: ["sid"] }]
 */
export async function learn(
  records: (Iterable<LearnRecord> & object) | AsyncIterable<LearnRecord>,
  options: LearnRunOptions = {},
): Promise<Learned> {
  checkRunOptions(options);
  checkRecordList(records);
  const { maxPageLoss, exhausted, threads, signal, onProgress } = options;
  const collector = new SiteCollector();
  await collect(records, collector, options);
  const ofUrls = collector.sizes().reduce((sum, size) => sum + size, 0);
  let done = 0;
  const onUrls = (urls: number): void => {
    done += urls;
    onProgress?.({ records: collector.records, urls: done, ofUrls });
  };
  const alone = <T>(work: () => T): T => work();
  const run = { maxPageLoss, exhausted, isReported: true, threads, signal, onUrls, alone };
  return learnCollected(collector, run);
}

const OPTIONS = ["maxPageLoss", "exhausted", "threads", "signal", "onProgress"];

function checkRunOptions(options: LearnRunOptions): void {
  checkOptionsObject(options, "{ threads: 2 }");
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    const message = `learn has no option "${unknown}"${optionSuggestion(unknown, OPTIONS)}`;
    throw new UrlmillError("BAD_OPTION", message);
  }
  checkLearnOptions(options);
  if (options.threads !== undefined) checkThreads(options.threads);
  checkAnswers(options);
}

async function collect(
  records: Iterable<LearnRecord> | AsyncIterable<LearnRecord>,
  collector: SiteCollector,
  { signal, onProgress }: LearnRunOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const pauses = new Pauses();
  const batches = gather(records, () => 1, RECORDS, ownRecord);
  const unlisten = whenAborted(signal, () => {
    markHandled(batches.return()); // the loop ends, and the reason is thrown after it
  });
  try {
    for await (const batch of batches) {
      collector.add(batch, collector.records);
      onProgress?.({ records: collector.records, urls: 0, ofUrls: 0 });
      if (pauses.isDue) await pauses.pause();
    }
  } finally {
    unlisten();
  }
  signal?.throwIfAborted();
}

/** Returns a copy of a plain record: a source may change it and give it again. */
function ownRecord(record: LearnRecord): LearnRecord {
  const isPlain = record instanceof Object && Object.getPrototypeOf(record) === Object.prototype;
  return isPlain ? { ...record } : record;
}
