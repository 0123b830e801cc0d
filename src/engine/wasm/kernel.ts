import { copyBytes } from "../../base/copy-bytes.ts";
import { UrlmillError } from "../../base/errors.ts";
import { unreadablePlan } from "../../plan/decode/plan-reader.ts";
import { REASON_WORDS } from "../reasons.ts";
import { type StringMemory, stringMemory } from "../strings.ts";
import { address, type KernelExports, KernelInstance, unavailable } from "./instance.ts";

const encoder = new TextEncoder();

/** Limits the rows that one call takes. */
export const ROWS = 1 << 14;

/**
 * Runs one instance of the kernel. Its memory is laid out for a window of input, a plan and a base. The views
 * are renewed when the memory grows. Addresses are unsigned, but WebAssembly returns signed numbers.
 *
 * If a call traps or fills the stack, memory is in an unknown state. That call and all later calls of this
 * instance throw `ENGINE_FAILED`.
 */
export class Kernel {
  readonly #instance: KernelInstance;
  readonly #exports: KernelExports;
  readonly #plan: Uint8Array;
  readonly #bytesPerRow: number | null;
  #rows = 0;
  #base: Uint8Array = new Uint8Array(0);
  #baseUrl = "";
  #baseCapacity = 0;
  #asksReasons = false;

  /** The most bytes of input that one call takes. */
  capacity = 0;
  /** The whole memory. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** The memory, in the form in which strings are written to it and read from it. */
  strings: StringMemory = stringMemory(this.bytes);
  /** Views of the regions, each as long as the region. */
  input: Uint8Array<ArrayBuffer> = this.bytes;
  inOffsets: Int32Array<ArrayBuffer> = new Int32Array(0);
  outOffsets: Int32Array<ArrayBuffer> = this.inOffsets;
  status: Uint8Array<ArrayBuffer> = this.bytes;

  /**
   * `module`: the compiled kernel, perhaps from another thread. `bytesPerRow`: the length of the
   * lines for which there is room; null for room for ROWS rows. Throws `ENGINE_UNAVAILABLE` if the platform
   * has no memory for another kernel.
   */
  constructor(
    plan: Uint8Array,
    capacity: number,
    module: WebAssembly.Module,
    bytesPerRow: number | null = null,
  ) {
    this.#bytesPerRow = bytesPerRow;
    this.#instance = new KernelInstance(module);
    this.#exports = this.#instance.exports;
    this.#plan = plan;
    if (!this.reserve(capacity)) throw unavailable(`no memory for a window of ${capacity} bytes`);
  }

  /** Returns whether a call failed, so that no further call is served. */
  get hasFailed(): boolean {
    return this.#instance.hasFailed;
  }

  /**
   * Makes room for `capacity` bytes of input, which voids all views. Returns false if the platform has no
   * memory for that; then nothing has changed.
   */
  reserve(capacity: number): boolean {
    return this.#layOut(capacity, this.#baseCapacity);
  }

  #layOut(capacity: number, baseCapacity: number): boolean {
    const kernel = this.#exports;
    const perRow = this.#bytesPerRow;
    const rows = perRow === null ? ROWS : Math.ceil(capacity / perRow);
    if (this.#run(() => kernel.reserve(this.#plan.length, baseCapacity, capacity, rows)) === 0) {
      return false;
    }
    this.#rows = rows;
    this.capacity = capacity;
    this.#baseCapacity = baseCapacity;
    this.#renewViews();
    this.bytes.set(this.#plan, address(kernel.planStart));
    if (this.#run(() => kernel.loadPlan()) === 0) {
      throw unreadablePlan();
    }
    this.#loadBase();
    return true;
  }

