/**
 * Lets one waiter wait for a change, again and again. Each wait has its own promise, so nothing is kept.
 * `Promise.race` with a long-lived promise would keep every outcome of every race.
 */
export class Wakeup {
  #wake: (() => void) | null = null;

  /** Waits for the next `raise`. Check first, in the same turn, whether you still need to wait. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Ends the current wait; does nothing if nobody waits. */
  raise(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
