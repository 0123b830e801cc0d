import { performance } from "node:perf_hooks";
import { setImmediate, setTimeout } from "node:timers/promises";
import { UrlmillError } from "../errors.ts";
import { loadPeer } from "../peer.ts";
import type { Script } from "./redis-scripts.ts";

/** Describes what is used of a client of package `ioredis`. */
export interface RedisClient {
  /** Sends one command and returns the server's answer. */
  call(command: string, args: (string | number)[]): Promise<unknown>;
}

/** Gives the time by which an answer must be there, on the clock of `performance.now()`. */
export type Deadline = number;

/**
 * Sends calls to a server with a limit on the time for an answer, and knows who ends the client.
 */
export class Connection {
  readonly #client: RedisClient;
  readonly #timeoutMs: number;
  readonly #end: () => void;

  private constructor(client: RedisClient, timeoutMs: number, end: () => void) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#end = end;
  }

  /** Returns a connection by a caller's client, or by a client of its own to a server's URL. */
  static async to(server: RedisClient | string, timeoutMs: number): Promise<Connection> {
    if (typeof server !== "string") return new Connection(server, timeoutMs, () => {});
    const { Redis } = await loadPeer("ioredis", "SEEN_FAILED", () => import("ioredis"));
    const client = new Redis(server);
    client.on("error", () => {}); // each call that fails hears of it
    return new Connection(client, timeoutMs, () => client.disconnect());
  }

  /** Returns the time by which calls that start now must be answered. */
  deadline(): Deadline {
    return performance.now() + this.#timeoutMs;
  }

  /** Runs a script, by its digest where the server knows it. */
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
   * Returns the server's answer. Throws `SEEN_FAILED` where the call fails, or where no answer comes by
   * the deadline; the server may take up such a call later.
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
    await setTimeout(Math.max(0, deadline - performance.now()), undefined, { signal });
    // An answer may have come while this thread was busy: it is read first.
    await setImmediate(undefined, { signal });
    throw new UrlmillError(
      "SEEN_FAILED",
      `redis: no answer within ${this.#timeoutMs / 1000} seconds: call again with the same URLs, which get the answers they would have got`,
    );
  }

  /** Ends a client of its own; a caller's stays as it is. */
  close(): void {
    this.#end();
  }
}

/**
 * Errors for calls that the server refused. Not by their cause: the client's error has the arguments of
 * the call, among them the key of the set, and would be printed with it.
 */
const refusals = new WeakSet<Error>();

/** Returns whether a call failed because the server refused it, rather than on the way there. */
export function isRefusal(error: unknown): error is UrlmillError {
  return error instanceof UrlmillError && refusals.has(error);
}
