/** Names where work is done: on the calling thread or on a worker. */
export type ThreadSlot = "here" | "worker";

/**
 * Gives slots in the order in which they are asked for. A row group that waits for the answers of one before it has a
 * slot only if that one has one, too, so they never wait for each other.
 */
export class ThreadSlots {
  #isFreeHere = true;
  #freeWorkers: number;
  readonly #waiting: ((slot: ThreadSlot) => void)[] = [];

  constructor(workers: number) {
    this.#freeWorkers = workers;
  }

  /** Takes a slot, on the calling thread if that is free. Waits until there is one. */
  take(): Promise<ThreadSlot> {
    return new Promise((give) => {
      this.#waiting.push(give);
      this.#giveNext();
    });
  }

  leave(slot: ThreadSlot): void {
    if (slot === "here") this.#isFreeHere = true;
    else this.#freeWorkers++;
    this.#giveNext();
  }

  #giveNext(): void {
    if (this.#waiting.length === 0 || (!this.#isFreeHere && this.#freeWorkers === 0)) return;
    const slot: ThreadSlot = this.#isFreeHere ? "here" : "worker";
    if (slot === "here") this.#isFreeHere = false;
    else this.#freeWorkers--;
    this.#waiting.shift()?.(slot);
  }
}
