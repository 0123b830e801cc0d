import { SET_ROWS, SetKernel } from "../engine/wasm/set-kernel.ts";
import {
  deleteEntries,
  type FingerprintBits,
  type FingerprintTable,
  filledEntries,
  homesOf,
} from "./table.ts";

/** Keeps fingerprints in the memory of a kernel that serves only this table. */
export class KernelTable implements FingerprintTable {
  readonly #kernel: SetKernel;
  readonly #bits: FingerprintBits;

  constructor(bits: FingerprintBits, kernel: WebAssembly.Module) {
    this.#kernel = new SetKernel(bits, kernel);
    this.#bits = bits;
  }

  get size(): number {
    return this.#kernel.size;
  }

  get bytes(): number {
    return this.#kernel.usedBytes;
  }

  add(fingerprints: Uint8Array): Uint8Array | null {
    return this.#each(fingerprints, (rows, count) => this.#kernel.insert(rows, count));
  }

  has(fingerprints: Uint8Array): Uint8Array {
    const answers = this.#each(fingerprints, (rows, count) => this.#kernel.has(rows, count));
    return answers as Uint8Array;
  }

  delete(fingerprints: Uint8Array): Uint8Array {
    const perEntry = this.#bits === 128 ? 4 : 2;
    const words = this.#words();
    const homes = homesOf(words.length / perEntry);
    const answers = deleteEntries(words, perEntry, fingerprints, (high) => {
      // The kernel multiplies 64 bits: high and homes together may have more than a number is exact for.
      const lower = Math.floor(((high & 0xffff) * homes) / 0x10000);
      return Math.floor(((high >>> 16) * homes + lower) / 0x10000);
    });
    this.#kernel.forget(answers.reduce((sum, answer) => sum + answer, 0));
    return answers;
  }

  reserve(count: number): void {
    this.#kernel.reserve(count);
  }

  clear(): void {
    this.#kernel.clear();
  }

  blocks(): Iterable<Uint8Array> {
    return filledEntries(this.#words(), this.#bits === 128 ? 4 : 2);
  }

  #words(): Uint32Array {
    const { table } = this.#kernel;
    return new Uint32Array(table.buffer, table.byteOffset, table.length >> 2);
  }

  /** Calls the kernel for as many rows at a time as it takes. */
  #each(
    fingerprints: Uint8Array,
    ask: (rows: Uint8Array, count: number) => Uint8Array | null,
  ): Uint8Array | null {
    const width = this.#bits >> 3;
    const answers = new Uint8Array(fingerprints.length / width);
    for (let first = 0; first < answers.length; first += SET_ROWS) {
      const end = Math.min(first + SET_ROWS, answers.length);
      const marks = ask(fingerprints.subarray(first * width, end * width), end - first);
      if (marks === null) return null;
      answers.set(marks, first);
    }
    return answers;
  }
}
