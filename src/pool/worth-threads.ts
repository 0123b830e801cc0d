import type { PoolRunOptions } from "./chunk-runs.ts";

/** Says what a batch is made of: strings, or bytes in memory that threads can share or in other memory. */
export type BatchKind = "strings" | "shared" | "private";

/**
 * Bytes, or UTF-16 units, from which two threads are faster than the calling thread (`npm run bench:pool`). Bytes in other
 * memory never are with WebAssembly, because copying them takes as long as normalizing: large batches go to the threads
 * all the same, so that the calling thread is not held for more than some 50 ms.
 */
const FASTER = {
  wasm: { strings: 1 << 24, shared: 1 << 24, private: 1 << 26 },
  js: { strings: 1 << 22, shared: 1 << 22, private: 1 << 22 },
} as const;
/** The same for calls that can be aborted, or tell of progress: the calling thread would do neither. */
const ANSWERABLE = 1 << 20;

/** Tells which batches go to the threads of a pool. */
export class WorthThreads {
  readonly #faster: Readonly<Record<BatchKind, number>>;
  readonly #least: number | undefined;

  /** `least`: what the caller says, for all kinds. */
  constructor(engine: "wasm" | "js", least: number | undefined) {
    this.#faster = FASTER[engine];
    this.#least = least;
  }

  /** Returns whether a batch of so many bytes, or UTF-16 units, goes to the threads. */
  is(kind: BatchKind, bytes: number, { signal, onProgress }: PoolRunOptions): boolean {
    const isAnswerable = signal !== undefined || onProgress !== undefined;
    return bytes >= (this.#least ?? (isAnswerable ? ANSWERABLE : this.#faster[kind]));
  }
}
