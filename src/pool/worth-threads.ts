import type { PoolRunOptions } from "./chunk-runs.ts";

/** Says what a batch holds: strings, or bytes in memory that threads can share, or bytes in other memory. */
export type BatchKind = "strings" | "shared" | "private";

/**
 * Bytes, or UTF-16 units, from which two threads are faster than the calling thread (`npm run bench pool`).
 * For bytes in other memory they never are with WebAssembly, because copying takes as long as normalizing.
 * Large batches go to the threads all the same, so that the calling thread is busy for at most about 50 ms.
 */
const FASTER = {
  wasm: { strings: 1 << 24, shared: 1 << 24, private: 1 << 26 },
  js: { strings: 1 << 22, shared: 1 << 22, private: 1 << 22 },
} as const;
/** The same for calls that can be aborted or report progress, which the calling thread could not do. */
const ANSWERABLE = 1 << 20;

/** Decides which batches go to the threads of a pool. */
export class WorthThreads {
  readonly #faster: Readonly<Record<BatchKind, number>>;
  readonly #least: number | undefined;

  /** `least`: the value of the option `minBatchBytes`, for all kinds. */
  constructor(engine: "wasm" | "js", least: number | undefined) {
    this.#faster = FASTER[engine];
    this.#least = least;
  }

  /** Returns whether a batch of this many bytes, or UTF-16 units, goes to the threads. */
  is(kind: BatchKind, bytes: number, { signal, onProgress }: PoolRunOptions): boolean {
    const isAnswerable = signal !== undefined || onProgress !== undefined;
    return bytes >= (this.#least ?? (isAnswerable ? ANSWERABLE : this.#faster[kind]));
  }
}
