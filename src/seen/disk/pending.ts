import {
  type DiskKernel,
  GROUP,
  GROUP_ROWS,
  KEY,
  NOBODY,
  PARTITIONS,
  ROW,
} from "./kernel/disk-kernel.ts";
import { keysOfPlaces, type MemoryPlan } from "./kernel/memory-plan.ts";

export interface LoggedRows {
  readonly keys: Uint8Array;
  /** The status of each row; null if all are URLs. */
  readonly status: Uint8Array | null;
  /** The number of the first row; null if the rows were answered. */
  readonly first: number | null;
  /** The partitions that have the rows of the log. */
  readonly merged: readonly number[];
}

/** How full logs may make tables: one table gets more than its part by chance. */
const FULL_BY_LOGS = 0.85;

/** Holds in memory what is not in the partitions yet: tables of keys that were answered, and groups of rows that wait. */
export class Pending {
  readonly #kernel: DiskKernel;
  readonly #plan: MemoryPlan;
  readonly #width: number;
  #places: number;
  #groups = 0;
  /** Rows of the group that is not whole. */
  #open = 0;
  /**
   * Keys that were left out of the batches of a log. They count as if they were there: without them, the partitions that a
   * merge has not come to would get more than their part of all rows.
   */
  #leftOut = 0;

  constructor(kernel: DiskKernel, plan: MemoryPlan, bits: number) {
    this.#kernel = kernel;
    this.#plan = plan;
    this.#width = bits / 8;
    this.#places = plan.firstPlaces;
    kernel.reserve(plan.groups);
    this.clear();
  }

  get tableKeys(): number {
    return this.#kernel.calls.keysInTables.value;
  }

  get groupRows(): number {
    return this.#groups * GROUP_ROWS + this.#open;
  }

  get isEmpty(): boolean {
    return this.tableKeys + this.groupRows + this.#leftOut === 0;
  }

