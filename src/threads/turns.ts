import { OWN_WORDS, SharedWords } from "./shared-words.ts";

/** The chunk that gets its place next. */
const TURN = OWN_WORDS;
/** Bytes of the outcome that had no room, or 0. */
const LACKING = OWN_WORDS + 1;
const TASK_COUNT = OWN_WORDS + 2;
/** One word for each task: 1 + the number of the chunk whose outcome it is writing, or 0. The places follow. */
const TASKS = OWN_WORDS + 3;
/** The words of a place. */
const PLACE = 4;

/** Counts the input, and the bytes, rows and changed rows of the output, of some chunks. */
export interface TurnCounts {
  /** Counts bytes of lines, or rows of a column. */
  readonly input: number;
  readonly bytes: number;
  readonly rows: number;
  readonly changes: number;
}

/**
 * Lets the threads of one batch take turns. Each thread takes the next chunk and works on it alone. It writes its
 * outcome when the chunks before it have their places.
 */
export class Turns extends SharedWords {
  /** Returns memory for the turns of `tasks` tasks on at most `chunks` chunks. */
  static memory(tasks: number, chunks: number): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(4 * (TASKS + tasks + PLACE * (chunks + 1)));
    new Int32Array(memory)[TASK_COUNT] = tasks;
    return memory;
  }

  /** Takes the next chunk; returns its number. */
  take(): number {
    return this.claimBelow(Number.POSITIVE_INFINITY) as number;
  }

  /** Waits until the chunks before `chunk` have their places. Returns false if the batch has stopped. */
  waitForTurn(chunk: number): boolean {
    for (;;) {
      const { events } = this;
      if (this.isStopped) return false;
      if (Atomics.load(this.words, TURN) === chunk) return true;
      this.wait(events);
    }
  }

  /** Returns the place of the chunk whose turn it is: the counts of all chunks before it. */
  get place(): TurnCounts {
    return this.#placeOf(Atomics.load(this.words, TURN));
  }

  /** Returns the counts of the chunks before the first whose outcome is not written. */
  get written(): TurnCounts {
    const tasks = this.words.subarray(TASKS, TASKS + (this.words[TASK_COUNT] as number));
    const unwritten = tasks.filter((chunk) => chunk > 0).map((chunk) => chunk - 1);
    return this.#placeOf(Math.min(Atomics.load(this.words, TURN), ...unwritten));
  }

  /** Gives the current chunk its place, and the turn to the next chunk. `task` must then write the outcome. */
  pass(task: number, { input, bytes, rows, changes }: TurnCounts): void {
    const { words, place } = this;
    const chunk = Atomics.load(words, TURN);
    words.set(
      [place.input + input, place.bytes + bytes, place.rows + rows, place.changes + changes],
      this.#placeAt(chunk + 1),
    );
    Atomics.store(words, TASKS + task, chunk + 1);
    Atomics.add(words, TURN, 1);
    this.raise();
  }

  /** Says that a task has written the outcome of the chunk that it passed. */
  end(task: number): void {
    Atomics.store(this.words, TASKS + task, 0);
  }

  /** Stops the batch. Threads that wait leave, others leave after their chunk. */
  stop(): void {
    this.stopBy(1);
  }

  /** Stops the batch because it has no room for the outcome of a chunk, which has so many bytes. */
  stopWithoutRoom(bytes: number): void {
    Atomics.store(this.words, LACKING, bytes);
    this.stop();
  }

  /** Returns the bytes of an outcome for which there was no room, or 0. */
  get lackingBytes(): number {
    return Atomics.load(this.words, LACKING);
  }

  #placeOf(chunk: number): TurnCounts {
    const [input, bytes, rows, changes] = this.words.subarray(this.#placeAt(chunk));
    return { input, bytes, rows, changes } as TurnCounts;
  }

  #placeAt(chunk: number): number {
    return TASKS + (this.words[TASK_COUNT] as number) + PLACE * chunk;
  }
}
