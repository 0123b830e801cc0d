/** How long the calling thread works before other events have their turn, in milliseconds. */
const LONGEST_TURN_MS = 50;

/** Lets other events of the calling thread have their turn during a long computation. */
export class Pauses {
  #began = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#began > LONGEST_TURN_MS;
  }

  /** Waits until the events that have come are handled. */
  async pause(): Promise<void> {
    await new Promise((resume) => setTimeout(resume, 0));
    this.#began = performance.now();
  }
}
