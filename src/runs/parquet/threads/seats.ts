/** Names where work is done: on the calling thread or on a worker. */
export type Seat = "here" | "worker";

/**
 * Gives seats in the order in which they are asked for. A row group that waits for the answers of one before it has a
 * seat only if that one has one, too, so they never wait for each other.
 */
export class Seats {
  #isFreeHere = true;
  #freeWorkers: number;
  readonly #waiting: ((seat: Seat) => void)[] = [];

  constructor(workers: number) {
    this.#freeWorkers = workers;
  }

  /** Takes a seat, on the calling thread if that is free. Waits until there is one. */
  take(): Promise<Seat> {
    return new Promise((give) => {
      this.#waiting.push(give);
      this.#giveNext();
    });
  }

  leave(seat: Seat): void {
    if (seat === "here") this.#isFreeHere = true;
    else this.#freeWorkers++;
    this.#giveNext();
  }

  #giveNext(): void {
    if (this.#waiting.length === 0 || (!this.#isFreeHere && this.#freeWorkers === 0)) return;
    const seat: Seat = this.#isFreeHere ? "here" : "worker";
    if (seat === "here") this.#isFreeHere = false;
    else this.#freeWorkers--;
    this.#waiting.shift()?.(seat);
  }
}
