import { randomBytes } from "node:crypto";
import { UrlmillError } from "../errors.ts";
import { badOption } from "../options/options.ts";
import {
  checkIdentity,
  decodeIdentity,
  encodeIdentity,
  newIdentity,
  type SeenIdentity,
} from "./identity.ts";
import { loadPeer } from "./peer.ts";
import { ADD, HAS, OPEN, type Script } from "./redis-scripts.ts";
import type { OpenSeenStore, SeenStore, SeenStoreStats } from "./store.ts";

/** One script, during which the server does nothing else: some milliseconds. */
const ROWS_PER_CALL = 1 << 13;
/** Members of a bucket, on average of a full set; the server keeps up to 512 integers in 8 bytes each. */
const BUCKET = 320;
const DEFAULT_CAPACITY = 10_000_000;
/** Buckets that are looked at to tell how large all are. */
const SAMPLE = 32;

/** What is used of a client of package `ioredis`. */
export interface RedisClient {
  call(command: string, args: (string | number)[]): Promise<unknown>;
}

export interface RedisOptions {
  /** Of the set, in the server: `urlmill:{name}:…` are its keys. */
  readonly name: string;
  /** URLs that a new set is made for: beyond 1.6 times as many they take more memory. Default 10,000,000. */
  readonly capacity?: number;
  /** Seconds after which the server forgets a new set. Default: never. */
  readonly ttl?: number;
}

/**
 * A set in a Redis server (package `ioredis`), for many machines: a client, or a URL for one that ends
 * with the set. Fingerprints are members of sets of integers: 64 bits, and those that pick the set.
 *
 * A batch whose answer was lost with its connection is answered as it was when it comes again, from the
 * client or from the caller. What the server forgets (`maxmemory`, a crash without its
 * append-only file) comes back as new.
 */
export function redis(server: RedisClient | string, options: RedisOptions): OpenSeenStore {
  const { name, capacity = DEFAULT_CAPACITY, ttl = 0 } = options;
  if (!(capacity >= 1)) throw badOption("capacity", capacity, "a number of URLs");
  if (!Number.isInteger(ttl) || ttl < 0) throw badOption("ttl", ttl, "a whole number of seconds");
  return async (wanted) => {
    const connection = await Connection.to(server);
    try {
      const set = `urlmill:{${name}}`;
      const fresh = [
        encodeIdentity(newIdentity(wanted)),
        2 ** Math.max(0, Math.ceil(Math.log2(capacity / BUCKET))),
        randomBytes(16).toString("hex"),
        ttl,
      ];
      const made = (await connection.run(OPEN, [set], fresh)) as string[];
      const [text, buckets, id] = made as [string, string, string];
      const identity = decodeIdentity(text, set);
      checkIdentity(identity, wanted, set);
      return new RedisStore(connection, set, identity, Number(buckets), id);
    } catch (error) {
      await connection.close();
      throw error;
    }
  };
}

/** A client, and who ends it. */
class Connection {
  readonly #client: RedisClient;
  readonly #end: () => Promise<unknown>;

  private constructor(client: RedisClient, end: () => Promise<unknown>) {
    this.#client = client;
    this.#end = end;
  }

  static async to(server: RedisClient | string): Promise<Connection> {
    if (typeof server !== "string") return new Connection(server, async () => {});
    const { Redis } = await loadPeer("ioredis", () => import("ioredis"));
    const client = new Redis(server);
    client.on("error", () => {}); // each call that fails hears of it
    return new Connection(client, () => client.quit());
  }

  /** Runs a script, by its digest where the server knows it. */
  async run({ sha1, lua }: Script, keys: string[], args: (string | number)[]): Promise<unknown> {
    const rest = [keys.length, ...keys, ...args];
    try {
      return await this.call("EVALSHA", [sha1, ...rest]);
    } catch (error) {
      if (!(error as Error).message.includes("NOSCRIPT")) throw error;
      return this.call("EVAL", [lua, ...rest]);
    }
  }

  async call(command: string, args: (string | number)[]): Promise<unknown> {
    try {
      return await this.#client.call(command, args);
    } catch (error) {
      throw new UrlmillError("SEEN_FAILED", `redis: ${(error as Error).message}`);
    }
  }

