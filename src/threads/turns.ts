import { OWN_WORDS, SharedWords } from "./shared-words.ts";

/** The chunk that gets its place next. */
const TURN = OWN_WORDS;
/** Bytes of the input that are written. */
const AVAILABLE = OWN_WORDS + 1;
const IS_WHOLE = OWN_WORDS + 2;
/** Bytes, rows and changed rows of all chunks that have their places. */
const BYTES = OWN_WORDS + 3;
const ROWS = OWN_WORDS + 4;
const CHANGES = OWN_WORDS + 5;
/** One word for each task: whether a thread is working on it. */
const TASKS = OWN_WORDS + 6;

/** Counts the bytes, rows and changed rows of chunks. */
export interface TurnCounts {
  readonly bytes: number;
  readonly rows: number;
  readonly changes: number;
}

/** Says how much of the input is written. */
export interface AvailableInput {
  readonly bytes: number;
  readonly isWhole: boolean;
  /** The number of events before this was read. */
  readonly events: number;
}

/**
 * Lets the threads of one batch take turns. Each thread takes the next chunk and works on it alone. It writes its
 * outcome when the chunks before it have their places.
 */
export class Turns extends SharedWords {
  /** Returns memory for the turns of `tasks` tasks. */
  static memory(tasks: number): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * (TASKS + tasks));
  }

  /** Publishes that `bytes` of the input are written, and whether the input is complete. */
  publish(bytes: number, isWhole: boolean): void {
    Atomics.store(this.words, AVAILABLE, bytes);
    if (isWhole) Atomics.store(this.words, IS_WHOLE, 1);
    this.raise();
  }

  /** Returns how much of the input is written. */
  get available(): AvailableInput {
    const { events } = this;
    // Read in this order: an input that is complete has all its bytes.
    const isWhole = Atomics.load(this.words, IS_WHOLE) === 1;
    return { bytes: Atomics.load(this.words, AVAILABLE), isWhole, events };
  }

  /** Waits until more of the input may be written than was available. Returns false if the batch has stopped. */
  waitForMore({ events }: AvailableInput): boolean {
    if (this.isStopped) return false;
    this.wait(events);
    return !this.isStopped;
  }

  /** Begins a task. Returns false if a thread died while it worked on it: its chunk is lost. */
  begin(task: number): boolean {
    return Atomics.exchange(this.words, TASKS + task, 1) === 0;
  }

  /** Ends a task that was begun. */
  end(task: number): void {
    Atomics.store(this.words, TASKS + task, 0);
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

  /** Returns the counts of all chunks before the one whose turn it is. */
  get totals(): TurnCounts {
    const { words } = this;
    return {
      bytes: words[BYTES] as number,
      rows: words[ROWS] as number,
      changes: words[CHANGES] as number,
    };
  }

  /** Gives the current chunk its place, and the turn to the next chunk. */
  pass({ bytes, rows, changes }: TurnCounts): void {
    const { words } = this;
    words[BYTES] = (words[BYTES] as number) + bytes;
    words[ROWS] = (words[ROWS] as number) + rows;
    words[CHANGES] = (words[CHANGES] as number) + changes;
    Atomics.add(words, TURN, 1);
    this.raise();
  }

  /** Stops the batch. Threads that wait leave, others leave after their chunk. */
  stop(): void {
    this.stopBy(1);
  }
}
