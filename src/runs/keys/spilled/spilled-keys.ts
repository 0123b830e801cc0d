import { UrlmillError } from "../../../base/errors.ts";
import { MIN_BYTES } from "../../../fingerprints/fingerprint-set.ts";
import { wordsOf } from "../../../fingerprints/table.ts";
import { megabytes } from "../../../io/files/temporary-file.ts";
import type { SeenIdentity } from "../../../seen/contract/identity.ts";
import { readsTwice } from "../../base/keep.ts";
import { partitionOf } from "../partition-of.ts";
import {
  type Answers,
  type KeyStore,
  NO_ANSWERS,
  RowDecider,
  type RowValues,
} from "../row-decider.ts";
import type { RunKeys } from "../run-keys.ts";
import type { HeldKeys } from "../stored-keys.ts";
import { ChosenRows } from "../winners/chosen-rows.ts";
import type { WinnerOptions } from "../winners/key-winners.ts";
import { ReadRows } from "../winners/read-rows.ts";
import { type FirstRows, type FoundRows, findFirstRows } from "./first-rows.ts";
import { PartitionAnswers } from "./partitions/partition-answers.ts";
import { PartitionCounts } from "./partitions/partition-counts.ts";
import { PartitionTexts } from "./partitions/partition-texts.ts";
import { PARTITIONS, Partitions } from "./partitions/partitions.ts";
import { WonRows } from "./won-rows.ts";

/** The most and the fewest bytes of a block. The blocks in memory take a quarter of its limit, or less. */
const MAX_BLOCK = 1 << 15;
const MIN_BLOCK = 1 << 10;

/** Says where keys go that do not fit in memory, and what they are chosen by. */
export interface SpillSetup extends WinnerOptions {
  /** The most bytes of memory: blocks, marks and the set of a partition. */
  readonly maxBytes: number;
  /** The folder of the temporary file, or undefined for that of the system. */
  readonly folder: string | undefined;
}

/**
 * Keeps the keys of all rows in a temporary file while they are read, then finds the row of each key that is written. First
 * come the keys that are left out; call `beginInputs` after them.
 */
export class SpilledKeys extends RowDecider {
  readonly identity: SeenIdentity;
  readonly store = null;
  readonly size = 0;
  readonly #keys: RunKeys;
  readonly #setup: SpillSetup;
  readonly #blockBytes: number;
  readonly #partitions: Partitions;
  /** Null if rows are not chosen by a value. */
  readonly #texts: PartitionTexts | null;
  /** The places of the rows that are written; null if nobody needs them. */
  readonly #places: PartitionCounts | null;
  /** Null if counts are not written. */
  readonly #counts: PartitionCounts | null;
  readonly #read: ReadRows;
  /** The number of keys that are not among the rows, and whether those that are left out count besides. */
  #sizeBefore: number;
  #countsLeftOut = true;
  #areInputs = false;
  /** The share of the input that is done, or 0 if it is unknown. */
  #done = 0;

  /** Throws an IoError. Call `close` afterwards. */
  constructor(keys: RunKeys, setup: SpillSetup) {
    super();
    const { maxBytes, folder, keep, count } = setup;
    const { bits } = keys.identity;
    this.identity = keys.identity;
    this.#keys = keys;
    this.#sizeBefore = keys.sizeAsked;
    this.#setup = setup;
    this.#blockBytes = blockBytesFor(maxBytes);
    this.#read = new ReadRows(bits);
    this.#partitions = new Partitions(bits, this.#blockBytes, folder);
    this.#texts = "field" in keep ? new PartitionTexts(this.#blockBytes, folder) : null;
    const keepsPlaces = keys.perKey > 1 && keys.store !== null;
    this.#places = keepsPlaces ? new PartitionCounts(folder) : null;
    this.#counts = count ? new PartitionCounts(folder) : null;
  }

  /** Adds all keys of this run so far, which are left out, and takes their place. */
  leaveOut(held: HeldKeys): void {
    this.#sizeBefore = held.size;
    this.#countsLeftOut = false;
    for (const block of held.handOver().blocks()) this.#partitions.add(wordsOf(block), this.needed);
  }

