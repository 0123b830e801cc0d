import { UrlmillError } from "../../base/errors.ts";
import { builtin } from "../../base/peer.ts";
import type { SeenIdentity } from "../contract/identity.ts";
import type { SeenStore, SeenStoreStats } from "../contract/store.ts";
import { type Connection, type Deadline, isRefusal, type ServerClock } from "./redis-connection.ts";
import type { EvictionWatch } from "./redis-eviction.ts";
import { redisRows } from "./redis-rows.ts";
import { ADD, DELETE, HAS, LATE, type Script, SETTLE, SIZE } from "./redis-scripts.ts";

/** Rows of one script. The server does nothing else while it runs, which takes some milliseconds. */
const ROWS_PER_CALL = 1 << 13;
/** Buckets whose size is read to estimate the size of all. */
const SAMPLE = 32;

interface OpenRedisSet {
  readonly connection: Connection;
  readonly clock: ServerClock;
  /** Null if the server may evict keys. */
  readonly eviction: EvictionWatch | null;
  /** The key of the set. */
  readonly set: string;
  readonly identity: SeenIdentity;
  readonly buckets: number;
  /** Tells this set from a later one with the same name. */
  readonly id: string;
}

/** Keeps a set in a Redis server. */
export class RedisStore implements SeenStore {
  readonly identity: SeenIdentity;
  readonly rowsPerCall = ROWS_PER_CALL;
  readonly #open: OpenRedisSet;
  /** The key under which the server keeps the last answer to this client, for a call that is made again. */
  readonly #answers: string;
  #calls = 0;
  /**
   * The fingerprints of the last call if its answer did not come. It is not known whether the call was done.
   */
  #unanswered: Uint8Array | null = null;
  /** Whether the server was asked to refuse that call. It must then not be made again. */
  #isGivenUp = false;
  /** Calls that failed and were done, for when the same call is made again: it asks again, and what they added is new. */
  readonly #owed: { readonly fingerprints: Uint8Array; readonly answers: Uint8Array }[] = [];

  constructor(open: OpenRedisSet) {
    this.#open = open;
    this.identity = open.identity;
    this.#answers = `${open.set}:answers:${builtin("node:crypto").randomBytes(16).toString("hex")}`;
  }

  async add(fingerprints: Uint8Array): Promise<Uint8Array> {
    const deadline = await this.#begin();
    const late = this.#unanswered;
    const isAgain = late !== null && !this.#isGivenUp && isEqual(late, fingerprints);
    if (late !== null && !isAgain) await this.#settle(late, deadline);
    if (!isAgain) this.#calls++;
    const answers = await this.#call(isAgain ? late : new Uint8Array(fingerprints), deadline);
    const at = this.#owed.findIndex((other) => isEqual(other.fingerprints, fingerprints));
    const [owed] = at < 0 ? [] : this.#owed.splice(at, 1);
    return owed === undefined
      ? answers
      : answers.map((answer, row) => answer | (owed.answers[row] as number));
  }

