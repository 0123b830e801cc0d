// Does the work on row groups on a worker thread.
import { parentPort } from "node:worker_threads";
import { fromSetup, type NormalizerSetup } from "../../../normalizers.ts";
import { loadParquetPeers } from "../../../parquet/peers.ts";
import { UrlFilter } from "../../filter/url-filter.ts";
import type { PreparedRun } from "../../frame/prepare.ts";
import { answerBytes, type Lookups } from "../new-rows.ts";
import { GroupRunner } from "./group-runner.ts";
import type { GroupQuestion } from "./group-task.ts";
import { SharedAnswer } from "./shared-answer.ts";

/** Makes what works on row groups on this thread, which asks the calling one. */
export async function groupRunnerOf(
  setup: NormalizerSetup,
  job: PreparedRun["job"],
): Promise<GroupRunner> {
  return new GroupRunner({
    job,
    normalizer: fromSetup(setup),
    filter: UrlFilter.of(job.filter),
    peers: await loadParquetPeers(),
    pause: async () => {}, // the thread is ended where it is
    ask: async (place, lookups) => ask(place, lookups),
  });
}

/** Asks the set of keys, and blocks the thread until it has the answer. */
function ask(place: number, lookups: Lookups): Uint8Array | null {
  const answer = new SharedAnswer(SharedAnswer.memoryFor(answerBytes(lookups)));
  const question: GroupQuestion = { place, lookups, answer: answer.memory };
  parentPort?.postMessage(question);
  return answer.wait();
}
