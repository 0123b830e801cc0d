// Runs the kernel that counts the places it reached, and hands the counts to the fuzzer after each input.
import { readFileSync } from "node:fs";
import type { KernelExports } from "../../src/engine/wasm/instance.ts";

/** What Jazzer.js puts into the global scope. */
interface JazzerGlobal {
  readonly Fuzzer?: {
    readonly coverageTracker: { createModuleCounters(size: number): Uint8Array };
  };
}

/** Rows of one call. */
const ROWS = 256;

const module = new WebAssembly.Module(readFileSync("build/fuzz/kernel.wasm"));
/** Says of each place, by its number, its file and line. */
export const PLACES: readonly string[] = JSON.parse(readFileSync("build/fuzz/places.json", "utf8"));
/** Marks the places that were reached since the process began. */
export const reached: Uint8Array = new Uint8Array(PLACES.length);
const counters = (globalThis as JazzerGlobal).Fuzzer?.coverageTracker.createModuleCounters(
  PLACES.length,
);

/** Holds the lines that a call normalized. */
export interface Normalized {
  readonly rows: number;
  /** Bytes of the input that they are. */
  readonly consumed: number;
  readonly output: string;
  readonly status: readonly number[];
}

/** Runs an instance of that kernel. A trap is thrown: that is what is looked for. */
export class CountedKernel {
  readonly #exports = new WebAssembly.Instance(module).exports as unknown as KernelExports;

  /** Returns whether the kernel takes a plan. `capacity`: bytes of the longest input. */
  load(plan: Uint8Array, capacity: number): boolean {
    const kernel = this.#exports;
    if (kernel.reserve(plan.length, 0, capacity, ROWS) === 0) throw new Error("no memory");
    this.#memory().set(plan, kernel.planStart.value >>> 0);
    const isTaken = kernel.loadPlan() === 1;
    this.#count();
    return isTaken;
  }

  /** Normalizes lines, as far as one call does. */
  lines(input: Uint8Array): Normalized {
    const kernel = this.#exports;
    this.#memory().set(input, kernel.inputStart.value >>> 0);
    const rows = kernel.normalizeLines(input.length, 1);
    const memory = this.#memory();
    const output = kernel.outputStart.value >>> 0;
    const status = kernel.statusStart.value >>> 0;
    const normalized = {
      rows,
      consumed: kernel.consumed.value,
      output: memory.toString("latin1", output, output + kernel.written.value),
      status: [...memory.subarray(status, status + rows)],
    };
    this.#count();
    return normalized;
  }

  #memory(): Buffer {
    return Buffer.from(this.#exports.memory.buffer as ArrayBuffer);
  }

  /** Hands the counts on, and sets them to zero. */
  #count(): void {
    const counts = this.#memory().subarray(0, PLACES.length);
    for (const [place, count] of counts.entries()) {
      if (count === 0) continue;
      reached[place] = 1;
      if (counters !== undefined) counters[place] = count;
    }
    counts.fill(0);
  }
}