  /** Makes the current call, for the first time or again. */
  async #call(fingerprints: Uint8Array, deadline: Deadline): Promise<Uint8Array> {
    this.#unanswered = fingerprints;
    const answers = await this.#inTime(deadline, () => this.#addBy(fingerprints, deadline));
    this.#unanswered = null;
    return answers;
  }

  /** Makes a call that the server refuses after its deadline. */
  async #inTime<T>(deadline: Deadline, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      // The call is not late: one of the clocks was set.
      if (!isRefusal(error) || !error.message.includes(LATE)) throw error;
      await this.#open.clock.measure(deadline);
      return call();
    }
  }

  async delete(fingerprints: Uint8Array): Promise<Uint8Array> {
    const deadline = await this.#begin();
    // A call whose answer did not come could add what this one takes out.
    if (this.#unanswered !== null) await this.#settle(this.#unanswered, deadline);
    const { set, clock } = this.#open;
    const answers = await this.#inTime(deadline, () =>
      this.#ask(DELETE, [set], [clock.timeOf(deadline)], fingerprints, deadline),
    );
    this.#forget(fingerprints);
    return answers;
  }

  /** Takes rows out of what failed calls have added. */
  #forget(fingerprints: Uint8Array): void {
    if (this.#owed.length === 0) return;
    const gone = new Set(this.#rowsOf(fingerprints));
    for (const { fingerprints: rows, answers } of this.#owed) {
      for (const [row, text] of this.#rowsOf(rows).entries()) if (gone.has(text)) answers[row] = 0;
    }
  }

  /** Returns each fingerprint as a text. */
  #rowsOf(fingerprints: Uint8Array): string[] {
    const width = this.identity.bits / 8;
    const text = Buffer.from(fingerprints).toString("latin1");
    return Array.from({ length: text.length / width }, (_, row) =>
      text.slice(row * width, (row + 1) * width),
    );
  }

  #addBy(fingerprints: Uint8Array, deadline: Deadline): Promise<Uint8Array> {
    const { set, clock } = this.#open;
    const args = [this.#calls, clock.timeOf(deadline)];
    return this.#ask(ADD, [set, this.#answers], args, fingerprints, deadline);
  }

  /** Gets the answer of a call that was done, or makes the server refuse it later. */
  async #settle(fingerprints: Uint8Array, deadline: Deadline): Promise<void> {
    this.#isGivenUp = true;
    const given = await this.#open.connection.run(SETTLE, [this.#answers], [this.#calls], deadline);
    if (given !== "") this.#owed.push({ fingerprints, answers: digits(given) });
    this.#unanswered = null;
    this.#isGivenUp = false;
  }

  async has(fingerprints: Uint8Array): Promise<Uint8Array> {
    return this.#ask(HAS, [this.#open.set], [], fingerprints, await this.#begin());
  }

  async size(): Promise<number> {
    const deadline = await this.#begin();
    return Number(
      await this.#open.connection.run(SIZE, [this.#open.set], [this.#open.id], deadline),
    );
  }

  async stats(): Promise<SeenStoreStats> {
    const { bits } = this.identity;
    const deadline = this.#open.connection.deadline();
    const sample = Math.min(SAMPLE, this.#open.buckets);
    let bytes = 0;
    for (let bucket = 0; bucket < sample; bucket++) {
      const key = this.#bucket(bucket);
      bytes += Number(await this.#open.connection.call("MEMORY", ["USAGE", key], deadline));
    }
    return {
      store: "redis",
      bits: bits === 128 ? 64 + Math.log2(this.#open.buckets) : bits,
      storedBytes: Math.round((bytes / sample) * this.#open.buckets),
    };
  }

  async close(): Promise<void> {
    const deadline = this.#open.connection.deadline();
    try {
      if (this.#unanswered === null) {
        await this.#open.connection.call("DEL", [this.#answers], deadline);
      } else {
        await this.#settle(this.#unanswered, deadline);
      }
    } finally {
      this.#open.connection.close();
    }
  }

  /** Begins a call: returns its deadline. Throws `SEEN_FAILED` if the server may have evicted URLs. */
  async #begin(): Promise<Deadline> {
    const deadline = this.#open.connection.deadline();
    await this.#open.eviction?.check(deadline);
    return deadline;
  }

  #bucket(number: number): string {
    return `${this.#open.set}:${number}`;
  }

  /** Runs a script and returns an answer for each fingerprint. */
  async #ask(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    fingerprints: Uint8Array,
    deadline: Deadline,
  ): Promise<Uint8Array> {
    const rows = redisRows(fingerprints, this.identity.bits / 8, this.#open.buckets);
    const buckets = rows.buckets.map((bucket) => this.#bucket(bucket));
    const given = await this.#open.connection.run(
      script,
      [...keys, ...buckets],
      [this.#open.id, ...args, ...rows.args],
      deadline,
    );
    const answers = digits(given);
    if (2 * answers.length !== rows.args.length) {
      const counts = `${answers.length} answers to ${rows.args.length / 2} rows`;
      throw new UrlmillError(
        "SEEN_FAILED",
        `redis: ${counts}, so the server does not run urlmill's scripts`,
      );
    }
    return answers;
  }
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** Returns the digits of an answer as bytes. */
function digits(text: unknown): Uint8Array {
  return Uint8Array.from(text as string, Number);
}
