import { readFileSync } from "node:fs";
import { REASON_WORDS } from "../../src/engine/reasons.ts";
import { Kernel } from "../../src/engine/wasm/kernel.ts";
import { KERNEL } from "./engine-parts.ts";

/** Holds the bytes of the kernel without SIMD. */
export const SCALAR_BYTES: Uint8Array<ArrayBuffer> = new Uint8Array(
  readFileSync(new URL("../../dist/kernel-scalar.wasm", import.meta.url)),
);

const SCALAR = new WebAssembly.Module(SCALAR_BYTES);
/** Bytes of input that one call takes, and so of the longest line. */
const WINDOW = 1 << 18;
const KEY = new Uint8Array(16).fill(7);

/** Compares all that the kernel with SIMD and the one without write for the same lines. */
export class TwoKernels {
  readonly #kernels: readonly [Kernel, Kernel];

  /** `plan`: of both, unless the kernel without SIMD gets another one. */
  constructor(plan: Uint8Array, ofScalar = plan) {
    this.#kernels = [new Kernel(plan, WINDOW, KERNEL), new Kernel(ofScalar, WINDOW, SCALAR)];
    for (const kernel of this.#kernels) kernel.askReasons(true);
  }

  /** Returns a line of the first window in which they differ, or null. Each line has up to 256 KiB. */
  findDifference(lines: Uint8Array): string | null {
    const [simd, scalar] = this.#kernels;
    for (let at = 0; at < lines.length; at += simd.consumed) {
      const window = lines.subarray(at, at + WINDOW);
      const final = at + window.length === lines.length;
      const results = this.#kernels.map((kernel) => resultsOf(kernel, window, final));
      const [first = [], second = []] = results;
      if (scalar.consumed !== simd.consumed) return lineAt(window, 0);
      for (const [part, { bytes, row }] of first.entries()) {
        const other = second[part]?.bytes as Uint8Array;
        if (Buffer.compare(bytes, other) === 0) continue;
        const place = bytes.findIndex((byte, index) => byte !== other[index]);
        return lineAt(window, simd.inOffsets[row(place)] as number);
      }
      if (simd.consumed === 0) throw new Error("a line is too long for the window");
    }
    return null;
  }
}

/** Holds a part of what a call wrote, and which row a place in it is of. */
interface Part {
  readonly bytes: Uint8Array;
  readonly row: (place: number) => number;
}

/** Returns copies of what a kernel writes for a window, of the same meaning in the same order. */
function resultsOf(kernel: Kernel, window: Uint8Array, final: boolean): Part[] {
  kernel.input.set(window);
  const rows = kernel.normalizeLines(window.length, final);
  const counts = Uint32Array.of(rows, kernel.changed, kernel.failed);
  const status = kernel.status.slice(0, rows);
  const starts = kernel.outOffsets.slice(0, rows + 1);
  const output = kernel.output.slice();
  const reasons = kernel.reasonsOf(rows).slice();
  // They mean nothing of a row that is not changed.
  for (const [row, value] of status.entries()) {
    if (value !== 1) reasons.fill(0, row * REASON_WORDS, (row + 1) * REASON_WORDS);
  }
  const fingerprints = kernel.fingerprint(rows, KEY, 1, true).slice();
  return [
    { bytes: bytesOf(counts), row: () => 0 },
    { bytes: status, row: (place) => place },
    { bytes: bytesOf(starts), row: (place) => Math.max(0, (place >> 2) - 1) },
    { bytes: output, row: (place) => starts.findLastIndex((start) => start <= place) },
    { bytes: bytesOf(reasons), row: (place) => Math.floor(place / (4 * REASON_WORDS)) },
    { bytes: fingerprints, row: (place) => place >> 4 },
  ];
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function lineAt(window: Uint8Array, start: number): string {
  const text = Buffer.from(window).toString("latin1");
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? text.length : end);
}
