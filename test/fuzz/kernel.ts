// Runs the kernel that counts the places it reached.
import { readFileSync } from "node:fs";
import type { KernelExports } from "../../src/engine/wasm/instance.ts";
import { COUNTED_MODULE } from "./edges.ts";

/** Rows of one call. */
const ROWS = 256;

const module = new WebAssembly.Module(readFileSync(COUNTED_MODULE));

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
    return kernel.loadPlan() === 1;
  }

  /** Normalizes lines, as far as one call does. */
  lines(input: Uint8Array): Normalized {
    const kernel = this.#exports;
    this.#memory().set(input, kernel.inputStart.value >>> 0);
    const rows = kernel.normalizeLines(input.length, 1);
    const memory = this.#memory();
    const output = kernel.outputStart.value >>> 0;
    const status = kernel.statusStart.value >>> 0;
    return {
      rows,
      consumed: kernel.consumed.value,
      output: memory.toString("latin1", output, output + kernel.written.value),
      status: [...memory.subarray(status, status + rows)],
    };
  }

  #memory(): Buffer {
    return Buffer.from(this.#exports.memory.buffer as ArrayBuffer);
  }
}
