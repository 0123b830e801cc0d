import type { EngineChoice } from "../../engine/engine.ts";
import { isUnavailable, UrlmillError } from "../../errors.ts";
import { FingerprintDigest } from "./digest.ts";
import { JsTable } from "./js-table.ts";
import { KernelTable } from "./kernel-table.ts";
import {
  bytesOf,
  FIRST_HOMES,
  type FingerprintBits,
  type FingerprintTable,
  FULL,
  homesFor,
  homesWithin,
  wordsOf,
} from "./table.ts";

/**
 * A table has 4 GB at most; from this many fingerprints on there are SHARDS of them, each with so many
 * that it grows by quarters.
 */
const SHARD_FROM = 1 << 25;
/** Picked by the first byte of a fingerprint; its home within a table is by bytes 5 to 8. */
const SHARDS = 32;
/** Some shards get more fingerprints than others. */
const UNEVEN = 1.01;
/** Fingerprints that are sorted by shard at a time. */
const SORTED = 1 << 17;
/** Memory for a set below which the part of a megabyte that a kernel takes besides would be much of it. */
const KERNEL_FROM = 1 << 22;
/** Limits from below the memory that a set can be given, in bytes. */
export const LEAST_BYTES = 1 << 17;

/** Holds the options of a set in memory. */
export interface FingerprintSetOptions {
  readonly bits: FingerprintBits;
  /** What runs it; `auto` takes JavaScript where no memory is left for a kernel. */
  readonly engine: EngineChoice;
  /** Memory that the set may take, LEAST_BYTES or more. */
  readonly maxBytes: number;
  /** Fingerprints to make room for at once. Default: none. */
  readonly capacity?: number;
  readonly shardFrom?: number;
}

/** Keeps all fingerprints of a run in memory: in one table, and in many once it is large. */
export class FingerprintSet {
  readonly #options: FingerprintSetOptions;
  readonly #width: number;
  /** Fingerprints that one table takes; then there are many. */
  readonly #shardFrom: number;
  /** Fingerprints that `maxBytes` has room for, while tables grow, too. */
  readonly capacity: number;
  #tables: FingerprintTable[];
  /** Whether tables are those of kernels. */
  #hasKernels: boolean;
  #isBroken = false;

