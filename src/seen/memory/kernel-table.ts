import { Kernel, ROWS } from "../../engine/wasm/kernel.ts";
import { planOf } from "../../options/compile.ts";
import { resolveOptions } from "../../options/options.ts";
import { type FingerprintBits, type FingerprintTable, filledEntries } from "./table.ts";

/** Bytes of input that a kernel which normalizes nothing needs room for. */
const NO_INPUT = 64;

/** Keeps fingerprints in the memory of a kernel of its own. */
export class KernelTable implements FingerprintTable {
  readonly #kernel: Kernel;
  readonly #bits: FingerprintBits;

  constructor(bits: FingerprintBits) {
    // A kernel needs a plan, whatever it is for.
    this.#kernel = new Kernel(planOf(resolveOptions()), NO_INPUT);
    this.#kernel.setFingerprintBits(bits);
    this.#bits = bits;
  }

  get size(): number {
    return this.#kernel.seenCount;
  }

  get bytes(): number {
    return this.#kernel.usedBytes;
  }

  add(fingerprints: Uint8Array): Uint8Array | null {
    return this.#each(fingerprints, (rows, count) => this.#kernel.insertFingerprints(rows, count));
  }

  has(fingerprints: Uint8Array): Uint8Array {
    const answers = this.#each(fingerprints, (rows, count) =>
      this.#kernel.hasFingerprints(rows, count),
    );
    return answers as Uint8Array;
  }

  reserve(count: number): void {
    this.#kernel.reserveFingerprints(count);
  }

  blocks(): Iterable<Uint8Array> {
    const { table } = this.#kernel;
    const words = new Uint32Array(table.buffer, table.byteOffset, table.length >> 2);
    return filledEntries(words, this.#bits === 128 ? 4 : 2);
  }

  /** Asks the kernel for as many rows as it takes at a time. */
  #each(
    fingerprints: Uint8Array,
    ask: (rows: Uint8Array, count: number) => Uint8Array | null,
  ): Uint8Array | null {
    const width = this.#bits >> 3;
    const answers = new Uint8Array(fingerprints.length / width);
    for (let first = 0; first < answers.length; first += ROWS) {
      const end = Math.min(first + ROWS, answers.length);
      const marks = ask(fingerprints.subarray(first * width, end * width), end - first);
      if (marks === null) return null;
      answers.set(marks, first);
    }
    return answers;
  }
}
