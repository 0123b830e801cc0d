import { UrlmillError } from "../../errors.ts";
import { decodeBase64 } from "../base64.ts";
import { kernelBase64 } from "./kernel-base64.generated.ts";

/** The interface of assembly/README.md; the numbers are addresses and sizes in bytes. */
interface KernelExports {
  readonly memory: WebAssembly.Memory;
  readonly ABI_VERSION: WebAssembly.Global<"i32">;
  readonly planStart: WebAssembly.Global<"i32">;
  readonly baseStart: WebAssembly.Global<"i32">;
  readonly inputStart: WebAssembly.Global<"i32">;
  readonly inOffsets: WebAssembly.Global<"i32">;
  readonly statusStart: WebAssembly.Global<"i32">;
  readonly outOffsets: WebAssembly.Global<"i32">;
  readonly fingerprintKey: WebAssembly.Global<"i32">;
  readonly fingerprints: WebAssembly.Global<"i32">;
  readonly marks: WebAssembly.Global<"i32">;
  readonly seenCount: WebAssembly.Global<"i32">;
  readonly tableStart: WebAssembly.Global<"i32">;
  readonly tableBytes: WebAssembly.Global<"i32">;
  readonly outputStart: WebAssembly.Global<"i32">;
  readonly consumed: WebAssembly.Global<"i32">;
  readonly written: WebAssembly.Global<"i32">;
  readonly changedRows: WebAssembly.Global<"i32">;
  readonly failedRows: WebAssembly.Global<"i32">;
  reserve(planBytes: number, baseBytes: number, inputBytes: number, rows: number): number;
  loadPlan(): number;
  loadBase(length: number): void;
  normalizeLines(length: number, final: number): number;
  normalizeColumn(rows: number): number;
  fingerprintRows(rows: number, terminator: number): void;
  setFingerprintBits(bits: number): void;
  insertFingerprints(rows: number): number;
  hasFingerprints(rows: number): void;
  reserveFingerprints(count: number): number;
  chooseRows(rows: number, begin: number): number;
  errorOffset(): number;
}

const ABI_VERSION = 5;
const encoder = new TextEncoder();

/** Rows one call takes at most. */
export const ROWS = 1 << 14;

let compiled: WebAssembly.Module | undefined;

/** Compiles the embedded kernel, once. Throws what the platform throws where WebAssembly is refused. */
export function compileKernel(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(decodeBase64(kernelBase64));
  return compiled;
}

/**
 * One instance of the kernel: its memory laid out for a window of input, a plan and a base. The views
 * are renewed when the memory grows.
 */
export class Kernel {
  readonly #exports: KernelExports;
  readonly #plan: Uint8Array;
  #base: Uint8Array = new Uint8Array(0);
  #baseUrl = "";
  #baseCapacity = 0;

  /** Bytes of input one call takes at most. */
  capacity = 0;
  /** The whole memory. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** Views of the regions, as long as their capacity. */
  input: Uint8Array<ArrayBuffer> = this.bytes;
  inOffsets: Int32Array<ArrayBuffer> = new Int32Array(0);
  outOffsets: Int32Array<ArrayBuffer> = this.inOffsets;
  status: Uint8Array<ArrayBuffer> = this.bytes;

  /** `module`: what compileKernel gave, perhaps on another thread. */
  constructor(plan: Uint8Array, capacity: number, module = compileKernel()) {
    this.#exports = new WebAssembly.Instance(module, {}).exports as unknown as KernelExports;
    if (this.#exports.ABI_VERSION.value !== ABI_VERSION) {
      throw new UrlmillError(
        "ENGINE_UNAVAILABLE",
        `the kernel speaks version ${this.#exports.ABI_VERSION.value} of the interface, this package ${ABI_VERSION}`,
      );
    }
    this.#plan = plan;
    this.reserve(capacity);
  }

