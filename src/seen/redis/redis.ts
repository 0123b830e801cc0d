import { UrlmillError } from "../../base/errors.ts";
import { builtin } from "../../base/peer.ts";
import { badOption, checkNames, checkOptionsObject } from "../../options/options.ts";
import {
  checkIdentity,
  decodeIdentity,
  encodeIdentity,
  newIdentity,
} from "../contract/identity.ts";
import type { OpenSeenStore } from "../contract/store.ts";
import { Connection, type RedisClient, ServerClock } from "./redis-connection.ts";
import { EvictionWatch } from "./redis-eviction.ts";
import { OPEN } from "./redis-scripts.ts";
import { RedisStore } from "./redis-store.ts";

/**
 * The average number of members of a bucket in a full set. The server stores up to 512 integers of a set in 8
 * bytes each.
 */
const BUCKET = 320;
const DEFAULT_CAPACITY = 10_000_000;
/** A bucket is picked by 32 bits. */
const MAX_CAPACITY = BUCKET * 2 ** 32;
const DEFAULT_TIMEOUT_MS = 10_000;
/** Node ends longer timers at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Holds the options of `redis`: what the set is, and what its server is allowed to do. */
export interface RedisOptions {
  /**
   * Names the set in the server; its keys are `urlmill:{name}:...`. The name is not empty and has
   * no `}`, so that a cluster keeps all keys in one slot.
   */
  readonly name: string;
  /**
   * Sets how many URLs a new set is made for. With more than 1.6 times as many, each URL takes more memory.
   *
   * @default 10000000
   */
  readonly capacity?: number;
  /**
   * Sets the seconds after which the server forgets a new set; 0 means never.
   *
   * @default 0
   */
  readonly ttl?: number;
  /**
   * Sets the milliseconds that a call waits for its answer before it fails with `SEEN_FAILED`.
   *
   * @default 10000
   */
  readonly timeoutMs?: number;
  /**
   * Accepts a server that evicts keys when its memory is full (`maxmemory-policy`), or does not say
   * whether it does. Evicted URLs come back as new. By default such a server is refused with
   * `SEEN_FAILED`: when the set is opened, and by the calls that use it, which ask again once a second.
   *
   * @default false
   */
  readonly allowEviction?: boolean;
}

/**
 * Returns a store for `SeenSet.open` that keeps a set in a Redis server (package `ioredis`, Redis 5 or
 * later), for many machines. `server` is a client, or a URL, for which the set makes a client and ends it on
 * `close`. Throws `BAD_OPTION` for an option that it cannot take.
 *
 * A fingerprint is a 64-bit member of a set of integers, and the bits that pick this set. Up to 8,192 rows go
 * in one call, which adds all of them or none. If the answer of a call was lost, the same call gets the same
 * answer again, from the client or from the caller. A call that was not answered in time does nothing if it
 * reaches the server later. URLs that the server forgets in a crash are new again: only with `appendonly yes`
 * and `appendfsync always` it forgets none. With `everysec` it answers before it writes while its disk is slow.
 *
 * @example
 * const seen = await SeenSet.open(redis("redis://localhost:6379", { name: "crawl" }));
 * await seen.addBatch(["http://a/"]); // Uint8Array.of(1)
 * await seen.close(); // undefined
 */
export function redis(server: RedisClient | string, options: RedisOptions): OpenSeenStore {
  checkOptionsObject(options, '{ name: "crawl" }');
  checkNames(Object.keys(options), ["name", "capacity", "ttl", "timeoutMs", "allowEviction"]);
  const { name, capacity = DEFAULT_CAPACITY, ttl = 0 } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, allowEviction = false } = options;
  if (typeof name !== "string" || name === "" || name.includes("}")) {
    throw badOption("name", name, "a name that is not empty and has no }");
  }
  if (!(capacity >= 1 && capacity <= MAX_CAPACITY)) {
    throw badOption("capacity", capacity, `a number of URLs, at most ${MAX_CAPACITY}`);
  }
  if (!Number.isSafeInteger(ttl) || ttl < 0) {
    throw badOption("ttl", ttl, "a whole number of seconds");
  }
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw badOption("timeoutMs", timeoutMs, `a number of milliseconds, at most ${MAX_TIMEOUT_MS}`);
  }
  if (typeof allowEviction !== "boolean") {
    throw badOption("allowEviction", allowEviction, "true or false");
  }
  return async (wanted) => {
    const connection = await Connection.to(server, timeoutMs);
    try {
      const deadline = connection.deadline();
      const set = `urlmill:{${name}}`;
      const eviction = allowEviction ? null : new EvictionWatch(connection, set);
      await eviction?.check(deadline);
      const fresh = [
        encodeIdentity(newIdentity(wanted)),
        2 ** Math.max(0, Math.ceil(Math.log2(capacity / BUCKET))),
        builtin("node:crypto").randomBytes(16).toString("hex"),
        ttl,
      ];
      const made = (await connection.run(OPEN, [set], fresh, deadline)) as unknown[];
      const [text, buckets, id] = made as [string, unknown, unknown];
      const identity = decodeIdentity(text, set);
      checkIdentity(identity, wanted, set);
      if (!isCount(buckets) || typeof id !== "string") {
        throw new UrlmillError("SEEN_CORRUPT", `${set} does not say how it is divided`);
      }
      const clock = await ServerClock.measure(connection, set, deadline);
      const parts = { connection, clock, eviction, set, identity, id };
      return new RedisStore({ ...parts, buckets: Number(buckets) });
    } catch (error) {
      connection.close();
      throw error;
    }
  };
}

/** Returns whether a field of a set is a number of buckets, which must be a power of two. */
function isCount(buckets: unknown): buckets is string {
  return typeof buckets === "string" && Number.isInteger(Math.log2(Number(buckets)));
}
