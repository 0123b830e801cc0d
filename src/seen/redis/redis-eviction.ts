import { UrlmillError } from "../../base/errors.ts";
import { type Connection, type Deadline, isRefusal } from "./redis-connection.ts";
import { MEMORY } from "./redis-scripts.ts";

/** What a server does when its memory is full. */
interface MemoryLimit {
  /** Limits the memory in bytes; 0 if there is no limit. */
  readonly maxmemory: number;
  readonly policy: string;
}

/** Milliseconds for which the answer of a server counts. */
const VALID_MS = 1000;

/** Watches that the server of a set in use does not begin to evict keys. */
export class EvictionWatch {
  readonly #connection: Connection;
  readonly #set: string;
  /** When the server last said that it does not evict, by `performance.now()`. */
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(connection: Connection, set: string) {
    this.#connection = connection;
    this.#set = set;
  }

  /**
   * Asks the server if it was not asked within the last second. Throws `SEEN_FAILED` if it evicts keys or
   * does not say whether it does; then the next call asks again.
   */
  async check(deadline: Deadline): Promise<void> {
    const now = performance.now();
    if (now - this.#askedAt < VALID_MS) return;
    await checkEviction(this.#connection, this.#set, deadline);
    this.#askedAt = now;
  }
}

/**
 * Throws `SEEN_FAILED` if the server that holds `set` evicts keys when its memory is full, or does not say
 * whether it does. Evicted URLs would be new again without notice.
 */
async function checkEviction(
  connection: Connection,
  set: string,
  deadline: Deadline,
): Promise<void> {
  const { maxmemory, policy } = await memoryLimit(connection, set, deadline);
  if (maxmemory === 0 || policy === "noeviction") return;
  throw new UrlmillError(
    "SEEN_FAILED",
    `redis: the server evicts keys when it has ${maxmemory} bytes (maxmemory-policy ${policy}), and evicted URLs come back as new: set maxmemory-policy to noeviction, or allow it with the option allowEviction: true`,
  );
}

async function memoryLimit(
  connection: Connection,
  set: string,
  deadline: Deadline,
): Promise<MemoryLimit> {
  const ways = [
    // A script, because in a cluster it runs on the server that has its key.
    async () => fromInfo(await connection.run(MEMORY, [set], [], deadline)),
    async () => fromInfo(await connection.call("INFO", ["memory"], deadline)),
    async () => fromConfig(await connection.call("CONFIG", ["GET", "maxmemory*"], deadline)),
  ];
  const refusals: string[] = [];
  for (const way of ways) {
    try {
      const limit = await way();
      if (limit !== null) return limit;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(error.message);
    }
  }
  throw new UrlmillError(
    "SEEN_FAILED",
    `redis: the server does not say whether it evicts keys, by INFO memory or CONFIG GET, and evicted URLs would come back as new. If it never evicts them, or may, set the option allowEviction: true (${refusals.join("; ")})`,
  );
}

/** Reads the limit from lines of `name:value`. */
function fromInfo(info: unknown): MemoryLimit | null {
  const lines = String(info).split("\r\n");
  return limitOf(lines.map((line) => line.split(":", 2)));
}

/** Reads the limit from alternating names and values, by the names that CONFIG uses. */
function fromConfig(answer: unknown): MemoryLimit | null {
  const words = (answer as unknown[]).map(String);
  const pairs = words.flatMap((name, at) =>
    at % 2 === 0 ? [[name.replace("-", "_"), words[at + 1] ?? ""]] : [],
  );
  return limitOf(pairs);
}

function limitOf(pairs: readonly string[][]): MemoryLimit | null {
  const values = new Map(pairs.map(([name, value]) => [name, value]));
  const maxmemory = values.get("maxmemory");
  const policy = values.get("maxmemory_policy");
  if (maxmemory === undefined || policy === undefined) return null;
  return { maxmemory: Number(maxmemory), policy };
}