  /** Makes room for `capacity` bytes of input; voids all views. */
  reserve(capacity: number): void {
    const kernel = this.#exports;
    if (kernel.reserve(this.#plan.length, this.#baseCapacity, capacity, ROWS) === 0) {
      throw new UrlmillError("BATCH_TOO_LARGE", `no memory for a window of ${capacity} bytes`);
    }
    this.capacity = capacity;
    this.#renewViews();
    this.bytes.set(this.#plan, kernel.planStart.value);
    if (kernel.loadPlan() === 0) {
      throw new UrlmillError("ENGINE_UNAVAILABLE", "the kernel reads another version of the plan");
    }
    this.#loadBase();
  }

  /** Makes the views anew: memory that grows detaches them. */
  #renewViews(): void {
    const { capacity } = this;
    const kernel = this.#exports;
    const { buffer } = kernel.memory;
    this.bytes = new Uint8Array(buffer as ArrayBuffer);
    this.input = this.bytes.subarray(kernel.inputStart.value, kernel.inputStart.value + capacity);
    this.inOffsets = new Int32Array(buffer as ArrayBuffer, kernel.inOffsets.value, ROWS + 1);
    this.outOffsets = new Int32Array(buffer as ArrayBuffer, kernel.outOffsets.value, ROWS + 1);
    this.status = this.bytes.subarray(kernel.statusStart.value, kernel.statusStart.value + ROWS);
  }

  /** The base for the calls that follow: a URL normalized before, or "" for none. */
  setBase(url: string): void {
    if (url === this.#baseUrl) return;
    this.#baseUrl = url;
    this.#base = encoder.encode(url);
    if (this.#base.length > this.#baseCapacity) {
      this.#baseCapacity = this.#base.length;
      this.reserve(this.capacity);
    } else {
      this.#loadBase();
    }
  }

  #loadBase(): void {
    this.bytes.set(this.#base, this.#exports.baseStart.value);
    this.#exports.loadBase(this.#base.length);
  }

  /** Normalizes the lines in the first `length` bytes of the input; returns how many it did. */
  normalizeLines(length: number, final: boolean): number {
    return this.#exports.normalizeLines(length, final ? 1 : 0);
  }

  /** Normalizes `rows` rows of the input by `inOffsets`; returns how many it did. */
  normalizeColumn(rows: number): number {
    return this.#exports.normalizeColumn(rows);
  }

  /**
   * Fingerprints `rows` rows of the last call, 16 bytes each, under a key of 16 bytes, without the
   * `terminator` bytes that end each: 1 for lines.
   */
  fingerprint(rows: number, key: Uint8Array, terminator: 0 | 1): Uint8Array<ArrayBuffer> {
    this.bytes.set(key, this.#exports.fingerprintKey.value);
    this.#exports.fingerprintRows(rows, terminator);
    const start = this.#exports.fingerprints.value;
    return this.bytes.subarray(start, start + rows * 16);
  }

  /** The kernel's set holds fingerprints of so many bits from now on; for an empty set only. */
  setFingerprintBits(bits: 128 | 64): void {
    this.#exports.setFingerprintBits(bits);
  }

  /**
   * Adds `count` fingerprints to the kernel's set, at most ROWS, 16 or 8 bytes each. Returns 1 for each
   * that is new, or null when memory has no room; then none was added.
   */
  insertFingerprints(fingerprints: Uint8Array, count: number): Uint8Array<ArrayBuffer> | null {
    this.bytes.set(fingerprints, this.#exports.fingerprints.value);
    const added = this.#exports.insertFingerprints(count);
    if (this.bytes.length === 0) this.#renewViews();
    return added < 0 ? null : this.#marks(count);
  }

  /** Says of `count` fingerprints whether they are in the kernel's set: 1 for each that is. */
  hasFingerprints(fingerprints: Uint8Array, count: number): Uint8Array<ArrayBuffer> {
    this.bytes.set(fingerprints, this.#exports.fingerprints.value);
    this.#exports.hasFingerprints(count);
    return this.#marks(count);
  }

  #marks(rows: number): Uint8Array<ArrayBuffer> {
    const start = this.#exports.marks.value;
    return this.bytes.subarray(start, start + rows);
  }

  /** Makes room in the set for `count` fingerprints in all, where memory has it. */
  reserveFingerprints(count: number): void {
    this.#exports.reserveFingerprints(count);
    if (this.bytes.length === 0) this.#renewViews();
  }

  /** Fingerprints in the set. */
  get seenCount(): number {
    return this.#exports.seenCount.value;
  }

  /** Bytes of memory up to the end of the set; what lies behind is not used. */
  get usedBytes(): number {
    const { tableStart, tableBytes } = this.#exports;
    const end = (tableStart.value >>> 0) + (tableBytes.value >>> 0);
    return end === 0 ? this.bytes.length : end;
  }

  /** The memory of the set: entries of 16 or 8 bytes, empty where the first 8 are 0. */
  get table(): Uint8Array<ArrayBuffer> {
    const start = this.#exports.tableStart.value >>> 0;
    return this.bytes.subarray(start, start + (this.#exports.tableBytes.value >>> 0));
  }

  /**
   * Those of some rows whose byte in `isChosen` is 1, one behind the other. `starts` says where each
   * begins in `text`, and where the last ends; at most ROWS rows and `capacity` bytes.
   */
  chooseRows(text: Uint8Array, starts: Int32Array, isChosen: Uint8Array): Uint8Array<ArrayBuffer> {
    const rows = isChosen.length;
    const begin = starts[0] as number;
    this.input.set(text.subarray(begin, starts[rows]));
    this.inOffsets.set(starts);
    this.bytes.set(isChosen, this.#exports.marks.value);
    const bytes = this.#exports.chooseRows(rows, begin);
    const start = this.outputStart;
    return this.bytes.subarray(start, start + bytes);
  }

  /** What the last call wrote. */
  get output(): Uint8Array<ArrayBuffer> {
    const start = this.outputStart;
    return this.bytes.subarray(start, start + this.#exports.written.value);
  }

  /** Where the output begins in `bytes`. */
  get outputStart(): number {
    return this.#exports.outputStart.value;
  }

  /** Where the input begins in `bytes`. */
  get inputStart(): number {
    return this.#exports.inputStart.value;
  }

  /** Bytes of the input the last call took. */
  get consumed(): number {
    return this.#exports.consumed.value;
  }

  get changed(): number {
    return this.#exports.changedRows.value;
  }

  get failed(): number {
    return this.#exports.failedRows.value;
  }

  /** Where in the last row its error stands, in bytes. */
  get errorOffset(): number {
    return this.#exports.errorOffset();
  }
}
