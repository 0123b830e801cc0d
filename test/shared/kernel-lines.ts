import { Status } from "../../src/base/status.ts";
import { writeRow } from "../../src/engine/js/row.ts";
import { Kernel, ROWS } from "../../src/engine/wasm/kernel.ts";
import type { NormalizerOptions } from "../../src/options/catalog.generated.ts";

import { decodePlan } from "../../src/plan/decode/decode.ts";
import { KERNEL, planFor } from "./engine-parts.ts";
import { expectEqual } from "./equal.ts";

/** Bytes of the input whose stops the kernel finds before it decides on lines (assembly/memory.ts). */
export const BLOCK_BYTES = 4096;

interface Rows {
  readonly consumed: number;
  readonly counts: readonly [changed: number, failed: number];
  readonly starts: readonly number[];
  readonly outStarts: readonly number[];
  readonly outputs: readonly string[];
  readonly statuses: readonly number[];
}

/** Compares what a call of the kernel gives, row by row, with the JavaScript engine's exact path. */
class KernelRows {
  protected readonly kernel: Kernel;
  readonly #plan: ReturnType<typeof decodePlan>;
  /** Caches the results of the exact path, because lines often repeat. */
  readonly #written = new Map<string, ReturnType<typeof writeRow>>();

  constructor(options: NormalizerOptions, capacity = 1 << 18) {
    const bytes = planFor(options);
    this.kernel = new Kernel(bytes, capacity, KERNEL);
    this.#plan = decodePlan(bytes);
  }

  /** Returns the results of the last call. `rows` is the number of rows it did. */
  protected results(rows: number): Rows {
    const { kernel } = this;
    const output = Buffer.from(kernel.output).toString("latin1");
    const outStarts = [...kernel.outOffsets.subarray(0, rows + 1)];
    return {
      consumed: kernel.consumed,
      counts: [kernel.changed, kernel.failed],
      starts: [...kernel.inOffsets.subarray(0, rows + 1)],
      outStarts,
      outputs: outStarts.slice(0, -1).map((start, row) => output.slice(start, outStarts[row + 1])),
      statuses: [...kernel.status.subarray(0, rows)],
    };
  }

  /**
   * Returns the results of the exact path for rows that begin at `starts`. `ending` comes after
   * each output.
   */
  protected exact(rows: readonly string[], starts: readonly number[], ending: string): Rows {
    const outStarts = [0];
    const outputs: string[] = [];
    const statuses: number[] = [];
    for (const row of rows) {
      const written = this.#written.get(row) ?? writeRow(row, null, this.#plan);
      this.#written.set(row, written);
      const isUrl = typeof written === "string";
      const output = `${isUrl ? written : ""}${ending}`;
      if (!isUrl) statuses.push(Status[written.code]);
      else statuses.push(written === row ? Status.UNCHANGED : Status.CHANGED);
      outputs.push(output);
      outStarts.push((outStarts.at(-1) as number) + output.length);
    }
    const changed = statuses.filter((status) => status !== Status.UNCHANGED).length;
    const failed = statuses.filter((status) => status > Status.CHANGED).length;
    const consumed = starts.at(-1) as number;
    return { consumed, counts: [changed, failed], starts, outStarts, outputs, statuses };
  }
}

/** Compares calls of the kernel with columns. */
export class KernelColumns extends KernelRows {
  /** Compares the rows of a column, which are byte strings; `first` bytes come before it, `rest` after it. */
  expectSame(rows: readonly string[], first = "", rest = ""): void {
    const { kernel } = this;
    const starts = [first.length];
    for (const row of rows) starts.push((starts.at(-1) as number) + row.length);
    kernel.input.set(Buffer.from(first + rows.join("") + rest, "latin1"));
    kernel.inOffsets.set(starts);
    expectEqual(kernel.normalizeColumn(rows.length), rows.length);
    expectEqual(this.results(rows.length), this.exact(rows, starts, ""));
  }
}

/** Compares calls of the kernel with lines. */
export class KernelLines extends KernelRows {
  /** Compares the lines in the first `length` bytes of a byte string; the kernel has all of it in its input. */
  expectSame(text: string, final = true, length = text.length): void {
    this.kernel.input.set(Buffer.from(text, "latin1"));
    const rows = this.kernel.normalizeLines(length, final);
    expectEqual(this.results(rows), this.#exactLines(text.slice(0, length), final));
  }

  #exactLines(text: string, final: boolean): Rows {
    const starts = [0];
    const rows: string[] = [];
    let start = 0;
    while (start < text.length && rows.length < ROWS) {
      const lf = text.indexOf("\n", start);
      if (lf < 0 && !final) break;
      rows.push(lf < 0 ? text.slice(start) : text.slice(start, lf).replace(/\r$/, ""));
      start = lf < 0 ? text.length : lf + 1;
      starts.push(start);
    }
    return this.exact(rows, starts, "\n");
  }
}

/** A clean line of so many bytes with its LF, 10 or more. */
export function cleanLine(bytes: number): string {
  return `http://h/${"abcdefghij/".repeat(bytes / 11 + 1).slice(0, bytes - 10)}\n`;
}

/** Clean lines of so many bytes in all, 10 or more. */
export function cleanLines(bytes: number): string {
  const lines: string[] = [];
  for (; bytes >= 90; bytes -= 70) lines.push(cleanLine(70));
  return lines.join("") + cleanLine(bytes);
}
