import { setImmediate } from "node:timers/promises";
import { IoError } from "../../../io/io-error.ts";
import type { ParquetFile } from "../../../parquet/input-file.ts";
import { inOrder } from "../../../threads/in-order.ts";
import { advised } from "../../../threads/retry.ts";
import type { WorkersOptions } from "../../../threads/start-pool.ts";
import { Workers } from "../../../threads/workers.ts";
import type { RowDecider } from "../../keys/row-decider.ts";
import { answerLookups, type Lookups } from "../new-rows.ts";
import { GroupRunner, type GroupRunnerOptions } from "./group-runner.ts";
import type { GroupQuestion, GroupResult, GroupTask } from "./group-task.ts";
import { SharedAnswer } from "./shared-answer.ts";
import { ThreadSlots } from "./thread-slots.ts";

/** Says what a user can do if a worker dies twice. */
const ADVICE = "if memory ran out, use --threads 1";

/** How many row groups may be done before an earlier one is. */
const AHEAD = 1;

/** Names a row group of a file. `group` is null for a file without rows. */
export interface PlacedGroup {
  readonly file: ParquetFile;
  readonly group: number | null;
}

/** Holds what became of a row group on a worker. */
export interface DoneGroup extends PlacedGroup {
  /** Null if the file has no rows. */
  readonly result: GroupResult | null;
  /** The error that ended the work on the row group, or null. */
  readonly error: unknown;
}

/** Asks the set of keys about a row group. */
interface Question {
  readonly lookups: Lookups;
  /** Takes a byte for each lookup, or null if the set has no room. */
  readonly give: (answers: Uint8Array | null) => void;
}

export interface GroupThreadsOptions {
  /** The worker threads, one fewer than the run has threads. */
  readonly workers: WorkersOptions;
  /** Says how to work on the calling thread. */
  readonly here: Omit<GroupRunnerOptions, "ask">;
  readonly keys: RowDecider | null;
  /** Takes the new fingerprints of each row group. */
  readonly onFresh: (fresh: Uint8Array) => void;
}

/**
 * Does the work on row groups on the calling thread and on worker threads. Each has one row group at a time. The set of
 * keys is asked on the calling thread, in the order of the row groups, so the first row of each key wins.
 */
export class GroupThreads {
  readonly #workers: Workers<GroupTask, GroupResult, GroupQuestion>;
  readonly #here: GroupRunner;
  readonly #slots: ThreadSlots;
  readonly #limit: number;
  readonly #keys: RowDecider | null;
  readonly #onFresh: (fresh: Uint8Array) => void;
  readonly #stopping = new AbortController();
  /** The questions that were not answered yet, by the places of their row groups. */
  readonly #questions = new Map<number, Question>();
  /**
   * The answers that were asked for, by place, until the work on their row groups is done: a worker that replaces a dead one
   * asks again. Null if the set has no room.
   */
  readonly #answers = new Map<number, Promise<Uint8Array | null>>();
  #places = 0;
  /** The place of the row group that is answered next. */
  #next = 0;
  #isAnswering = false;
  /** The error of the set, and the place at which it came. */
  #refused: { readonly place: number; readonly error: unknown } | null = null;

  constructor({ workers, here, keys, onFresh }: GroupThreadsOptions) {
    const hear = (question: GroupQuestion): void => this.#hear(question);
    this.#workers = new Workers(workers, null, { hear });
    this.#here = new GroupRunner({
      ...here,
      ask: (place, lookups) => new Promise((give) => this.#ask(place, { lookups, give })),
    });
    this.#slots = new ThreadSlots(workers.threads);
    this.#limit = workers.threads + 1 + AHEAD;
    this.#keys = keys;
    this.#onFresh = onFresh;
  }

  /** Yields what became of each row group, in order. */
  results(groups: AsyncIterable<PlacedGroup>): AsyncGenerator<DoneGroup, void, undefined> {
    return inOrder(groups, this.#limit, (placed) => this.#do(placed), this.#stopping.signal);
  }

  /** Ends the work with `reason`. */
  stop(reason: Error): void {
    this.#stopping.abort(reason);
  }

  /** Ends the threads where they are. */
  async close(): Promise<void> {
    await this.#workers.stop(new Error("the run has ended"));
    await this.#here.close();
  }

  async #do({ file, group }: PlacedGroup): Promise<DoneGroup> {
    if (group === null) return { file, group, result: null, error: null };
    const place = this.#places++;
    const task = { file: file.name, group, place };
    const slot = await this.#slots.take();
    try {
      const result = await (slot === "here" ? this.#here.run(task) : this.#send(task));
      const { failure } = result;
      const error = failure === null ? this.#errorAt(place) : new IoError(failure);
      return { file, group, result, error };
    } finally {
      this.#slots.leave(slot);
      this.#answers.delete(place);
    }
  }

  async #send(task: GroupTask): Promise<GroupResult> {
    const name = (): string => `row group ${task.group + 1} of ${task.file}`;
    try {
      return await this.#workers.run(task, name, this.#stopping.signal);
    } catch (error) {
      throw advised(error, ADVICE);
    }
  }

  #errorAt(place: number): unknown {
    return this.#refused?.place === place ? this.#refused.error : null;
  }

  /** Takes the question of a worker. */
  #hear({ place, lookups, answer }: GroupQuestion): void {
    const shared = new SharedAnswer(answer);
    const give = (answers: Uint8Array | null): void =>
      answers === null ? shared.refuse() : shared.give(answers);
    const known = this.#answers.get(place);
    if (known === undefined) this.#ask(place, { lookups, give });
    else void known.then(give);
  }

  #ask(place: number, question: Question): void {
    this.#questions.set(place, question);
    if (!this.#isAnswering) void this.#answerAll();
  }

  /** Answers all row groups whose turn it is. */
  async #answerAll(): Promise<void> {
    this.#isAnswering = true;
    for (;;) {
      const question = this.#questions.get(this.#next);
      if (question === undefined || this.#refused !== null) break;
      const place = this.#next++;
      this.#questions.delete(place);
      const answers = this.#answer(place, question.lookups);
      this.#answers.set(place, answers);
      question.give(await answers);
    }
    this.#isAnswering = false;
  }

  /** Asks the set. Returns null if it has no room, and keeps its error. */
  async #answer(place: number, lookups: Lookups): Promise<Uint8Array | null> {
    try {
      // Signals are handled between slices.
      const answers = await answerLookups(lookups, this.#keys as RowDecider, () => setImmediate());
      this.#onFresh(answers.fresh);
      return answers.rows;
    } catch (error) {
      this.#refused = { place, error };
      return null;
    }
  }
}