  #run<T>(call: () => T): T {
    return this.#instance.run(call);
  }

  /** Makes the views again: memory that grows detaches them. */
  #renewViews(): void {
    const { capacity } = this;
    const rows = this.#rows;
    const kernel = this.#exports;
    const { buffer } = kernel.memory;
    this.bytes = new Uint8Array(buffer as ArrayBuffer);
    this.strings = stringMemory(this.bytes);
    const inputStart = address(kernel.inputStart);
    const statusStart = address(kernel.statusStart);
    this.input = this.bytes.subarray(inputStart, inputStart + capacity);
    this.inOffsets = new Int32Array(buffer as ArrayBuffer, address(kernel.inOffsets), rows + 1);
    this.outOffsets = new Int32Array(buffer as ArrayBuffer, address(kernel.outOffsets), rows + 1);
    this.status = this.bytes.subarray(statusStart, statusStart + rows);
  }

  /**
   * Sets the base for later calls: a URL normalized before, or "" for no base. Throws `BATCH_TOO_LARGE` if the
   * platform has no memory for it; then the base is the one before.
   */
  setBase(url: string): void {
    if (url === this.#baseUrl) return;
    const before = this.#base;
    this.#base = encoder.encode(url);
    if (this.#base.length <= this.#baseCapacity) {
      this.#loadBase();
    } else if (!this.#layOut(this.capacity, this.#base.length)) {
      const { length } = this.#base;
      this.#base = before;
      throw new UrlmillError("BATCH_TOO_LARGE", `no memory for a base of ${length} bytes`);
    }
    this.#baseUrl = url;
  }

  #loadBase(): void {
    this.bytes.set(this.#base, address(this.#exports.baseStart));
    this.#run(() => this.#exports.loadBase(this.#base.length));
  }

  /** Sets whether later calls report the steps that changed each CHANGED row. */
  askReasons(on: boolean): void {
    if (on === this.#asksReasons) return;
    this.#run(() => this.#exports.setReasons(on ? 1 : 0));
    this.#asksReasons = on;
  }

  /** Returns the reasons of the first `rows` rows of the last call, two words each (reasons.ts). */
  reasonsOf(rows: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(
      this.bytes.buffer,
      address(this.#exports.reasonsStart),
      REASON_WORDS * rows,
    );
  }

  /** Normalizes the lines in the first `length` bytes of the input; returns the number of lines done. */
  normalizeLines(length: number, final: boolean): number {
    return this.#run(() => this.#exports.normalizeLines(length, final ? 1 : 0));
  }

  /** Normalizes `rows` rows of the input by `inOffsets`; returns the number of rows done. */
  normalizeColumn(rows: number): number {
    // Does what #run does, without a closure: single URLs come here too.
    this.#instance.checkRunning();
    try {
      return this.#exports.normalizeColumn(rows);
    } catch (error) {
      throw this.#instance.stop(error);
    }
  }

  /**
   * Fingerprints `rows` rows of the last call, 16 bytes each, under a key of 16 bytes. Leaves out the
   * `terminator` bytes at the end of each row: 1 for lines. A row with an error gets zeros or, with `texts`,
   * the fingerprint of its text; then the input must be as the call left it.
   */
  fingerprint(
    rows: number,
    key: Uint8Array,
    terminator: 0 | 1,
    texts = false,
  ): Uint8Array<ArrayBuffer> {
    this.bytes.set(key, address(this.#exports.fingerprintKey));
    this.#run(() => this.#exports.fingerprintRows(rows, terminator, texts ? 1 : 0));
    const start = address(this.#exports.fingerprints);
    return this.bytes.subarray(start, start + rows * 16);
  }

  /**
   * Returns those rows whose byte in `isChosen` is 1, one after the other. `starts` says where each row
   * begins in `text`, and where the last ends. Takes at most ROWS rows and `capacity` bytes.
   */
  chooseRows(text: Uint8Array, starts: Int32Array, isChosen: Uint8Array): Uint8Array<ArrayBuffer> {
    const rows = isChosen.length;
    const begin = starts[0] as number;
    copyBytes(this.input, text.subarray(begin, starts[rows]), 0);
    this.inOffsets.set(starts);
    this.bytes.set(isChosen, address(this.#exports.marks));
    const bytes = this.#run(() => this.#exports.chooseRows(rows, begin));
    const start = this.outputStart;
    return this.bytes.subarray(start, start + bytes);
  }

  /**
   * Divides the fingerprints of `rows` rows of the last call into partitions, `bits` of each; rows keep their
   * order within a partition. Leaves out rows that have an error, unless `texts`. Calls `take` with all
   * fingerprints, and with their number up to the end of each partition. Overwrites the output.
   */
  splitFingerprints(
    rows: number,
    { partitions, bits, texts }: { partitions: number; bits: number; texts: boolean },
    take: (fingerprints: Uint8Array<ArrayBuffer>, ends: Int32Array<ArrayBuffer>) => void,
  ): void {
    this.#run(() => this.#exports.splitFingerprints(rows, partitions, bits, texts ? 1 : 0));
    const ends = new Int32Array(
      this.bytes.buffer,
      address(this.#exports.partitionEnds),
      partitions,
    );
    const start = this.outputStart;
    take(this.bytes.subarray(start, start + (ends[partitions - 1] as number) * (bits >> 3)), ends);
  }

  /**
   * Returns those of `rows` rows of the last call whose answer is 1, one after the other. `answers` are in
   * the order of `splitFingerprints`, which left out the rows without an answer.
   */
  chooseAnswered(rows: number, partitions: number, answers: Uint8Array): Uint8Array<ArrayBuffer> {
    const start = this.outputStart;
    this.bytes.set(answers, start);
    this.#run(() => this.#exports.joinAnswers(rows, partitions));
    return this.chooseMarked(rows);
  }

  /**
   * Returns those of `rows` lines of the input whose mark is 1, one after the other. `inOffsets` says where each begins, and
   * where the last ends. Overwrites the output.
   */
  chooseMarked(rows: number): Uint8Array<ArrayBuffer> {
    const bytes = this.#run(() => this.#exports.chooseRows(rows, 0));
    const start = this.outputStart;
    return this.bytes.subarray(start, start + bytes);
  }

  /** Returns a mark for each of `rows` rows: its partition after `splitFingerprints`, or 255 if it is in none. */
  marksOf(rows: number): Uint8Array<ArrayBuffer> {
    const start = address(this.#exports.marks);
    return this.bytes.subarray(start, start + rows);
  }

  /** Returns the output of the last call. */
  get output(): Uint8Array<ArrayBuffer> {
    const start = this.outputStart;
    return this.bytes.subarray(start, start + this.#exports.written.value);
  }

  /** Returns where the output begins in `bytes`. */
  get outputStart(): number {
    return address(this.#exports.outputStart);
  }

  /** Returns where the input begins in `bytes`. */
  get inputStart(): number {
    return address(this.#exports.inputStart);
  }

  /** Returns the bytes of the input that the last call took. */
  get consumed(): number {
    return this.#exports.consumed.value;
  }

  get changed(): number {
    return this.#exports.changedRows.value;
  }

  get failed(): number {
    return this.#exports.failedRows.value;
  }

  /** Returns the place of the error in the last row, in bytes. */
  get errorOffset(): number {
    return this.#run(() => this.#exports.errorOffset());
  }
}
