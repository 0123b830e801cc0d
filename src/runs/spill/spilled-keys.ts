import { UrlmillError } from "../../base/errors.ts";
import { megabytes } from "../../io/files/disk-room.ts";
import type { SeenIdentity } from "../../seen/identity.ts";
import { MIN_BYTES } from "../../seen/memory/fingerprint-set.ts";
import { wordsOf } from "../../seen/memory/table.ts";
import { ChosenRows } from "../keep/chosen-rows.ts";
import { ReadRows } from "../keep/read-rows.ts";
import { type Answers, AskedKeys } from "../keys/asked-keys.ts";
import type { RunKeys } from "../keys/run-keys.ts";
import { FirstRows } from "./first-rows.ts";
import { PARTITIONS, Partitions } from "./partitions.ts";

/** The most and the fewest bytes of a block. The blocks in memory take a quarter of its limit, or less. */
const MAX_BLOCK = 1 << 15;
const MIN_BLOCK = 1 << 10;

/** Says where keys go that do not fit in memory. */
export interface SpillSetup {
  /** The most bytes of memory: blocks, marks and the set of a partition. */
  readonly maxBytes: number;
  /** The folder of the temporary file, or undefined for that of the system. */
  readonly folder: string | undefined;
}

/** Keeps the keys of all rows in a temporary file while they are read, then finds the first row of each key. */
export class SpilledKeys extends AskedKeys {
  readonly identity: SeenIdentity;
  readonly journal = null;
  readonly size = 0;
  readonly #keys: RunKeys;
  readonly #maxBytes: number;
  readonly #blockBytes: number;
  readonly #partitions: Partitions;
  readonly #read: ReadRows;
  /** The share of the input that is done, or 0 if it is unknown. */
  #done = 0;

  /** Throws an IoError. Call `close` afterwards. */
  constructor(keys: RunKeys, { maxBytes, folder }: SpillSetup) {
    super();
    const { bits } = keys.identity;
    this.identity = keys.identity;
    this.#keys = keys;
    this.#maxBytes = maxBytes;
    this.#blockBytes = blockBytesFor(maxBytes);
    this.#read = new ReadRows(bits);
    this.#partitions = new Partitions(bits, this.#blockBytes, folder);
  }

  /** Writes no row yet. */
  add(fingerprints: Uint8Array): Answers {
    const words = wordsOf(fingerprints);
    const rows = this.#read.add(words);
    this.#partitions.add(words, this.needed);
    return {
      rows: new Uint8Array(rows),
      merged: 0,
      unrepeated: 0,
      counts: null,
      fresh: new Uint8Array(0),
    };
  }

  /** Adds rows that the kernel has divided among the partitions. `ends`: the number of rows up to the end of each. */
  addDivided(fingerprints: Uint8Array, ends: Int32Array): void {
    this.#partitions.addDivided(wordsOf(fingerprints), ends, this.needed);
  }

  expect(done: number): void {
    this.#done = done;
  }

  /** Says how many bytes of disk the keys need. */
  readonly needed = (): string => {
    const taken = this.#partitions.bytesOnDisk;
    return this.#done === 0
      ? `the keys took ${megabytes(taken)} so far`
      : `the keys need about ${megabytes(taken / this.#done)}`;
  };

  /** Returns what answers for the same rows when they are read again. Throws the reason of `signal`, an IoError and `SET_FULL`. */
  async chosen(signal: AbortSignal): Promise<ChosenRows> {
    const { identity } = this;
    const { size, marks } = await this.find(signal);
    const choice = { identity, journal: null, size, read: this.#read, lone: null, counts: null };
    return new ChosenRows({ ...choice, chosen: marks });
  }

  /** Finds the first row of each key. Throws the same. */
  async find(signal: AbortSignal): Promise<FirstRows> {
    const set = this.#keys.makeSet(this.#setBytes());
    const first = new FirstRows(this.#partitions, set, this.identity.bits);
    await first.find(signal);
    return first;
  }

  /** Returns the bytes that blocks and a bit for each row leave to a set. */
  #setBytes(): number {
    const { rows } = this.#partitions;
    const besides = (PARTITIONS + 1) * this.#blockBytes + Math.ceil(rows / 8);
    const bytes = this.#maxBytes - besides;
    if (bytes >= MIN_BYTES) return bytes;
    throw new UrlmillError(
      "SET_FULL",
      `the keys of ${rows} rows need ${megabytes(besides + MIN_BYTES)} of memory at least, and --memory has ${megabytes(this.#maxBytes)}`,
    );
  }

  /** Removes the temporary file. */
  close(): void {
    this.#partitions.close();
  }
}

/** Returns the bytes of a block: a power of two. */
function blockBytesFor(maxBytes: number): number {
  let bytes = MIN_BLOCK;
  while (bytes < MAX_BLOCK && 2 * bytes * PARTITIONS <= maxBytes / 4) bytes *= 2;
  return bytes;
}