  async close(): Promise<void> {
    await this.#end();
  }
}

class RedisStore implements SeenStore {
  readonly identity: SeenIdentity;
  readonly rowsPerCall = ROWS_PER_CALL;
  readonly #connection: Connection;
  readonly #set: string;
  readonly #buckets: number;
  /** Tells this set from a later one of the same name. */
  readonly #id: string;
  /** Where the server keeps the last answer to this client, for a call that comes again. */
  readonly #answers: string;
  #calls = 0;
  /** The fingerprints of the last call where its answer did not come: nobody knows whether it was done. */
  #unanswered: Uint8Array | null = null;
  /** Answers that came too late for their call, for when it is made again. */
  readonly #owed: { readonly fingerprints: Uint8Array; readonly answers: Uint8Array }[] = [];

  constructor(
    connection: Connection,
    set: string,
    identity: SeenIdentity,
    buckets: number,
    id: string,
  ) {
    this.#connection = connection;
    this.#set = set;
    this.identity = identity;
    this.#buckets = buckets;
    this.#id = id;
    this.#answers = `${set}:answers:${randomBytes(16).toString("hex")}`;
  }

  async add(fingerprints: Uint8Array): Promise<Uint8Array> {
    if (this.#unanswered !== null) {
      // Asked once more before another call takes its place.
      const late = this.#unanswered;
      this.#owed.push({ fingerprints: late, answers: await this.#call(late) });
    }
    const owed = this.#owed.findIndex(
      (late) => Buffer.compare(late.fingerprints, fingerprints) === 0,
    );
    if (owed >= 0) return (this.#owed.splice(owed, 1)[0] as { answers: Uint8Array }).answers;
    this.#calls++;
    return this.#call(new Uint8Array(fingerprints));
  }

  /** Makes the call whose turn it is, for the first time or again. */
  async #call(fingerprints: Uint8Array): Promise<Uint8Array> {
    this.#unanswered = fingerprints;
    const answers = await this.#ask(ADD, [this.#set, this.#answers], [this.#calls], fingerprints);
    this.#unanswered = null;
    return answers;
  }

  has(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.#ask(HAS, [this.#set], [], fingerprints);
  }

  async size(): Promise<number> {
    return Number(await this.#connection.call("HGET", [this.#set, "size"]));
  }

  async stats(): Promise<SeenStoreStats> {
    const { bits } = this.identity;
    const sample = Math.min(SAMPLE, this.#buckets);
    let bytes = 0;
    for (let bucket = 0; bucket < sample; bucket++) {
      bytes += Number(await this.#connection.call("MEMORY", ["USAGE", this.#bucket(bucket)]));
    }
    return {
      store: "redis",
      bits: bits === 128 ? 64 + Math.log2(this.#buckets) : bits,
      storedBytes: Math.round((bytes / sample) * this.#buckets),
    };
  }

  async close(): Promise<void> {
    try {
      await this.#connection.call("DEL", [this.#answers]);
    } finally {
      await this.#connection.close();
    }
  }

  #bucket(number: number): string {
    return `${this.#set}:${number}`;
  }

  /** Asks a script for an answer to each fingerprint: its bucket, and the integer that may be there. */
  async #ask(
    script: Script,
    keys: string[],
    args: (string | number)[],
    fingerprints: Uint8Array,
  ): Promise<Uint8Array> {
    const perRow = this.identity.bits / 64;
    const halves = new BigInt64Array(new Uint8Array(fingerprints).buffer);
    const words = new Uint32Array(halves.buffer);
    const rows: string[] = [];
    for (let at = 0; at < halves.length; at += perRow) {
      // The low bits of the last half pick the bucket; of 64 bits there is one half.
      const bucket = (words[2 * (at + perRow - 1)] as number) % this.#buckets;
      rows.push(this.#bucket(bucket), String(halves[at]));
    }
    const given = await this.#connection.run(script, keys, [this.#id, ...args, ...rows]);
    return Uint8Array.from(given as string, Number);
  }
}
