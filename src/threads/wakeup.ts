/**
 * Lets one waiter wait for a change, again and again. Each wait is a promise of its own, so nothing that
 * was waited with is kept: `Promise.race` with a promise that lives long keeps every outcome of every race.
 */
export class Wakeup {
  #wake: (() => void) | null = null;

  /** Waits for the next `raise`. Check what you wait for first, in the same turn. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Ends the wait under way; does nothing where nobody waits. */
  raise(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
