/**
 * Words of shared memory by which threads divide a batch among themselves: each takes the next chunk, works on it
 * alone, and writes its outcome when the chunks before it have their places.
 */
const NEXT = 0;
/** The chunk whose turn it is to get its place. */
const TURN = 1;
const STOPPED = 2;
/** Bytes of the input that are there. */
const AVAILABLE = 3;
const IS_WHOLE = 4;
/** Bytes, rows and changed rows of the chunks that have their places. */
const BYTES = 5;
const ROWS = 6;
const CHANGES = 7;
/** A word for each task: whether a thread is in the middle of it. */
const TASKS = 8;

/** Counts what chunks came to. */
export interface TurnCounts {
  readonly bytes: number;
  readonly rows: number;
  readonly changes: number;
}

/** Lets the threads of one batch take turns. Every thread makes its own of the same memory. */
export class Turns {
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** Returns memory for the turns of `tasks` tasks. */
  static memory(tasks: number): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * (TASKS + tasks));
  }

  /** Says that `bytes` of the input are there, and whether these are all. */
  publish(bytes: number, isWhole: boolean): void {
    const words = this.#words;
    if (isWhole) Atomics.store(words, IS_WHOLE, 1);
    // A stop must not be undone.
    if (!this.isStopped) Atomics.store(words, AVAILABLE, bytes);
    Atomics.notify(words, AVAILABLE);
  }

  /** Returns how much of the input is there. */
  get available(): { readonly bytes: number; readonly isWhole: boolean } {
    // In this order: what is whole has all its bytes.
    const isWhole = Atomics.load(this.#words, IS_WHOLE) === 1;
    return { bytes: Atomics.load(this.#words, AVAILABLE), isWhole };
  }

  /** Waits until more than `bytes` of the input are there. Returns false where the batch has stopped. */
  waitForMore(bytes: number): boolean {
    if (this.isStopped) return false;
    Atomics.wait(this.#words, AVAILABLE, bytes);
    return !this.isStopped;
  }

  /** Begins a task. Returns false where a thread has died in the middle of it: its chunk is lost. */
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

  /** Waits until the chunks before `chunk` have their places. Returns false where the batch has stopped. */
  wait(chunk: number): boolean {
    for (;;) {
      const turn = Atomics.load(this.#words, TURN);
      if (this.isStopped) return false;
      if (turn === chunk) return true;
      Atomics.wait(this.#words, TURN, turn);
    }
  }

  /** Returns what the chunks before the one whose turn it is came to. */
  get totals(): TurnCounts {
    const words = this.#words;
    return {
      bytes: words[BYTES] as number,
      rows: words[ROWS] as number,
      changes: words[CHANGES] as number,
    };
  }

  /** Gives the chunk whose turn it is its place, and the turn to the next. */
  pass({ bytes, rows, changes }: TurnCounts): void {
    const words = this.#words;
    words[BYTES] = (words[BYTES] as number) + bytes;
    words[ROWS] = (words[ROWS] as number) + rows;
    words[CHANGES] = (words[CHANGES] as number) + changes;
    if (this.isStopped) return;
    Atomics.add(words, TURN, 1);
    Atomics.notify(words, TURN);
  }

  /** Ends the batch: threads that wait leave, others after their chunk. */
  stop(): void {
    const words = this.#words;
    Atomics.store(words, STOPPED, 1);
    // Whoever is about to wait for another value of these does not.
    Atomics.store(words, TURN, -1);
    Atomics.store(words, AVAILABLE, -1);
    Atomics.notify(words, TURN);
    Atomics.notify(words, AVAILABLE);
  }

  get isStopped(): boolean {
    return Atomics.load(this.#words, STOPPED) === 1;
  }
}
