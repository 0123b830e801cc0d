import type { Connection, Deadline } from "./redis-connection.ts";
import { CLOCK } from "./redis-scripts.ts";

/** Gives the time of the server that holds a set, by the clock of this process. */
export class ServerClock {
  readonly #connection: Connection;
  readonly #set: string;
  /** Milliseconds by which the server's clock is ahead of `performance.now()`. */
  #aheadMs = 0;

  private constructor(connection: Connection, set: string) {
    this.#connection = connection;
    this.#set = set;
  }

  /** Asks the server that holds `set` for its time. */
  static async measure(
    connection: Connection,
    set: string,
    deadline: Deadline,
  ): Promise<ServerClock> {
    const clock = new ServerClock(connection, set);
    await clock.measure(deadline);
    return clock;
  }

  /** Asks again, for example after a clock was set. */
  async measure(deadline: Deadline): Promise<void> {
    const time = await this.#connection.run(CLOCK, [this.#set], [], deadline);
    const [seconds, microseconds] = (time as unknown[]).map(Number) as [number, number];
    // Counts the time as if it was read when its answer came, so the server's clock is never taken to be
    // later than it is.
    this.#aheadMs = seconds * 1000 + microseconds / 1000 - performance.now();
  }

  /** Returns the time of the server's clock at a deadline, in milliseconds. */
  timeOf(deadline: Deadline): number {
    return Math.floor(deadline + this.#aheadMs);
  }
}
