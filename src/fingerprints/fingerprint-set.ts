import { isUnavailable, UrlmillError } from "../base/errors.ts";
import { ShardKernel } from "../engine/wasm/shard-kernel.ts";
import type { EngineChoice } from "../options/catalog.generated.ts";

import { FingerprintDigest } from "./digest.ts";
import { chosenRows } from "./fingerprint-rows.ts";
import { JsSplitter } from "./js-splitter.ts";
import { JsTable } from "./js-table.ts";
import { KernelTable } from "./kernel-table.ts";
import { SHARDS, type ShardSplitter, SPLIT_ROWS, SPLITTER_BYTES } from "./shard-splitter.ts";
import {
  bytesOf,
  FIRST_HOMES,
  type FingerprintBits,
  type FingerprintTable,
  FULL,
  homesFor,
  homesWithin,
} from "./table.ts";

/**
 * From this many fingerprints on, there are SHARDS tables, because one table has at most 4 GB. Each is then
 * so large that it grows by quarters.
 */
const SHARD_FROM = 1 << 25;
/** How much more than the average a shard can get. */
const UNEVEN = 1.01;
/** Sets limited to less memory do not use kernels: a kernel takes part of a megabyte besides its table. */
const KERNEL_FROM = 1 << 22;
/** How many fingerprints are added at a time to a set that may lack room for all. */
const PIECE_ROWS = 1 << 12;
/** The least memory that a set can be limited to, in bytes. */
export const MIN_BYTES = 1 << 17;

export interface FingerprintSetOptions {
  readonly bits: FingerprintBits;
  /** Holds the compiled kernel, which keeps the tables; null if JavaScript keeps them. */
  readonly kernel: WebAssembly.Module | null;
  /** Chooses the engine; `auto` takes JavaScript if no memory is left for a kernel. */
  readonly engine: EngineChoice;
  /** Limits the memory of the set, in bytes: MIN_BYTES or more. */
  readonly maxBytes: number;
  /** Number of fingerprints to make room for at once. The default is none. */
  readonly capacity?: number;
  readonly shardFrom?: number;
}

/** Keeps all fingerprints of a run in memory: in one table, or in many if there are many fingerprints. */
export class FingerprintSet {
  readonly #options: FingerprintSetOptions;
  readonly #width: number;
  /** The most fingerprints in one table; with more, there are many tables. */
  readonly #shardFrom: number;
  /** The most fingerprints that `maxBytes` has room for, even while a table grows. */
  readonly capacity: number;
  #tables: FingerprintTable[];
  /** Whether the tables are those of kernels. */
  #hasKernels: boolean;
  /** Null until there are many tables. */
  #splitter: ShardSplitter | null = null;
  #isBroken = false;

