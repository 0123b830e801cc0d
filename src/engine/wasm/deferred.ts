import { isError, Status } from "../../status.ts";
import type { LineWindow, NormalizedColumn, Outcome } from "../engine.ts";
import { encodeUtf8, toByteString } from "../js/bytes.ts";
import { JsEngine } from "../js/engine.ts";
import { replaceRows } from "../splice.ts";
import { DEFERRED, type Kernel } from "./kernel.ts";

const LF = 0x0a;
const CR = 0x0d;

/**
 * Rows whose host is international: the kernel has no Unicode table, so the JavaScript engine, which
 * has, normalizes them whole.
 */
export class DeferredRows {
  readonly #engine: JsEngine;

  constructor(plan: Uint8Array) {
    this.#engine = new JsEngine(plan);
  }

  normalizeOne(url: string, base: string): Outcome {
    return this.#engine.normalizeOne(url, base);
  }

  /** The kernel's last column with its deferred rows filled in; views where there are none. */
  resolveColumn(kernel: Kernel, rows: number, base: string): NormalizedColumn {
    const column = {
      data: kernel.output as Uint8Array,
      offsets: kernel.outOffsets.subarray(0, rows + 1) as Int32Array,
      status: kernel.status.subarray(0, rows),
    };
    if (kernel.failed === 0 || !column.status.includes(DEFERRED)) return column;
    const resolved = this.#resolve(kernel, column.status, base, "");
    return { ...replaceRows(column.data, column.offsets, resolved), status: column.status };
  }

  /** The kernel's last lines with the deferred ones filled in. */
  resolveLines(kernel: Kernel, rows: number, input: Uint8Array, base: string): LineWindow {
    const window: LineWindow = {
      rows,
      input,
      inputOffsets: kernel.inOffsets.subarray(0, rows + 1),
      output: kernel.output,
      outputOffsets: kernel.outOffsets.subarray(0, rows + 1),
      status: kernel.status.subarray(0, rows),
      changed: kernel.changed,
      failed: kernel.failed,
    };
    if (window.failed === 0 || !window.status.includes(DEFERRED)) return window;
    const resolved = this.#resolve(kernel, window.status, base, "\n");
    const { data, offsets } = replaceRows(window.output, window.outputOffsets, resolved);
    let { changed, failed } = window;
    for (const row of resolved.keys()) {
      const status = window.status[row] as number;
      if (status === Status.UNCHANGED) changed--;
      if (!isError(status)) failed--;
    }
    return { ...window, output: data, outputOffsets: offsets, changed, failed };
  }

  /** Normalizes the rows marked DEFERRED, writes their status, returns their bytes and terminator. */
  #resolve(
    kernel: Kernel,
    status: Uint8Array,
    base: string,
    terminator: string,
  ): Map<number, Uint8Array> {
    const resolved = new Map<number, Uint8Array>();
    for (let row = status.indexOf(DEFERRED); row >= 0; row = status.indexOf(DEFERRED, row + 1)) {
      const start = kernel.inOffsets[row] as number;
      let end = kernel.inOffsets[row + 1] as number;
      if (terminator !== "" && kernel.input[end - 1] === LF) {
        end--;
        if (end > start && kernel.input[end - 1] === CR) end--;
      }
      const text = toByteString(kernel.input.subarray(start, end));
      const written = this.#engine.normalizeByteString(text, base);
      const failed = typeof written !== "string";
      status[row] = failed
        ? Status[written.code]
        : written === text
          ? Status.UNCHANGED
          : Status.CHANGED;
      resolved.set(row, encodeUtf8((failed ? "" : written) + terminator));
    }
    return resolved;
  }
}
