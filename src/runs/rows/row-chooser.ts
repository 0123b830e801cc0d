import { copyBytes } from "../../base/copy-bytes.ts";
import { FreeKernels } from "../../engine/wasm/free-kernels.ts";
import { type Kernel, ROWS } from "../../engine/wasm/kernel.ts";

/** Copies selected rows of a text. */
export interface RowChooser {
  /**
   * Copies the rows whose byte in `isChosen` is 1 to `target`, in order. `starts` holds where each row begins in
   * `text` and where the last ends. Returns the number of bytes copied.
   */
  choose(text: Uint8Array, starts: Int32Array, isChosen: Uint8Array, target: Uint8Array): number;
}

/** Copies rows with the kernel, through its memory. */
export class KernelRowChooser implements RowChooser {
  readonly #kernels: FreeKernels;

  /** `plan`: the plan of a normalizer on the same thread, whose kernels it shares. */
  constructor(plan: Uint8Array, module: WebAssembly.Module) {
    this.#kernels = FreeKernels.of(plan, module);
  }

  choose(text: Uint8Array, starts: Int32Array, isChosen: Uint8Array, target: Uint8Array): number {
    const kernel = this.#kernels.take();
    try {
      return this.#chooseBy(kernel, text, starts, isChosen, target);
    } finally {
      this.#kernels.put(kernel);
    }
  }

  #chooseBy(
    kernel: Kernel,
    text: Uint8Array,
    starts: Int32Array,
    isChosen: Uint8Array,
    target: Uint8Array,
  ): number {
    let length = 0;
    for (let first = 0; first < isChosen.length; ) {
      const begin = starts[first] as number;
      const last = Math.min(first + ROWS, isChosen.length);
      const limit = begin + kernel.capacity;
      let end = first;
      while (end < last && (starts[end + 1] as number) <= limit) end++;
      if (end === first) {
        // The row is larger than the kernel's window.
        const row = text.subarray(begin, starts[++first]);
        if (isChosen[first - 1] === 1) {
          copyBytes(target, row, length);
          length += row.length;
        }
        continue;
      }
      const rows = starts.subarray(first, end + 1);
      const kept = kernel.chooseRows(text, rows, isChosen.subarray(first, end));
      copyBytes(target, kept, length);
      length += kept.length;
      first = end;
    }
    return length;
  }
}

/** Copies rows in JavaScript. Adjacent rows are copied together. */
export class PlainRowChooser implements RowChooser {
  choose(text: Uint8Array, starts: Int32Array, isChosen: Uint8Array, target: Uint8Array): number {
    let length = 0;
    for (let row = isChosen.indexOf(1); row >= 0; ) {
      const next = isChosen.indexOf(0, row);
      const end = next < 0 ? isChosen.length : next;
      const from = starts[row] as number;
      const to = starts[end] as number;
      copyBytes(target, text.subarray(from, to), length);
      length += to - from;
      row = next < 0 ? -1 : isChosen.indexOf(1, next);
    }
    return length;
  }
}
