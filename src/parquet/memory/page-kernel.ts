import { brotliDecompressSync } from "node:zlib";
import { PAGE_KERNEL } from "./page-kernel.generated.ts";

/** Describes the interface of assembly/pages/index.ts. */
interface PageExports {
  readonly memory: WebAssembly.Memory;
  readonly PAGES_VERSION: WebAssembly.Global<"i32">;
  readonly PAD: WebAssembly.Global<"i32">;
  readonly bufferStart: WebAssembly.Global<"i32">;
  reserve(bytes: number): number;
  compress(from: number, length: number, to: number): number;
  uncompress(from: number, length: number, to: number, size: number): number;
  findStarts(from: number, length: number, count: number, to: number): number;
  chooseValues(
    from: number,
    first: number,
    numbers: number,
    count: number,
    width: number,
    to: number,
  ): number;
  boundLongs(from: number, numbers: number, count: number, to: number): void;
  joinContents(from: number, count: number, start: number, to: number, ends: number): number;
}

const PAGES_VERSION = 1;
const INT = 4;
const LONG = 8;

/** Says why bytes cannot be uncompressed, as assembly/pages/uncompress.ts does. */
const REASONS = ["", "its length is wrong", "it ends too early", "it is not Snappy"];

let shared: PageKernel | undefined;

/** Returns the page kernel of this thread. Throws a RangeError if the platform has no memory for it. */
export function pageKernel(): PageKernel {
  shared ??= new PageKernel();
  return shared;
}

/**
 * Does by WebAssembly what takes long in pages: Snappy, and copies of many short values. Bytes go in and out of its
 * memory; views that it returns are void after the next call.
 */
class PageKernel {
  readonly #exports: PageExports;
  readonly #start: number;
  readonly #pad: number;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  constructor() {
    const module = new WebAssembly.Module(brotliDecompressSync(Buffer.from(PAGE_KERNEL, "base64")));
    this.#exports = new WebAssembly.Instance(module, {}).exports as unknown as PageExports;
    const version = this.#exports.PAGES_VERSION.value;
    if (version !== PAGES_VERSION) throw new Error(`the page kernel has version ${version}`);
    this.#start = this.#exports.bufferStart.value;
    this.#pad = this.#exports.PAD.value;
  }

  /** Compresses with Snappy. Equal bytes always give equal bytes, whatever came before. Returns a view. */
  compress(bytes: Uint8Array): Uint8Array {
    const { length } = bytes;
    const [from, to] = this.#places(length, 32 + length + Math.ceil(length / 6));
    this.#bytes.set(bytes, from);
    return this.#view(to, this.#exports.compress(from, length, to));
  }

  /** Uncompresses Snappy to `size` bytes. Throws if the bytes are damaged or hold more or fewer. Returns a view. */
  uncompress(bytes: Uint8Array, size: number): Uint8Array {
    const [from, to] = this.#places(bytes.length, size);
    this.#bytes.set(bytes, from);
    const reason = this.#exports.uncompress(from, bytes.length, to, size);
    if (reason !== 0) throw new Error(REASONS[reason]);
    return this.#view(to, size);
  }

  /** Sets where each value of BYTE_ARRAY begins and where the last ends. Returns 0, 1 if there are too few, 2 if too many. */
  findStarts(bytes: Uint8Array, starts: Int32Array): number {
    const [from, to] = this.#places(bytes.length, INT * starts.length);
    this.#bytes.set(bytes, from);
    const result = this.#exports.findStarts(from, bytes.length, starts.length - 1, to);
    if (result === 0) starts.set(this.#ints(to, starts.length));
    return result;
  }

  /**
   * Joins values by their ascending numbers. `bytes` begins with the value of the first number; `width` is 0 for
   * BYTE_ARRAY. Returns a view.
   */
  chooseValues(bytes: Uint8Array, numbers: Int32Array, width: number): Uint8Array {
    const [from, at, to] = this.#places(bytes.length, INT * numbers.length, bytes.length);
    this.#bytes.set(bytes, from);
    this.#ints(at, numbers.length).set(numbers);
    const first = numbers[0] as number;
    return this.#view(to, this.#exports.chooseValues(from, first, at, numbers.length, width, to));
  }

  /** Returns the least and the greatest of 64-bit integers, by their numbers, of which there is one at least. */
  boundLongs(bytes: Uint8Array, numbers: Int32Array): [least: bigint, greatest: bigint] {
    const [from, at, to] = this.#places(bytes.length, INT * numbers.length, 2 * LONG);
    this.#bytes.set(bytes, from);
    this.#ints(at, numbers.length).set(numbers);
    this.#exports.boundLongs(from, at, numbers.length, to);
    return [...new BigInt64Array(this.#bytes.buffer, to, 2)] as [bigint, bigint];
  }

  /** Joins the contents of values of BYTE_ARRAY. Sets the end of each, counted from `start`. Returns a view. */
  joinContents(bytes: Uint8Array, start: number, ends: Int32Array): Uint8Array {
    const { length } = ends;
    const [from, at, to] = this.#places(bytes.length, INT * length, bytes.length);
    this.#bytes.set(bytes, from);
    const written = this.#exports.joinContents(from, length, start, to, at);
    ends.set(this.#ints(at, length));
    return this.#view(to, written);
  }

  /** Makes places for so many bytes each, and returns their offsets, which are multiples of 16. */
  #places(...sizes: number[]): [number, number, number] {
    const places: number[] = [];
    let end = this.#start;
    for (const size of sizes) {
      places.push(end);
      end = Math.ceil((end + size + this.#pad) / 16) * 16;
    }
    if (end > 2 ** 32 || this.#exports.reserve(end - this.#start) === 0) {
      throw new Error(`there is no memory for a page of ${Math.max(...sizes)} bytes`);
    }
    const { buffer } = this.#exports.memory;
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer);
    return places as [number, number, number];
  }

  #view(at: number, length: number): Uint8Array {
    return this.#bytes.subarray(at, at + length);
  }

  #ints(at: number, length: number): Int32Array {
    return new Int32Array(this.#bytes.buffer, at, length);
  }
}
