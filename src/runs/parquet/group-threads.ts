import { setImmediate } from "node:timers/promises";
import { IoError } from "../../io/io-error.ts";
import type { ParquetFile } from "../../parquet/input-file.ts";
import { advised } from "../../threads/again.ts";
import { inOrder } from "../../threads/in-order.ts";
import type { WorkersOptions } from "../../threads/start-pool.ts";
import { Workers } from "../../threads/workers.ts";
import type { KeySet } from "../keys/key-set.ts";
import type { GroupQuestion, GroupResult, GroupTask } from "./group-task.ts";
import { answerLookups } from "./new-rows.ts";
import { SharedAnswer } from "./shared-answer.ts";

/** Says what a user can do if a worker dies twice. */
const ADVICE = "if memory ran out, use --threads 1";

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

/**
 * Does the work on row groups on worker threads. Each thread has one row group at a time. The set of keys is asked here,
 * in the order of the row groups, so the first row of each key wins.
 */
export class GroupThreads {
  readonly #workers: Workers<GroupTask, GroupResult, GroupQuestion>;
  readonly #threads: number;
  readonly #keys: KeySet | null;
  readonly #onFresh: (fresh: Uint8Array) => void;
  readonly #stopping = new AbortController();
  /** The questions that were not answered yet, by the places of their row groups. */
  readonly #questions = new Map<number, GroupQuestion>();
  /** The answers, by place, until the work on their row groups is done: a worker that died is asked again. */
  readonly #answers = new Map<number, Uint8Array>();
  #places = 0;
  /** The place of the row group that is answered next. */
  #next = 0;
  #isAnswering = false;
  /** The error of the set, and the place at which it came. */
  #refused: { readonly place: number; readonly error: unknown } | null = null;

  /** `onFresh`: takes the new fingerprints of each row group. */
  constructor(options: WorkersOptions, keys: KeySet | null, onFresh: (fresh: Uint8Array) => void) {
    const hear = (question: GroupQuestion): void => this.#hear(question);
    this.#workers = new Workers(options, null, { hear });
    this.#threads = options.threads;
    this.#keys = keys;
    this.#onFresh = onFresh;
  }

  /**
   * Yields what became of each row group, in order. No more row groups are under way than there are threads: one whose
   * worker died finds another, while the rest wait for its answers.
   */
  results(groups: AsyncIterable<PlacedGroup>): AsyncGenerator<DoneGroup, void, undefined> {
    return inOrder(groups, this.#threads, (placed) => this.#do(placed), this.#stopping.signal);
  }

  /** Ends the work with `reason`. */
  stop(reason: Error): void {
    this.#stopping.abort(reason);
  }

  /** Ends the threads where they are. */
  close(): Promise<void> {
    return this.#workers.stop(new Error("the run has ended"));
  }

  async #do({ file, group }: PlacedGroup): Promise<DoneGroup> {
    if (group === null) return { file, group, result: null, error: null };
    const place = this.#places++;
    const task = { file: file.name, group, place };
    const name = (): string => `row group ${group + 1} of ${file.name}`;
    try {
      const result = await this.#workers.run(task, name, this.#stopping.signal);
      const { failure } = result;
      const error = failure === null ? this.#errorAt(place) : new IoError(failure);
      return { file, group, result, error };
    } catch (error) {
      throw advised(error, ADVICE);
    } finally {
      this.#answers.delete(place);
    }
  }

  #errorAt(place: number): unknown {
    return this.#refused?.place === place ? this.#refused.error : null;
  }

  #hear(question: GroupQuestion): void {
    const known = this.#answers.get(question.place);
    if (known !== undefined) {
      new SharedAnswer(question.answer).give(known);
      return;
    }
    this.#questions.set(question.place, question);
    if (!this.#isAnswering) void this.#answerAll();
  }

  /** Answers all row groups whose turn it is. */
  async #answerAll(): Promise<void> {
    this.#isAnswering = true;
    for (;;) {
      const question = this.#questions.get(this.#next);
      if (question === undefined || this.#refused !== null) break;
      await this.#answer(question);
      this.#questions.delete(this.#next);
      this.#next++;
    }
    this.#isAnswering = false;
  }

  async #answer({ place, lookups, answer }: GroupQuestion): Promise<void> {
    try {
      // Signals are handled between slices.
      const { rows, fresh } = await answerLookups(lookups, this.#keys as KeySet, () =>
        setImmediate(),
      );
      this.#onFresh(fresh);
      this.#answers.set(place, rows);
      new SharedAnswer(answer).give(rows);
    } catch (error) {
      this.#refused = { place, error };
      new SharedAnswer(answer).refuse();
    }
  }
}
