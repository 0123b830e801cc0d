import { IoError } from "../../../io/io-error.ts";
import { ParquetFile } from "../../../parquet/input-file.ts";
import type { ParquetPeers } from "../../../parquet/peers.ts";
import { GroupOutput } from "../../../parquet/write/group-output.ts";
import { GroupWork, type GroupWorkOptions } from "../group-work.ts";
import type { Lookups } from "../new-rows.ts";
import type { ReplacedCodec } from "../row-group-writer.ts";
import type { GroupResult, GroupTask } from "./group-task.ts";

/** Where the first row group of a file begins, after its magic. */
const FIRST_PLACE = 4;

export interface GroupRunnerOptions extends Omit<GroupWorkOptions, "onReplaced"> {
  /** Asks the set of keys, and returns a byte for each lookup. Returns null if the set has no room. */
  readonly ask: (place: number, lookups: Lookups) => Promise<Uint8Array | null>;
}

/** Does all work on one row group after the other, and keeps the file of the last one open. */
export class GroupRunner {
  readonly #options: GroupRunnerOptions;
  readonly #peers: ParquetPeers;
  readonly #work: GroupWork;
  #file: ParquetFile | null = null;
  #replaced: ReplacedCodec[] = [];

  constructor(options: GroupRunnerOptions) {
    this.#options = options;
    this.#peers = options.peers;
    this.#work = new GroupWork({
      ...options,
      onReplaced: (codec) => this.#replaced.push(codec),
    });
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
    file.takeBytesRead(); // a row group that failed may have left some
    const facts = await this.#work.read(file, group);
    result.facts = facts;
    if (this.#options.job.onError === "fail" && facts.firstError !== null) return;
    if (this.#options.job.fingerprintKey !== null) {
      const answers = await this.#options.ask(place, await this.#work.lookups());
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
    result.bytesRead = file.takeBytesRead();
  }

  /** Closes the file of the last row group. */
  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  async #open(name: string): Promise<ParquetFile> {
    if (this.#file?.name === name) return this.#file;
    await this.close();
    this.#file = await ParquetFile.open(name, this.#peers);
    return this.#file;
  }
}

function sharedCopy(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
