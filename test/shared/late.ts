import type * as fs from "node:fs";
import { Readable, Writable } from "node:stream";
import type { RowDecider } from "../../src/runs/keys/row-decider.ts";
import type { SeenStore } from "../../src/seen/contract/store.ts";
import type { Journal } from "../../src/seen/journal/journal.ts";
import { Random } from "./random.ts";

/** The most turns that an answer may be late, by the parts of a run. */
const MOST = [0, 1, 3, 12] as const;
/** The bytes that a pipe gives at a time: some are less than the chunk of `interleavings.test.ts`, some all of it. */
const PIECES = [1 << 10, 1 << 12, 1 << 14] as const;

/** The parts of a run whose answers come late, each as late as chance says. */
const PARTS = ["source", "store", "sink", "work"] as const;
type Part = (typeof PARTS)[number];

type Callback = (...values: unknown[]) => void;

/**
 * Lets the answers of the parts of a run come after a seeded number of turns of the event loop: of what it reads, of the
 * set that it asks, and of what it writes. So steps meet in orders that a quiet machine does not show.
 */
export class Late {
  #random: Random | null = null;
  #most: Readonly<Record<Part, number>> = { source: 0, store: 0, sink: 0, work: 0 };

  /** Begins anew with a seed; null: nothing is late. */
  begin(seed: number | null): void {
    const random = seed === null ? null : new Random(seed);
    this.#random = random;
    const most = PARTS.map((part) => [part, random === null ? 0 : random.pick(MOST)] as const);
    this.#most = Object.fromEntries(most) as Record<Part, number>;
  }

  /** Waits for a seeded number of turns. */
  async turns(part: Part): Promise<void> {
    const turns = this.#random === null ? 0 : this.#random.below(this.#most[part] + 1);
    for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
  }

  /** Returns an input that gives its bytes late, in pieces of chance. */
  input(bytes: Uint8Array): Readable {
    return Readable.from(this.#pieces(bytes), { objectMode: false });
  }

  async *#pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; ) {
      const length = this.#random?.pick(PIECES) ?? 1 << 16;
      await this.turns("source");
      yield bytes.subarray(at, at + length);
      at += length;
    }
  }

  /** Returns an output that takes its bytes late. A write may change its memory only after that. */
  output(): Writable & { readonly bytes: Buffer } {
    const taken: Buffer[] = [];
    const stream = new Writable({
      write: (chunk: Uint8Array, _, done) => {
        void this.turns("sink").then(() => {
          taken.push(Buffer.from(chunk));
          done();
        });
      },
    });
    return Object.defineProperty(stream, "bytes", {
      get: () => Buffer.concat(taken),
    }) as Writable & {
      readonly bytes: Buffer;
    };
  }

  /** Wraps the functions of `node:fs` that a run reads and writes files with. */
  files(real: typeof fs): typeof fs {
    const late = (part: Part, name: "read" | "write" | "fdatasync") => {
      const call = real[name] as Callback;
      const wrapped: Callback = (...values) => {
        void this.turns(part).then(() => call(...values));
      };
      // `promisify` makes objects of what `read` and `write` give.
      const custom = Symbol.for("nodejs.util.promisify.custom");
      const promised = (...values: unknown[]) =>
        new Promise((resolve, reject) => {
          wrapped(...values, (error: unknown, bytes: number) => {
            if (error) reject(error);
            else resolve({ bytesRead: bytes, bytesWritten: bytes });
          });
        });
      return Object.defineProperty(wrapped, custom, { value: promised });
    };
    const wrapped = {
      ...real,
      read: late("source", "read"),
      write: late("sink", "write"),
      fdatasync: late("sink", "fdatasync"),
    } as unknown as typeof fs;
    return wrapped;
  }

  /** Has a store answer late, before or after it does the work. */
  store(store: SeenStore): SeenStore {
    const late =
      <A extends unknown[], R>(call: (...values: A) => Promise<R>) =>
      async (...values: A): Promise<R> => {
        await this.turns("store");
        const answer = await call(...values);
        await this.turns("store");
        return answer;
      };
    for (const name of ["add", "has", "size", "close"] as const) {
      const call = store[name].bind(store) as (...values: unknown[]) => Promise<unknown>;
      Object.defineProperty(store, name, { value: late(call) });
    }
    return store;
  }

  /** Has a journal record late. */
  journal(journal: Journal): void {
    const append = journal.append.bind(journal);
    const late: Journal["append"] = async (fingerprints) => {
      await this.turns("store");
      await append(fingerprints);
      await this.turns("store");
    };
    Object.defineProperty(journal, "append", { value: late });
  }

  /** Has threads begin and answer late. */
  pool<P extends { run: (task: never) => Promise<unknown> }>(pool: P): P {
    const run = pool.run.bind(pool) as (...values: unknown[]) => Promise<unknown>;
    const late = async (...values: unknown[]): Promise<unknown> => {
      await this.turns("work");
      const outcome = await run(...values);
      await this.turns("work");
      return outcome;
    };
    return Object.defineProperty(pool, "run", { value: late });
  }

  /** Has what decides about keys in memory answer late. */
  keys(keys: RowDecider): RowDecider {
    const add = keys.add.bind(keys);
    const late: RowDecider["add"] = async (...values) => {
      await this.turns("store");
      const answers = await add(...values);
      await this.turns("store");
      return answers;
    };
    return Object.defineProperty(keys, "add", { value: late });
  }
}