  /** Counts the keys of a log that has room, wherever they go. */
  get mostKeysOfLog(): number {
    return (this.#plan.mostGroups * GROUP_ROWS) / 2;
  }

  /** Returns whether a log of so many keys that were answered fits, into tables or into groups. */
  hasRoomForLog(keys: number, isForTables: boolean): boolean {
    if (!isForTables) return this.hasRoomFor(keys);
    const most = FULL_BY_LOGS * keysOfPlaces(this.#plan.mostPlaces);
    return this.tableKeys + this.#leftOut + keys <= most;
  }

  /** Returns whether so many rows more fit into groups. */
  hasRoomFor(rows: number): boolean {
    return this.groupRows + this.#leftOut + rows <= this.#plan.mostGroups * GROUP_ROWS;
  }

  /**
   * Returns whether a batch of so many keys fits into tables. `taken`: how many it had before those of some partitions
   * were left out.
   */
  hasTableRoomFor(count: number, taken = count): boolean {
    return this.#fits(count, taken, this.#plan.mostPlaces);
  }

  /** Writes the keys of a batch of fingerprints to `plan.keys`. */
  cut(fingerprints: Uint8Array): number {
    const { fingerprints: from, keys } = this.#plan;
    const count = fingerprints.length / this.#width;
    this.#kernel.bytes.set(fingerprints, from);
    this.#kernel.calls.cutKeys(from, this.#width, count, keys);
    return count;
  }

  /** Makes a batch of rows of a log, without those whose partitions have them. Returns how many keys it has. */
  take({ keys, status, first, merged }: LoggedRows): number {
    this.#kernel.bytes.set(keys, this.#plan.keys);
    const count = keys.length / KEY;
    this.numberRows(count, status, first);
    return merged.length === 0 ? count : this.#keepUnmerged(count, merged);
  }

  /** Returns a view of the keys of the batch. */
  keys(count: number): Uint8Array {
    return this.#kernel.view(this.#plan.keys, count * KEY);
  }

  /** Moves the keys whose answer is 1 to the beginning of the batch. Returns a view of them. */
  newKeys(count: number): Uint8Array {
    const { keys, answers } = this.#plan;
    return this.#kernel.view(keys, this.#kernel.calls.keepNewKeys(keys, count, answers) - keys);
  }

  /** Returns a view of the answers of the batch. */
  answers(count: number): Uint8Array {
    return this.#kernel.view(this.#plan.answers, count);
  }

  /**
   * Adds the batch to the tables, which have room for it. The answers are 1 for keys that were not there. `taken`: as for
   * `hasTableRoomFor`.
   */
  addToTables(count: number, taken = count): void {
    this.#growTables(count, taken);
    this.#kernel.calls.addToTables(this.#plan.keys, count, this.#plan.answers);
  }

  /** Sets the answers to 1 for keys of the batch that are not in the tables. */
  askTables(count: number): void {
    this.#kernel.calls.missingInTables(this.#plan.keys, count, this.#plan.answers);
  }

  /**
   * Numbers the `count` rows of the batch that are URLs. `status`: of each row; null if all are URLs. `first`: the number of
   * the first row; null if nobody waits for an answer.
   */
  numberRows(count: number, status: Uint8Array | null, first: number | null): void {
    const { answers, numbers } = this.#plan;
    if (first === null) {
      new Uint32Array(this.#kernel.bytes.buffer, numbers, count).fill(NOBODY);
      return;
    }
    if (status !== null) this.#kernel.bytes.set(status, answers);
    const codes = status === null ? 0 : answers;
    this.#kernel.calls.numberRows(codes, status?.length ?? count, first, numbers);
  }

  /** Adds the batch, whose rows have numbers, to the groups. */
  addToGroups(count: number): void {
    for (let done = 0; done < count; ) {
      const rows = Math.min(count - done, GROUP_ROWS - this.#open);
      this.#copyToOpen(done, rows);
      done += rows;
      this.#open += rows;
      if (this.#open === GROUP_ROWS) this.#closeGroup();
    }
  }

  /** Puts all rows into groups, so that `gather` has them. */
  close(): void {
    if (this.#open > 0) this.#closeGroup();
  }

  /**
   * Writes the rows of a partition to `plan.rows`, in turns of `plan.mostRows` at most: those of tables first, then those of
   * groups in their order. Yields how many rows each turn has.
   */
  *gather(partition: number): Generator<number, void, undefined> {
    const { calls } = this.#kernel;
    const { rows, groups, mostRows } = this.#plan;
    const inGroups = calls.countRows(partition, groups, this.#groups);
    let there = (calls.takeTable(partition, rows) - rows) / ROW;
    for (let first = 0; there > 0 || first < inGroups; there = 0) {
      const some = Math.min(inGroups - first, mostRows - there);
      calls.gatherRows(partition, groups, this.#groups, first, some, rows + there * ROW);
      first += some;
      yield there + some;
    }
  }

  clear(): void {
    this.#places = this.#plan.firstPlaces;
    this.#kernel.calls.setTables(this.#plan.tables, this.#places, this.#plan.counts);
    this.#groups = this.#open = this.#leftOut = 0;
  }

  /** Leaves the rows out of the batch whose partitions are among `merged`. Returns how many keys are left. */
  #keepUnmerged(count: number, merged: readonly number[]): number {
    const { keys, numbers, answers } = this.#plan;
    const isMerged = this.answers(PARTITIONS).fill(0);
    for (const partition of merged) isMerged[partition] = 1;
    const kept = this.#kernel.calls.keepUnmerged(keys, numbers, count, answers);
    this.#leftOut += count - kept;
    return kept;
  }

  #copyToOpen(from: number, rows: number): void {
    const { keys, numbers, openKeys, openNumbers } = this.#plan;
    const { bytes } = this.#kernel;
    bytes.copyWithin(openKeys + this.#open * KEY, keys + from * KEY, keys + (from + rows) * KEY);
    bytes.copyWithin(openNumbers + this.#open * 4, numbers + from * 4, numbers + (from + rows) * 4);
  }

  #closeGroup(): void {
    const { openKeys, openNumbers, groups } = this.#plan;
    const at = groups + this.#groups * GROUP;
    this.#kernel.reserve(at + GROUP);
    this.#kernel.calls.splitGroup(openKeys, openNumbers, this.#open, at);
    this.#groups++;
    this.#open = 0;
  }

  #growTables(count: number, taken: number): void {
    const { calls } = this.#kernel;
    const { rows, mostPlaces } = this.#plan;
    while (this.#places < mostPlaces && !this.#fits(count, taken, this.#places)) {
      const places = Math.min(2 * this.#places, mostPlaces);
      calls.growTables(places, rows);
      this.#places = places;
    }
  }

  /** Returns whether tables with so many places can take more keys. One table gets more than its part by chance. */
  #fits(count: number, taken: number, places: number): boolean {
    const part = taken / PARTITIONS;
    const most = Math.min(count, Math.ceil(part + 6 * Math.sqrt(part) + 12));
    const isRoomy = this.tableKeys + this.#leftOut + count <= keysOfPlaces(places);
    return isRoomy && this.#kernel.calls.fullestTable() + most < places;
  }
}
