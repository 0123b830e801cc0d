import { UrlmillError } from "../../base/errors.ts";
import { builtin, peerError } from "../../base/peer.ts";
import { CLOCK, type Script } from "./redis-scripts.ts";

/** Describes the parts of an `ioredis` client that are used. */
export interface RedisClient {
  /** Sends one command and returns the server's answer. */
  call(command: string, args: (string | number)[]): Promise<unknown>;
}

/** Gives the time by which an answer must have come, on the clock of `performance.now()`. */
export type Deadline = number;

/** Loads the package, where programs may open connections: browsers may not. */
async function loadIoredis(): Promise<Pick<typeof import("ioredis"), "Redis">> {
  builtin("node:net");
  try {
    return await import("ioredis");
  } catch (error) {
    throw peerError(error, "ioredis", "SEEN_FAILED");
  }
}

/** Sends calls to a server, limits the time for an answer, and ends the client only if it made it. */
export class Connection {
  readonly #client: RedisClient;
  readonly #timeoutMs: number;
  readonly #end: () => void;

  private constructor(client: RedisClient, timeoutMs: number, end: () => void) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#end = end;
  }

  /** Returns a connection by a caller's client, or by its own client to the URL of a server. */
  static async to(server: RedisClient | string, timeoutMs: number): Promise<Connection> {
    if (typeof server !== "string") return new Connection(server, timeoutMs, () => {});
    const { Redis } = await loadIoredis();
    const client = new Redis(server);
    client.on("error", () => {}); // each call that fails throws it
    return new Connection(client, timeoutMs, () => client.disconnect());
  }

  /** Returns the time by which calls that start now must be answered. */
  deadline(): Deadline {
    return performance.now() + this.#timeoutMs;
  }

  /** Runs a script. Sends only its digest if the server knows the script. */
  async run(
    { sha1, lua }: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    deadline: Deadline,
  ): Promise<unknown> {
    const rest = [keys.length, ...keys, ...args];
    try {
      return await this.call("EVALSHA", [sha1, ...rest], deadline);
    } catch (error) {
      if (!(error as Error).message.includes("NOSCRIPT")) throw error;
      return this.call("EVAL", [lua, ...rest], deadline);
    }
  }

  /**
   * Returns the server's answer. Throws `SEEN_FAILED` if the call fails, or if no answer comes by the
   * deadline. The server may still run such a call later.
   */
  async call(command: string, args: (string | number)[], deadline: Deadline): Promise<unknown> {
    const timer = new AbortController();
    try {
      const answer = this.#client.call(command, args);
      return await Promise.race([answer, this.#expire(deadline, timer.signal)]);
    } catch (error) {
      if (error instanceof UrlmillError) throw error;
      const { name, message } = error as Error;
      const failure = new UrlmillError("SEEN_FAILED", `redis: ${message}`);
      if (name === "ReplyError") refusals.add(failure);
      throw failure;
    } finally {
      timer.abort();
    }
  }

  /** Throws at the deadline. */
  async #expire(deadline: Deadline, signal: AbortSignal): Promise<never> {
    const { setImmediate, setTimeout } = builtin("node:timers/promises");
    await setTimeout(Math.max(0, deadline - performance.now()), undefined, { signal });
    // An answer may have come while this thread was busy, so it is read first.
    await setImmediate(undefined, { signal });
    throw new UrlmillError(
      "SEEN_FAILED",
      `redis: no answer within ${this.#timeoutMs / 1000} seconds: call again with the same URLs to get their answers`,
    );
  }

  /** Ends the client if it is the connection's own; a caller's client stays as it is. */
  close(): void {
    this.#end();
  }
}

/**
 * Errors of calls that the server refused. They do not keep the client's error as their cause: it holds the
 * arguments of the call, and so the key of the set, which would be printed.
 */
const refusals = new WeakSet<Error>();

/** Returns whether a call failed because the server refused it, not on the way there. */
export function isRefusal(error: unknown): error is UrlmillError {
  return error instanceof UrlmillError && refusals.has(error);
}

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
