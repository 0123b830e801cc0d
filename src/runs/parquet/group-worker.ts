// Does the work on row groups on a worker thread.
import { parentPort } from "node:worker_threads";
import { IoError } from "../../io/io-error.ts";
import { fromSetup, type NormalizerSetup } from "../../normalizers.ts";
import { ParquetFile } from "../../parquet/input-file.ts";
import { loadParquetPeers, type ParquetPeers } from "../../parquet/peers.ts";
import { GroupOutput } from "../../parquet/write/group-output.ts";
import type { PreparedRun } from "../prepare.ts";
import type { GroupQuestion, GroupResult, GroupTask } from "./group-task.ts";
import { GroupWork } from "./group-work.ts";
import { answerBytes, type Lookups } from "./new-rows.ts";
import type { ReplacedCodec } from "./row-group-writer.ts";
import { SharedAnswer } from "./shared-answer.ts";

/** Where the first row group of a file begins, after its magic. */
const FIRST_PLACE = 4;

/** Works on one row group after the other, and keeps the file of the last one open. */
export class GroupWorker {
  readonly #job: PreparedRun["job"];
  readonly #peers: ParquetPeers;
  readonly #work: GroupWork;
  #file: ParquetFile | null = null;
  #replaced: ReplacedCodec[] = [];

  private constructor(setup: NormalizerSetup, job: PreparedRun["job"], peers: ParquetPeers) {
    this.#job = job;
    this.#peers = peers;
    this.#work = new GroupWork({
      job,
      normalizer: fromSetup(setup),
      peers,
      pause: async () => {}, // the thread is ended where it is
      onReplaced: (codec) => this.#replaced.push(codec),
    });
  }

  /** Loads the packages. */
  static async load(setup: NormalizerSetup, job: PreparedRun["job"]): Promise<GroupWorker> {
    return new GroupWorker(setup, job, await loadParquetPeers());
  }

  /** Does all work on a row group. What it finds before a failure is in the result, too. */
  async run(task: GroupTask): Promise<GroupResult> {
    this.#replaced = [];
    const result: GroupResult = {
      facts: null,
      merged: null,
      written: null,
      chunks: [],
      replaced: this.#replaced,
      bytesRead: 0,
      failure: null,
    };
    try {
      await this.#fill(result, task);
    } catch (error) {
      if (!(error instanceof IoError)) throw error;
      result.failure = error.message;
    }
    return result;
  }

  async #fill(result: GroupResult, { file: name, group, place }: GroupTask): Promise<void> {
    const file = await this.#open(name);
    const before = file.bytesRead;
    const facts = await this.#work.read(file, group);
    result.facts = facts;
    if (this.#job.onError === "fail" && facts.firstError !== null) return;
    if (this.#job.fingerprintKey !== null) {
      const answers = ask(place, await this.#work.lookups());
      if (answers === null) return;
      result.merged = this.#work.choose(answers);
    }
    // A writer uses its memory again after each call.
    const output = {
      write: async (bytes: Uint8Array) => void result.chunks.push(sharedCopy(bytes)),
    };
    result.written = await this.#work.write(
      async (tools) => new GroupOutput(output, FIRST_PLACE, tools),
    );
    result.bytesRead = file.bytesRead - before;
  }

  async #open(name: string): Promise<ParquetFile> {
    if (this.#file?.name === name) return this.#file;
    await this.#file?.close();
    this.#file = null;
    this.#file = await ParquetFile.open(name, this.#peers);
    return this.#file;
  }
}

/** Asks the set of keys, and waits for the answer. Returns null if the set has no room. */
function ask(place: number, lookups: Lookups): Uint8Array | null {
  const answer = new SharedAnswer(SharedAnswer.memoryFor(answerBytes(lookups)));
  const question: GroupQuestion = { place, lookups, answer: answer.memory };
  parentPort?.postMessage(question);
  return answer.wait();
}

function sharedCopy(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