  /** Adds all keys of earlier runs, which are left out. Throws an IoError. */
  async leaveOutAll({ eachEarlier }: RunKeys): Promise<void> {
    await eachEarlier((block) => this.#partitions.add(wordsOf(block), this.needed));
  }

  /** Says that the rows of the inputs come now. */
  beginInputs(): void {
    this.#partitions.endEarlier();
    this.#areInputs = true;
  }

  /** Writes no row yet. */
  async add(fingerprints: Uint8Array, values?: RowValues): Promise<Answers> {
    const words = wordsOf(fingerprints);
    this.#partitions.add(words, this.needed);
    const rows = (32 * words.length) / this.identity.bits;
    if (this.#areInputs) this.#read.add(words);
    if (values !== undefined) this.#addTexts(words, rows, values);
    return { ...NO_ANSWERS, rows: new Uint8Array(rows) };
  }

  #addTexts(words: Uint32Array, rows: number, values: RowValues): void {
    const perRow = words.length / rows;
    for (let row = 0; row < rows; row++) {
      const partition = partitionOf(words[row * perRow] as number, PARTITIONS);
      this.#texts?.add(partition, values.textOf(row), this.needed);
    }
  }

  /** Adds rows that the kernel has divided among the partitions. `ends`: the number of rows up to the end of each. */
  addDivided(fingerprints: Uint8Array, ends: Int32Array): void {
    this.#partitions.addDivided(wordsOf(fingerprints), ends, this.needed);
  }

  expect(done: number): void {
    this.#done = done;
  }

  /** The bytes in temporary files. */
  get bytesOnDisk(): number {
    return this.#partitions.bytesOnDisk + (this.#texts?.bytesOnDisk ?? 0);
  }

  /** Says how many bytes of disk the keys need. */
  readonly needed = (): string => {
    const taken = this.bytesOnDisk;
    return this.#done === 0
      ? `the keys took ${megabytes(taken)} so far`
      : `the keys need about ${megabytes(taken / this.#done)}`;
  };

  /**
   * Returns what answers for the same rows when they are read again. `store`: keeps the keys of the written rows, or null.
   * Throws the reason of `signal`, an IoError and `SET_FULL`.
   */
  async chosen(store: KeyStore | null, signal: AbortSignal): Promise<ChosenRows> {
    const { identity } = this;
    const found = readsTwice(this.#setup)
      ? await this.#findWinners(signal)
      : await this.findFirst(signal).then(({ size, marks }) => ({
          size,
          answers: new PartitionAnswers(marks, { places: this.#places }),
        }));
    return new ChosenRows({ identity, store, read: this.#read, ...found });
  }

  /** Finds the first rows of each key. Throws the same. */
  async findFirst(signal: AbortSignal): Promise<FirstRows> {
    const places = this.#places;
    const set = this.#keys.makeSet(this.#setBytes(1 + bitsInPartition(places)));
    const { bits } = this.identity;
    const { needed } = this;
    const partitions = this.#partitions;
    const found = await findFirstRows(
      { ...this.#keys, partitions, set, bits, places, needed },
      signal,
    );
    return { marks: found.marks, size: this.#sizeWith(found) };
  }

  #sizeWith({ leftOut, size }: FoundRows): number {
    return this.#sizeBefore + (this.#countsLeftOut ? leftOut : 0) + size;
  }

  async #findWinners(signal: AbortSignal) {
    const { repeated } = this.#setup;
    const { hasEarlier } = this.#partitions;
    const { earlier: stored } = this.#keys;
    const bytes = this.#setBytes((repeated ? 2 : 1) + bitsInPartition(this.#counts));
    const maxBytes = hasEarlier ? bytes / 2 : bytes;
    const won = new WonRows({
      options: this.#setup,
      bits: this.identity.bits,
      partitions: this.#partitions,
      texts: this.#texts,
      counts: this.#counts,
      earlier: hasEarlier ? this.#keys.makeSet(maxBytes) : null,
      stored,
      maxBytes,
      needed: this.needed,
    });
    const answers = await won.find(signal);
    return { size: this.#sizeWith(won), answers };
  }

  /** Returns the bytes that blocks and so many bits for each row leave to a set. */
  #setBytes(bitsPerRow: number): number {
    const { rows } = this.#partitions;
    const blocks = (PARTITIONS + 1) * this.#blockBytes * (this.#texts === null ? 1 : 2);
    const besides = blocks + Math.ceil((bitsPerRow * rows) / 8);
    const bytes = this.#setup.maxBytes - besides;
    if (bytes >= 2 * MIN_BYTES) return bytes;
    throw new UrlmillError(
      "SET_FULL",
      `the keys of ${rows} rows need ${megabytes(besides + 2 * MIN_BYTES)} of memory at least, and --memory has ${megabytes(this.#setup.maxBytes)}`,
    );
  }

  /** Removes the temporary files. */
  close(): void {
    this.#partitions.close();
    this.#texts?.close();
    this.#places?.close();
    this.#counts?.close();
  }
}

/** The bits of a count. The counts of one partition are in memory at a time. */
const BITS_OF_COUNT = 64;

/** Returns the bits of memory that counts take for each row. */
function bitsInPartition(counts: PartitionCounts | null): number {
  return counts === null ? 0 : BITS_OF_COUNT / PARTITIONS;
}

/** Returns the bytes of a block: a power of two. */
function blockBytesFor(maxBytes: number): number {
  let bytes = MIN_BLOCK;
  while (bytes < MAX_BLOCK && 2 * bytes * PARTITIONS <= maxBytes / 4) bytes *= 2;
  return bytes;
}
