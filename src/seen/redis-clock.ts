import { performance } from "node:perf_hooks";
import type { Connection, Deadline } from "./redis-connection.ts";
import { CLOCK } from "./redis-scripts.ts";

/** Tells, by this process's clock, the time of the server that holds a set. */
export class ServerClock {
  readonly #connection: Connection;
  readonly #set: string;
  /** How far it is ahead of `performance.now()`, in milliseconds. */
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

  /** Asks again, as when a clock was set anew. */
  async measure(deadline: Deadline): Promise<void> {
    const time = await this.#connection.run(CLOCK, [this.#set], [], deadline);
    const [seconds, microseconds] = (time as unknown[]).map(Number) as [number, number];
    // As if it was read when its answer came: the server is never taken to be ahead of what it is.
    this.#aheadMs = seconds * 1000 + microseconds / 1000 - performance.now();
  }

  /** What the server's clock shows at a deadline, in milliseconds. */
  timeOf(deadline: Deadline): number {
    return Math.floor(deadline + this.#aheadMs);
  }
}
