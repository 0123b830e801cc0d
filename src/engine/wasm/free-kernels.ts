import { HASH_START, hashByte } from "../../plan/layout.ts";
import { Kernel } from "./kernel.ts";

/** Bytes of input that a kernel has room for, unless one URL is longer. */
const WINDOW = 1 << 18;

/** The free kernels of all plans in use, by the hashes of the plans. Of plans with one hash, only the last one's are shared. */
const shared = new Map<number, WeakRef<FreeKernels>>();
/** The entries to have before those of collected kernels are removed. */
let limit = 64;

/**
 * Keeps the kernels of one plan that no call uses. Each kernel reserves about 10 GB of address space, so all
 * normalizers with equal plans share them. If a callback makes another call, that call takes a kernel of its own.
 */
export class FreeKernels {
  readonly #plan: Uint8Array;
  readonly #module: WebAssembly.Module;
  readonly #free: Kernel[] = [];

  private constructor(plan: Uint8Array, module: WebAssembly.Module) {
    this.#plan = plan;
    this.#module = module;
    this.#free.push(this.take());
  }

  /**
   * Returns the kernels of a plan, at least one. Throws `ENGINE_UNAVAILABLE` if the platform has no memory
   * for it.
   */
  static of(plan: Uint8Array, module: WebAssembly.Module): FreeKernels {
    const hash = plan.reduce(hashByte, HASH_START);
    // Asks for this one alone: the platform keeps what a WeakRef gave until the synchronous job ends.
    const found = shared.get(hash)?.deref();
    if (found !== undefined && isSame(found.#plan, plan)) return found;
    const kernels = new FreeKernels(plan, module);
    // Without WeakRef (workerd before May 2025) shared kernels would never be freed.
    if (globalThis.WeakRef !== undefined) shared.set(hash, new WeakRef(kernels));
    if (shared.size > limit) {
      for (const [key, kept] of shared) if (kept.deref() === undefined) shared.delete(key);
      limit = 2 * shared.size;
    }
    return kernels;
  }

  /** Returns a kernel for one call, which gives it back by `put`. Throws as `of` does. */
  take(): Kernel {
    return this.#free.pop() ?? new Kernel(this.#plan, WINDOW, this.#module);
  }

  /** Takes a kernel back after a call, and drops one that failed. */
  put(kernel: Kernel): void {
    if (!kernel.hasFailed) this.#free.push(kernel);
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
