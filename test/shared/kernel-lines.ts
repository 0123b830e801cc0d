import { writeRow } from "../../src/engine/js/row.ts";
import { Kernel, ROWS } from "../../src/engine/wasm/kernel.ts";
import { planOf } from "../../src/options/compile.ts";
import { type NormalizerOptions, resolveOptions } from "../../src/options/options.ts";
import { decodePlan } from "../../src/plan/decode.ts";
import { Status } from "../../src/status.ts";
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

/** Compares what a call of the kernel gives, line by line, with the JavaScript engine's exact path. */
export class KernelLines {
  readonly #kernel: Kernel;
  readonly #plan: ReturnType<typeof decodePlan>;
  /** What the exact path made of lines, which often come again. */
  readonly #written = new Map<string, ReturnType<typeof writeRow>>();

  constructor(options: NormalizerOptions, capacity = 1 << 18) {
    const bytes = planOf(resolveOptions(options));
    this.#kernel = new Kernel(bytes, capacity);
    this.#plan = decodePlan(bytes);
  }

  /** Compares the lines in the first `length` bytes of a byte string; the kernel has all of it in its input. */
  expectSame(text: string, final = true, length = text.length): void {
    const kernel = this.#kernel;
    kernel.input.set(Buffer.from(text, "latin1"));
    const rows = kernel.normalizeLines(length, final);
    const output = Buffer.from(kernel.output).toString("latin1");
    const outStarts = [...kernel.outOffsets.subarray(0, rows + 1)];
    const found: Rows = {
      consumed: kernel.consumed,
      counts: [kernel.changed, kernel.failed],
      starts: [...kernel.inOffsets.subarray(0, rows + 1)],
      outStarts,
      outputs: outStarts.slice(0, -1).map((start, row) => output.slice(start, outStarts[row + 1])),
      statuses: [...kernel.status.subarray(0, rows)],
    };
    expectEqual(found, this.#exact(text.slice(0, length), final));
  }

  #exact(text: string, final: boolean): Rows {
    const starts = [0];
    const outStarts = [0];
    const outputs: string[] = [];
    const statuses: number[] = [];
    let start = 0;
    while (start < text.length && outputs.length < ROWS) {
      const lf = text.indexOf("\n", start);
      if (lf < 0 && !final) break;
      const line = lf < 0 ? text.slice(start) : text.slice(start, lf).replace(/\r$/, "");
      const written = this.#written.get(line) ?? writeRow(line, null, this.#plan);
      this.#written.set(line, written);
      const isUrl = typeof written === "string";
      const output = `${isUrl ? written : ""}\n`;
      if (!isUrl) statuses.push(Status[written.code]);
      else statuses.push(written === line ? Status.UNCHANGED : Status.CHANGED);
      outputs.push(output);
      outStarts.push((outStarts.at(-1) as number) + output.length);
      start = lf < 0 ? text.length : lf + 1;
      starts.push(start);
    }
    const changed = statuses.filter((status) => status !== Status.UNCHANGED).length;
    const failed = statuses.filter((status) => status > Status.CHANGED).length;
    return { consumed: start, counts: [changed, failed], starts, outStarts, outputs, statuses };
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
