import { UrlmillError } from "../../base/errors.ts";

/** Describes the interface of assembly/README.md; the numbers are addresses and sizes in bytes. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  readonly ABI_VERSION: WebAssembly.Global<"i32">;
  readonly planStart: WebAssembly.Global<"i32">;
  readonly baseStart: WebAssembly.Global<"i32">;
  readonly inputStart: WebAssembly.Global<"i32">;
  readonly inOffsets: WebAssembly.Global<"i32">;
  readonly statusStart: WebAssembly.Global<"i32">;
  readonly outOffsets: WebAssembly.Global<"i32">;
  readonly reasonsStart: WebAssembly.Global<"i32">;
  readonly fingerprintKey: WebAssembly.Global<"i32">;
  readonly fingerprints: WebAssembly.Global<"i32">;
  readonly marks: WebAssembly.Global<"i32">;
  readonly partitionEnds: WebAssembly.Global<"i32">;
  readonly seenCount: WebAssembly.Global<"i32">;
  readonly tableStart: WebAssembly.Global<"i32">;
  readonly tableBytes: WebAssembly.Global<"i32">;
  readonly outputStart: WebAssembly.Global<"i32">;
  readonly consumed: WebAssembly.Global<"i32">;
  readonly written: WebAssembly.Global<"i32">;
  readonly changedRows: WebAssembly.Global<"i32">;
  readonly failedRows: WebAssembly.Global<"i32">;
  reserve(planBytes: number, baseBytes: number, inputBytes: number, rows: number): number;
  reserveSet(rows: number, output: number): number;
  loadPlan(): number;
  setReasons(on: number): void;
  loadBase(length: number): void;
  normalizeLines(length: number, final: number): number;
  normalizeColumn(rows: number): number;
  fingerprintRows(rows: number, terminator: number, texts: number): void;
  setFingerprintBits(bits: number): void;
  insertFingerprints(rows: number): number;
  hasFingerprints(rows: number): void;
  reserveFingerprints(count: number): number;
  chooseRows(rows: number, begin: number): number;
  splitFingerprints(rows: number, partitions: number, bits: number, texts: number): void;
  splitByShard(rows: number, shards: number, bits: number): void;
  joinAnswers(rows: number, partitions: number): void;
  errorOffset(): number;
}

const ABI_VERSION = 13;

/**
 * Runs one instance of the kernel. If a call traps or fills the stack, memory is in an unknown state: that
 * call and all later calls of the instance throw `ENGINE_FAILED`.
 */
export class KernelInstance {
  readonly exports: KernelExports;
  /** Says why the instance serves no further call, or is null. */
  #failure: string | null = null;

  /**
   * `module`: the compiled kernel, perhaps from another thread. Throws `ENGINE_UNAVAILABLE` if the
   * platform has no memory for another kernel.
   */
  constructor(module: WebAssembly.Module) {
    this.exports = instantiate(module);
    const version = (this.exports as Partial<KernelExports>).ABI_VERSION?.value;
    if (version === undefined) throw misfit("this WebAssembly is not a kernel of urlmill");
    if (version !== ABI_VERSION) {
      throw misfit(`the kernel has version ${version} of the interface, not ${ABI_VERSION}`);
    }
  }

  /** Returns whether a call failed, so that no further call is served. */
  get hasFailed(): boolean {
    return this.#failure !== null;
  }

  /** Throws `ENGINE_FAILED` after a call that failed. */
  checkRunning(): void {
    if (this.#failure !== null) throw stopped(this.#failure);
  }

  /** Runs a function of the kernel. After one that does not return, no other may be called. */
  run<T>(call: () => T): T {
    this.checkRunning();
    try {
      return call();
    } catch (error) {
      throw this.stop(error);
    }
  }

  /** Stops serving calls, because one threw `error`. Returns the error to throw instead. */
  stop(error: unknown): UrlmillError {
    this.#failure = String(error);
    return stopped(this.#failure);
  }
}

/** Starts a kernel. Throws `ENGINE_UNAVAILABLE` if the platform has no memory for it. */
function instantiate(module: WebAssembly.Module): KernelExports {
  try {
    return new WebAssembly.Instance(module, {}).exports as unknown as KernelExports;
  } catch (error) {
    throw unavailable(
      `${error}. A kernel reserves about 10 GB of address space, of which it uses some MB: raise the limit (ulimit -v), or choose engine "js"`,
    );
  }
}

/** Makes the error of a platform on which the kernel cannot run. */
export function unavailable(reason: string): UrlmillError {
  return new UrlmillError("ENGINE_UNAVAILABLE", `WebAssembly does not run here: ${reason}`);
}

/** Makes the error of a kernel whose version is not that of this file. */
export function misfit(what: string): UrlmillError {
  const message = `${what}. The files of urlmill are of different versions: install it again`;
  return new UrlmillError("ENGINE_FAILED", message);
}

/** Makes the error of a kernel whose call trapped or filled the stack. */
function stopped(reason: string): UrlmillError {
  return new UrlmillError(
    "ENGINE_FAILED",
    `the WebAssembly kernel stopped (${reason}), so this call has no result. A normalizer goes on with a new kernel. A set must be made or opened again`,
  );
}

/** Reads an address or a size in bytes; WebAssembly returns it as a signed number. */
export function address({ value }: WebAssembly.Global<"i32">): number {
  return value >>> 0;
}