  constructor(options: FingerprintSetOptions) {
    const { bits, maxBytes, shardFrom = SHARD_FROM } = options;
    this.#options = options;
    this.#width = bits >> 3;
    this.#hasKernels = options.engine !== "js" && maxBytes >= KERNEL_FROM;
    const table = this.#newTable();
    this.#tables = [table];
    // What a kernel takes besides its table.
    const besides = this.#hasKernels ? table.bytes : 0;
    const most = (tables: number): number =>
      tables * homesWithin(maxBytes - tables * besides, bits, tables, !this.#hasKernels);
    // All move at once: then what they leave and where they go are in memory together.
    const whole = bytesOf(homesFor(shardFrom, FIRST_HOMES), bits) + besides;
    const share = homesFor(Math.ceil((UNEVEN * shardFrom) / SHARDS), FIRST_HOMES);
    const canMove = whole + SHARDS * (bytesOf(share, bits) + besides) <= maxBytes;
    this.#shardFrom = canMove ? shardFrom : Number.POSITIVE_INFINITY;
    this.capacity = Math.floor(FULL * (canMove ? most(SHARDS) / UNEVEN : most(1)));
    this.reserve(options.capacity ?? 0);
  }

  /** Throws `ENGINE_UNAVAILABLE` where kernels were asked for and no memory is left for one. */
  #newTable(): FingerprintTable {
    const { bits, engine } = this.#options;
    if (!this.#hasKernels) return new JsTable(bits);
    try {
      return new KernelTable(bits);
    } catch (error) {
      if (engine !== "auto" || !isUnavailable(error)) throw error;
      this.#hasKernels = false;
      return new JsTable(bits);
    }
  }

  get size(): number {
    return this.#tables.reduce((sum, { size }) => sum + size, 0);
  }

  /** Bytes of memory it takes. */
  get bytes(): number {
    return this.#tables.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Adds fingerprints. Returns a byte for each: 1 where it was not there before. Throws `SET_FULL` where
   * they do not fit; then none was added.
   */
  add(fingerprints: Uint8Array): Uint8Array {
    this.#checkRoom(fingerprints);
    if (this.#tables.length === 1 && this.size >= this.#shardFrom) {
      this.#split();
    }
    return this.#ask(fingerprints, (table, rows) => table.add(rows) ?? this.#break());
  }

  /** Returns a byte for each fingerprint: 1 where it is there. */
  has(fingerprints: Uint8Array): Uint8Array {
    if (this.#isBroken) this.#break();
    return this.#ask(fingerprints, (table, rows) => table.has(rows));
  }

  /** Sums up all fingerprints, to compare them with another copy. */
  digest(): FingerprintDigest {
    if (this.#isBroken) this.#break();
    const digest = new FingerprintDigest(this.#options.bits);
    for (const table of this.#tables) for (const rows of table.blocks()) digest.add(rows);
    return digest;
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

  #newShards(): FingerprintTable[] {
    return Array.from({ length: SHARDS }, () => this.#newTable());
  }

  #checkRoom(fingerprints: Uint8Array): void {
    if (this.#isBroken) this.#break();
    const rows = fingerprints.length / this.#width;
    const { size, capacity } = this;
    if (size + rows <= capacity) return;
    // Those that are there already take no room.
    const missing = this.has(fingerprints).reduce((sum, isThere) => sum + 1 - isThere, 0);
    if (size + missing <= capacity) return;
    throw new UrlmillError(
      "SET_FULL",
      `a set of ${this.#options.maxBytes} bytes has room for ${capacity} fingerprints: it has ${size}, and ${missing} would come`,
    );
  }

  /** The platform gave less memory than the limit allows: what was asked last may be there in part. */
  #break(): never {
    this.#isBroken = true;
    const grown = `${this.size} fingerprints in ${this.bytes} bytes`;
    throw new UrlmillError("SET_FULL", `the platform has no memory for more than ${grown}`);
  }

  /** Moves all fingerprints to as many tables as there will ever be. */
  #split(): void {
    const [all] = this.#tables as [FingerprintTable];
    this.#tables = this.#newShards();
    // They come in the order of their homes: in a table that grows with them they would all lie together.
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
    for (let first = 0; first < answers.length; first += SORTED) {
      const rows = fingerprints.subarray(first * this.#width, (first + SORTED) * this.#width);
      answers.set(this.#askShards(rows, ask), first);
    }
    return answers;
  }

  /** Sorts fingerprints by shard, those of one in their order, and asks each shard once. */
  #askShards(
    fingerprints: Uint8Array,
    ask: (table: FingerprintTable, rows: Uint8Array) => Uint8Array,
  ): Uint8Array {
    const words = wordsOf(fingerprints);
    const perRow = this.#width >> 2;
    const rows = words.length / perRow;
    const shards = Uint8Array.from(
      { length: rows },
      (_, row) => (words[row * perRow] as number) % SHARDS,
    );
    const starts = new Int32Array(SHARDS + 1);
    for (const shard of shards) starts[shard + 1] = (starts[shard + 1] as number) + 1;
    for (let shard = 0; shard < SHARDS; shard++) {
      starts[shard + 1] = (starts[shard + 1] as number) + (starts[shard] as number);
    }
    const next = starts.slice();
    const rowAt = new Int32Array(rows);
    const sorted = new Uint32Array(words.length);
    for (const [row, shard] of shards.entries()) {
      const at = next[shard] as number;
      next[shard] = at + 1;
      rowAt[at] = row;
      for (let word = 0; word < perRow; word++) {
        sorted[at * perRow + word] = words[row * perRow + word] as number;
      }
    }
    const bytes = new Uint8Array(sorted.buffer);
    const answers = new Uint8Array(rows);
    for (const [shard, table] of this.#tables.entries()) {
      const start = starts[shard] as number;
      const end = starts[shard + 1] as number;
      if (start === end) continue;
      const given = ask(table, bytes.subarray(start * this.#width, end * this.#width));
      for (let at = start; at < end; at++) {
        answers[rowAt[at] as number] = given[at - start] as number;
      }
    }
    return answers;
  }
}
