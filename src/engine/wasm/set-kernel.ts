import { address, KernelInstance, unavailable } from "./instance.ts";

/** Limits the fingerprints that one call takes. */
export const SET_ROWS = 1 << 12;

/** Runs an instance of the kernel that is only a set of fingerprints: it has no room for URLs. */
export class SetKernel {
  readonly #instance: KernelInstance;
  /** Holds the whole memory. */
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  /**
   * Makes an empty set of fingerprints of `bits` bits. Throws `ENGINE_UNAVAILABLE` if the platform has no
   * memory for it.
   */
  constructor(bits: 128 | 64, module: WebAssembly.Module) {
    this.#instance = new KernelInstance(module);
    const { exports } = this.#instance;
    if (this.#instance.run(() => exports.reserveSet(SET_ROWS, 0)) === 0) {
      throw unavailable(`no memory for ${SET_ROWS} fingerprints`);
    }
    this.#instance.run(() => exports.setFingerprintBits(bits));
    this.#renewView();
  }

  /**
   * Adds `count` fingerprints, at most SET_ROWS, 16 or 8 bytes each. Returns 1 for each that is new. Returns
   * null if memory has no room; then nothing was added.
   */
  insert(fingerprints: Uint8Array, count: number): Uint8Array<ArrayBuffer> | null {
    const { exports } = this.#instance;
    this.#bytes.set(fingerprints, address(exports.fingerprints));
    const added = this.#instance.run(() => exports.insertFingerprints(count));
    this.#renewView();
    return added < 0 ? null : this.#marks(count);
  }

  /** Returns 1 for each of `count` fingerprints that is in the set, else 0; `count` is at most SET_ROWS. */
  has(fingerprints: Uint8Array, count: number): Uint8Array<ArrayBuffer> {
    const { exports } = this.#instance;
    this.#bytes.set(fingerprints, address(exports.fingerprints));
    this.#instance.run(() => exports.hasFingerprints(count));
    return this.#marks(count);
  }

  #marks(rows: number): Uint8Array<ArrayBuffer> {
    const start = address(this.#instance.exports.marks);
    return this.#bytes.subarray(start, start + rows);
  }

  /** Makes the view again if memory has grown, which detaches it. */
  #renewView(): void {
    if (this.#bytes.length > 0) return;
    this.#bytes = new Uint8Array(this.#instance.exports.memory.buffer as ArrayBuffer);
  }

  /** Makes room for `count` fingerprints in all, if memory has it. */
  reserve(count: number): void {
    this.#instance.run(() => this.#instance.exports.reserveFingerprints(count));
    this.#renewView();
  }

  /** Takes all fingerprints out, and keeps the memory for others. */
  clear(): void {
    this.table.fill(0);
    this.#instance.exports.seenCount.value = 0;
  }

  /** Notes that so many entries of `table` were taken out. */
  forget(entries: number): void {
    this.#instance.exports.seenCount.value -= entries;
  }

  /** Counts the fingerprints in the set. */
  get size(): number {
    return this.#instance.exports.seenCount.value;
  }

  /** Counts the bytes of memory up to the end of the set. The memory after it is not used. */
  get usedBytes(): number {
    const { tableStart, tableBytes } = this.#instance.exports;
    const end = address(tableStart) + address(tableBytes);
    return end === 0 ? this.#bytes.length : end;
  }

  /**
   * Returns a view of the memory of the set: entries of 16 or 8 bytes, empty if the first 8 are 0. Throws
   * `ENGINE_FAILED` after a call that failed, because the memory is then in an unknown state.
   */
  get table(): Uint8Array<ArrayBuffer> {
    this.#instance.checkRunning();
    const { tableStart, tableBytes } = this.#instance.exports;
    const start = address(tableStart);
    return this.#bytes.subarray(start, start + address(tableBytes));
  }
}
