import type { FingerprintSet } from "../../../fingerprints/fingerprint-set.ts";
import { type FingerprintBits, wordsOf } from "../../../fingerprints/table.ts";
import { type EarlierKeys, withoutEarlier } from "../per-key.ts";
import { KeyWinners, noValue, type WinnerOptions } from "../winners/key-winners.ts";
import { countOf, type FoundRows, UNEVEN } from "./first-rows.ts";
import { eachPart, type Part, type PartRows, partRows } from "./partitions/part-rows.ts";
import { PartitionAnswers } from "./partitions/partition-answers.ts";
import type { PartitionCounts } from "./partitions/partition-counts.ts";
import { PartitionMarks } from "./partitions/partition-marks.ts";
import type { PartitionTexts } from "./partitions/partition-texts.ts";
import type { Partitions } from "./partitions/partitions.ts";

/** Holds the rows of which winners are found, and what for. */
export interface WonRowsSetup {
  readonly options: WinnerOptions;
  readonly bits: FingerprintBits;
  readonly partitions: Partitions;
  /** The values by which rows are chosen, or null if they are not. */
  readonly texts: PartitionTexts | null;
  /** Gets the counts of written rows, or is null if they are not written. */
  readonly counts: PartitionCounts | null;
  /** Has room for the keys of a part, of those that are left out and of those of the inputs; null if none are left out. */
  readonly earlier: FingerprintSet | null;
  /** Is asked about keys of earlier runs, which are left out; null if they are among the rows. */
  readonly stored: EarlierKeys | null;
  /** The most bytes of the keys of a part. */
  readonly maxBytes: number;
  /** Says how many bytes of disk are needed. */
  readonly needed: () => string;
}

/** Finds which row of each key is to be written, partition by partition. */
export class WonRows implements FoundRows {
  readonly #setup: WonRowsSetup;
  readonly #chosen: PartitionMarks;
  readonly #lone: PartitionMarks | null;
  /** The count of each row of a partition that won. */
  #counts = new Float64Array(0);
  /** Has the keys of one part after the other. */
  readonly #winners: KeyWinners;
  #hasValues = false;
  leftOut = 0;
  size = 0;

  constructor(setup: WonRowsSetup) {
    const rowsOf = (partition: number): number => setup.partitions.inputRowsOf(partition);
    this.#setup = setup;
    this.#winners = new KeyWinners(setup.options, setup.bits, setup.maxBytes);
    this.#chosen = new PartitionMarks(rowsOf);
    this.#lone = setup.options.repeated ? new PartitionMarks(rowsOf) : null;
  }

  /**
   * Returns what becomes of all rows. Throws the reason of `signal`, an IoError, `SET_FULL`, and a CommandFailure if no row has
   * a value.
   */
  async find(signal: AbortSignal): Promise<PartitionAnswers> {
    const { options, counts } = this.#setup;
    for await (const part of eachPart((partition) => this.#passesOf(partition), signal)) {
      if (part.pass === 0) this.#beginCounts(part.partition);
      await this.#findIn(part);
      if (part.pass + 1 === part.passes) this.#putCounts(part.partition);
    }
    if ("field" in options.keep && !this.#hasValues && this.size > 0) throw noValue(options.keep);
    return new PartitionAnswers(this.#chosen, { lone: this.#lone, counts });
  }

  #passesOf(partition: number): number {
    const { options, bits, partitions, texts, earlier, maxBytes } = this.#setup;
    const rows = partitions.rowsOf(partition);
    const bytes = texts?.bytesOf(partition) ?? 0;
    const keys = earlier?.capacity ?? Number.POSITIVE_INFINITY;
    for (let passes = 1; ; passes *= 2) {
      const share = passes === 1 ? 1 : UNEVEN / passes;
      const taken = KeyWinners.bytesOf(options, bits, share * rows, share * bytes);
      if ((taken <= maxBytes && share * rows <= keys) || passes > rows) return passes;
    }
  }

  async #findIn(part: Part): Promise<void> {
    const { bits, partitions, texts, earlier } = this.#setup;
    const winners = this.#winners;
    winners.clear();
    const values = texts && new TextsInOrder(texts.textsOf(part.partition));
    for (const rows of partRows(partitions, part, bits)) {
      const isNew = await this.#areNew(rows.fingerprints);
      if (rows.isEarlier) this.leftOut += countOf(isNew as Uint8Array);
      else this.#take(winners, rows, isNew, values);
    }
    winners.each((row, count) => this.#mark(part.partition, row, count));
    this.#hasValues ||= !winners.lacksValues;
    this.size += winners.size;
    earlier?.clear();
  }

  /** Returns a 0 for each row whose key is left out, or was there before if some are. Undefined if none are left out. */
  async #areNew(fingerprints: Uint8Array): Promise<Uint8Array | undefined> {
    const { bits, earlier, stored } = this.#setup;
    const isNew = earlier?.add(fingerprints);
    if (stored === null) return isNew;
    const all = isNew ?? new Uint8Array(fingerprints.length / (bits / 8)).fill(1);
    return withoutEarlier(stored, fingerprints, all);
  }

  #take(
    winners: KeyWinners,
    { fingerprints, first, others }: PartRows,
    isNew: Uint8Array | undefined,
    values: TextsInOrder | null,
  ): void {
    const rows = fingerprints.length / (this.#setup.bits / 8);
    const numberOf = (row: number): number => first + (others?.[row] ?? row);
    const textOf = values === null ? undefined : (row: number) => values.of(numberOf(row));
    winners.take(wordsOf(fingerprints), rows, numberOf, textOf, isNew);
  }

  #mark(partition: number, row: number, count: number): void {
    const isLone = this.#lone !== null && count === 1;
    (isLone ? this.#lone : this.#chosen)?.mark(partition, row);
    if (!isLone && this.#counts.length > 0) this.#counts[row] = count;
  }

  #beginCounts(partition: number): void {
    if (this.#setup.counts === null) return;
    this.#counts = new Float64Array(this.#setup.partitions.inputRowsOf(partition));
  }

  /** Keeps the counts of rows that are written. No other row has one. */
  #putCounts(partition: number): void {
    const { counts, needed } = this.#setup;
    counts?.put(
      partition,
      this.#counts.filter((count) => count > 0),
      needed,
    );
  }
}

/** Gives the texts of some of the rows of a partition, which are asked in order. */
class TextsInOrder {
  readonly #texts: Generator<Buffer, undefined, undefined>;
  #next = 0;

  constructor(texts: Generator<Buffer, undefined, undefined>) {
    this.#texts = texts;
  }

  of(row: number): Buffer {
    let text: Buffer | undefined;
    while (this.#next <= row) {
      text = this.#texts.next().value;
      this.#next++;
    }
    return text as Buffer;
  }
}
