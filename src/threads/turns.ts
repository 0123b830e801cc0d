/**
 * Words of shared memory by which threads divide a batch. Each thread takes the next chunk and works on it
 * alone. It writes its outcome when the chunks before it have their places.
 */
const NEXT = 0;
/** The chunk that gets its place next. */
const TURN = 1;
const STOPPED = 2;
/** Bytes of the input that are written. */
const AVAILABLE = 3;
const IS_WHOLE = 4;
/** Bytes, rows and changed rows of all chunks that have their places. */
const BYTES = 5;
const ROWS = 6;
const CHANGES = 7;
/** One word for each task: whether a thread is working on it. */
const TASKS = 8;

/** Counts the bytes, rows and changed rows of chunks. */
export interface TurnCounts {
  readonly bytes: number;
  readonly rows: number;
  readonly changes: number;
}

/** Lets the threads of one batch take turns. Every thread makes its own object of the same memory. */
export class Turns {
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** Returns memory for the turns of `tasks` tasks. */
  static memory(tasks: number): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * (TASKS + tasks));
  }

  /** Publishes that `bytes` of the input are written, and whether the input is complete. */
  publish(bytes: number, isWhole: boolean): void {
    const words = this.#words;
    if (isWhole) Atomics.store(words, IS_WHOLE, 1);
    // A stop must not be undone.
    if (!this.isStopped) Atomics.store(words, AVAILABLE, bytes);
    Atomics.notify(words, AVAILABLE);
  }

  /** Returns how much of the input is written. */
  get available(): { readonly bytes: number; readonly isWhole: boolean } {
    // Read in this order: an input that is complete has all its bytes.
    const isWhole = Atomics.load(this.#words, IS_WHOLE) === 1;
    return { bytes: Atomics.load(this.#words, AVAILABLE), isWhole };
  }

  /** Waits until more than `bytes` of the input are written. Returns false if the batch has stopped. */
  waitForMore(bytes: number): boolean {
    if (this.isStopped) return false;
    Atomics.wait(this.#words, AVAILABLE, bytes);
    return !this.isStopped;
  }

  /** Begins a task. Returns false if a thread died while it worked on it: its chunk is lost. */
  begin(task: number): boolean {
    return Atomics.exchange(this.#words, TASKS + task, 1) === 0;
  }

  /** Ends a task that was begun. */
  end(task: number): void {
    Atomics.store(this.#words, TASKS + task, 0);
  }

  /** Takes the next chunk; returns its number. */
  take(): number {
    return Atomics.add(this.#words, NEXT, 1);
  }

  /** Waits until the chunks before `chunk` have their places. Returns false if the batch has stopped. */
  wait(chunk: number): boolean {
    for (;;) {
      const turn = Atomics.load(this.#words, TURN);
      if (this.isStopped) return false;
      if (turn === chunk) return true;
      Atomics.wait(this.#words, TURN, turn);
    }
  }

  /** Returns the counts of all chunks before the one whose turn it is. */
  get totals(): TurnCounts {
    const words = this.#words;
    return {
      bytes: words[BYTES] as number,
      rows: words[ROWS] as number,
      changes: words[CHANGES] as number,
    };
  }

  /** Gives the current chunk its place, and the turn to the next chunk. */
  pass({ bytes, rows, changes }: TurnCounts): void {
    const words = this.#words;
    words[BYTES] = (words[BYTES] as number) + bytes;
    words[ROWS] = (words[ROWS] as number) + rows;
    words[CHANGES] = (words[CHANGES] as number) + changes;
    if (this.isStopped) return;
    Atomics.add(words, TURN, 1);
    Atomics.notify(words, TURN);
  }

  /** Stops the batch. Threads that wait leave, others leave after their chunk. */
  stop(): void {
    const words = this.#words;
    Atomics.store(words, STOPPED, 1);
    // A thread that is about to wait for one of these values will not, because they change.
    Atomics.store(words, TURN, -1);
    Atomics.store(words, AVAILABLE, -1);
    Atomics.notify(words, TURN);
    Atomics.notify(words, AVAILABLE);
  }

  get isStopped(): boolean {
    return Atomics.load(this.#words, STOPPED) === 1;
  }
}