  constructor(options: FingerprintSetOptions) {
    const { bits, maxBytes, shardFrom = SHARD_FROM } = options;
    this.#options = options;
    this.#width = bits >> 3;
    this.#hasKernels = options.kernel !== null && maxBytes >= KERNEL_FROM;
    const table = this.#newTable();
    this.#tables = [table];
    // The memory of a kernel besides its table.
    const besides = this.#hasKernels ? table.bytes : 0;
    const most = (tables: number, others: number): number =>
      tables * homesWithin(maxBytes - tables * besides - others, bits, tables, !this.#hasKernels);
    // All fingerprints move at once, so the old table and the new ones are in memory together.
    const whole = bytesOf(homesFor(shardFrom, FIRST_HOMES), bits) + besides;
    const share = homesFor(Math.ceil((UNEVEN * shardFrom) / SHARDS), FIRST_HOMES);
    const many = SHARDS * (bytesOf(share, bits) + besides) + SPLITTER_BYTES;
    const canMove = whole + many <= maxBytes;
    this.#shardFrom = canMove ? shardFrom : Number.POSITIVE_INFINITY;
    this.capacity = Math.floor(
      FULL * (canMove ? most(SHARDS, SPLITTER_BYTES) / UNEVEN : most(1, 0)),
    );
    this.reserve(options.capacity ?? 0);
  }

  #newTable(): FingerprintTable {
    const { bits } = this.#options;
    return this.#inKernel<FingerprintTable>(
      (kernel) => new KernelTable(bits, kernel),
      () => new JsTable(bits),
    );
  }

  #newSplitter(): ShardSplitter {
    const { bits } = this.#options;
    return this.#inKernel<ShardSplitter>(
      (kernel) => new ShardKernel(bits, SHARDS, SPLIT_ROWS, kernel),
      () => new JsSplitter(bits),
    );
  }

  /**
   * Makes a thing that is in a kernel, or in JavaScript. Throws `ENGINE_UNAVAILABLE` if a kernel is required and no memory
   * is left for it.
   */
  #inKernel<T>(inKernel: (kernel: WebAssembly.Module) => T, inJavaScript: () => T): T {
    const { engine, kernel } = this.#options;
    if (kernel === null || !this.#hasKernels) return inJavaScript();
    try {
      return inKernel(kernel);
    } catch (error) {
      if (engine !== "auto" || !isUnavailable(error)) throw error;
      this.#hasKernels = false;
      return inJavaScript();
    }
  }

  get size(): number {
    return this.#tables.reduce((sum, { size }) => sum + size, 0);
  }

  /** Counts the bytes of memory of the tables, and of what divides fingerprints among them. */
  get bytes(): number {
    return this.#tables.reduce((sum, { bytes }) => sum + bytes, this.#splitter?.bytes ?? 0);
  }

  /** Says how many fingerprints are added or looked up fastest at a time; 0 if their number does not matter. */
  get rowsAtOnce(): number {
    return this.#tables.length === 1 ? 0 : SPLIT_ROWS;
  }

  /**
   * Adds fingerprints. Returns a byte for each: 1 if it is new. Throws `SET_FULL` if they do not fit; then
   * none was added.
   */
  add(fingerprints: Uint8Array): Uint8Array {
    if (this.#isBroken) this.#break();
    const width = this.#width;
    const rows = fingerprints.length / width;
    const { size, capacity } = this;
    if (size + rows <= capacity) return this.#addFitting(fingerprints);
    // Those in the set and repeats need no room, and a table must not grow for them.
    const answers = new Uint8Array(rows);
    for (let first = 0; first < rows; first += PIECE_ROWS) {
      const piece = fingerprints.subarray(first * width, (first + PIECE_ROWS) * width);
      const isNew = this.#newRows(piece);
      const added = chosenRows(piece, isNew);
      if (this.size + added.length / width > capacity) {
        const before = fingerprints.subarray(0, first * width);
        this.delete(chosenRows(before, answers.subarray(0, first)));
        throw new UrlmillError(
          "SET_FULL",
          `a set of ${this.#options.maxBytes} bytes has room for ${capacity} fingerprints: it has ${size}, and not all of ${rows} more fit`,
        );
      }
      this.#addFitting(added);
      answers.set(isNew, first);
    }
    return answers;
  }

  /** Returns a byte for each fingerprint: 1 if it is neither in the set nor among those before it. */
  #newRows(fingerprints: Uint8Array): Uint8Array {
    const isNew = this.has(fingerprints).map((isThere) => 1 - isThere);
    if (!isNew.includes(1)) return isNew;
    const missing = chosenRows(fingerprints, isNew);
    const isFirst = new JsTable(this.#options.bits).add(missing) ?? this.#break();
    let at = 0;
    return isNew.map((isMissing) => (isMissing === 1 ? (isFirst[at++] as number) : 0));
  }

  #addFitting(fingerprints: Uint8Array): Uint8Array {
    if (this.#tables.length === 1 && this.size >= this.#shardFrom) {
      this.#split();
    }
    return this.#ask(fingerprints, (table, rows) => table.add(rows) ?? this.#break());
  }

  /** Returns a byte for each fingerprint: 1 if it is in the set. */
  has(fingerprints: Uint8Array): Uint8Array {
    if (this.#isBroken) this.#break();
    return this.#ask(fingerprints, (table, rows) => table.has(rows));
  }

  /** Takes fingerprints out. Returns a byte for each: 1 if it was in the set. */
  delete(fingerprints: Uint8Array): Uint8Array {
    if (this.#isBroken) this.#break();
    return this.#ask(fingerprints, (table, rows) => table.delete(rows));
  }

  /** Returns the digest of all fingerprints, to compare them with another copy. */
  digest(): FingerprintDigest {
    const digest = new FingerprintDigest(this.#options.bits);
    for (const rows of this.blocks()) digest.add(rows);
    return digest;
  }

  /** Yields all fingerprints, some thousands at a time. The views are valid until the next step. */
  *blocks(): Generator<Uint8Array, void, undefined> {
    if (this.#isBroken) this.#break();
    for (const table of this.#tables) yield* table.blocks();
  }

  /** Makes room for `count` fingerprints in all, so that the set grows in fewer steps. */
  reserve(count: number): void {
    const most = Math.min(count, this.capacity);
    if (this.size === 0 && this.#tables.length === 1 && most > this.#shardFrom) {
      this.#tables = this.#newShards();
    }
    const [only, another] = this.#tables;
    if (another !== undefined) {
      for (const table of this.#tables) table.reserve(Math.ceil((UNEVEN * most) / SHARDS));
    } else if (most <= this.#shardFrom) {
      only?.reserve(most);
    }
  }

  /** Takes all fingerprints out, and keeps the memory for others. */
  clear(): void {
    if (this.#isBroken) this.#break();
    for (const table of this.#tables) table.clear();
  }

  #newShards(): FingerprintTable[] {
    this.#splitter = this.#newSplitter();
    return Array.from({ length: SHARDS }, () => this.#newTable());
  }

  /**
   * Throws `SET_FULL`: the platform gave less memory than the limit allows. Some fingerprints of the last
   * call may be in the set.
   */
  #break(): never {
    this.#isBroken = true;
    const grown = `${this.size} fingerprints in ${this.bytes} bytes`;
    throw new UrlmillError("SET_FULL", `the platform has no memory for more than ${grown}`);
  }

  /** Moves all fingerprints to SHARDS tables, which is the most there will ever be. */
  #split(): void {
    const [all] = this.#tables as [FingerprintTable];
    this.#tables = this.#newShards();
    // Makes room first. Fingerprints come in the order of their homes, so in a table that is still growing
    // they would all be close together.
    this.reserve(all.size);
    for (const block of all.blocks()) {
      this.#askShards(block, (table, rows) => table.add(rows) ?? this.#break());
    }
  }

  #ask(
    fingerprints: Uint8Array,
    ask: (table: FingerprintTable, rows: Uint8Array) => Uint8Array,
  ): Uint8Array {
    const [only, another] = this.#tables;
    if (another === undefined) return ask(only as FingerprintTable, fingerprints);
    const answers = new Uint8Array(fingerprints.length / this.#width);
    for (let first = 0; first < answers.length; first += SPLIT_ROWS) {
      const rows = fingerprints.subarray(first * this.#width, (first + SPLIT_ROWS) * this.#width);
      answers.set(this.#askShards(rows, ask), first);
    }
    return answers;
  }

  /** Divides fingerprints among the shards, keeps their order within a shard, and asks each shard once. */
  #askShards(
    fingerprints: Uint8Array,
    ask: (table: FingerprintTable, rows: Uint8Array) => Uint8Array,
  ): Uint8Array {
    const splitter = this.#splitter as ShardSplitter;
    splitter.split(fingerprints);
    for (const [shard, table] of this.#tables.entries()) {
      const rows = splitter.rowsOf(shard);
      if (rows.length > 0) splitter.answer(shard, ask(table, rows));
    }
    return splitter.answers();
  }
}
