// The words that every protocol has. Those of its own come after them.
/** How the work was stopped, or 0. */
const STOPPED = 0;
/** The number of pieces that are claimed. */
const CLAIMED = 1;
const EVENTS = 2;
const SLEEPERS = 3;
/** The first word that a protocol has of its own. */
export const OWN_WORDS = 4;

/**
 * Holds words of shared memory by which threads divide work and tell each other how far they are. Every thread makes
 * its own object of the same memory.
 */
export abstract class SharedWords {
  protected readonly words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory);
  }

  /** Returns the number of events so far, for `wait`. */
  get events(): number {
    return Atomics.load(this.words, EVENTS);
  }

  /**
   * Waits for an event after the first `events`, at most so many milliseconds if they are given. Check after you read the
   * number of events whether you still need to wait.
   */
  wait(events: number, milliseconds?: number): void {
    Atomics.add(this.words, SLEEPERS, 1);
    Atomics.wait(this.words, EVENTS, events, milliseconds);
    Atomics.sub(this.words, SLEEPERS, 1);
  }

  /** Wakes the threads that wait for an event. */
  protected raise(): void {
    Atomics.add(this.words, EVENTS, 1);
    if (Atomics.load(this.words, SLEEPERS) > 0) Atomics.notify(this.words, EVENTS);
  }

  /** Claims the next piece below `limit` and returns its number. Returns null if there is none. */
  protected claimBelow(limit: number): number | null {
    const next = Atomics.load(this.words, CLAIMED);
    if (next >= limit) return null;
    const found = Atomics.compareExchange(this.words, CLAIMED, next, next + 1);
    return found === next ? next : this.claimBelow(limit);
  }

  /** Returns whether the work must end. */
  get isStopped(): boolean {
    return this.stoppedBy !== 0;
  }

  /** Returns how the work was stopped, or 0. */
  protected get stoppedBy(): number {
    return Atomics.load(this.words, STOPPED);
  }

  /** Stops the work, and wakes all threads. The first way to stop stays, unless a later one `replaces` it. */
  protected stopBy(how: number, replaces = false): void {
    if (replaces) Atomics.store(this.words, STOPPED, how);
    else Atomics.compareExchange(this.words, STOPPED, 0, how);
    this.raise();
  }
}
