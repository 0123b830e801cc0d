import { brotliDecompressSync } from "node:zlib";
import { UrlmillError } from "../../base/errors.ts";
import { SORT_KERNEL } from "./sort-kernel.generated.ts";

/** Describes the interface of assembly/sort/index.ts. */
interface SortExports {
  readonly memory: WebAssembly.Memory;
  readonly SORT_VERSION: WebAssembly.Global<"i32">;
  readonly PAD: WebAssembly.Global<"i32">;
  readonly lineEnd: WebAssembly.Global<"i32">;
  readonly linesRead: WebAssembly.Global<"f64">;
  readonly current: WebAssembly.Global<"i32">;
  readonly written: WebAssembly.Global<"i32">;
  memoryStart(): number;
  reserve(end: number): number;
  setShape(separator: number, count: number): void;
  beginRun(from: number, kept: number, end: number): void;
  setTop(end: number): void;
  setTextEnd(end: number): void;
  setLinesRead(count: number): void;
  room(): number;
  hasLines(): number;
  lineStart(): number;
  takeLines(): number;
  keepLine(): void;
  dropLine(): void;
  sort(): void;
  gather(to: number, end: number): number;
  beginMerge(at: number, count: number): void;
  merge(to: number, end: number): number;
  keepStreamLine(): void;
  dropStreamLine(): number;
}

const SORT_VERSION = 1;
/** WebAssembly of 32 bits reaches no further. */
const MOST_MEMORY = 2 ** 32 - 2 ** 16;

let module: WebAssembly.Module | undefined;

/** Sorts and merges lines: a WebAssembly instance with a memory of its own, which the host divides. */
export class SortKernel {
  readonly calls: SortExports;
  /** Where the memory begins that the host divides, and the bytes after a region that may be touched. */
  readonly start: number;
  readonly pad: number;
  #bytes: Buffer = Buffer.alloc(0);

  /** Throws `ENGINE_UNAVAILABLE` if the platform has no memory for it. */
  constructor() {
    module ??= new WebAssembly.Module(brotliDecompressSync(Buffer.from(SORT_KERNEL, "base64")));
    try {
      this.calls = new WebAssembly.Instance(module, {}).exports as unknown as SortExports;
    } catch (error) {
      throw noMemory(error as Error);
    }
    const version = this.calls.SORT_VERSION.value;
    if (version !== SORT_VERSION) throw new Error(`the sort kernel has version ${version}`);
    this.start = this.calls.memoryStart();
    this.pad = this.calls.PAD.value;
  }

  /** Returns the memory. A view is void after `reserve`. */
  get bytes(): Buffer {
    const { buffer } = this.calls.memory;
    if (this.#bytes.buffer !== buffer) this.#bytes = Buffer.from(buffer);
    return this.#bytes;
  }

  /** Makes the memory reach to `end` and `pad` bytes more. Throws `ENGINE_UNAVAILABLE` if the platform does not give it. */
  reserve(end: number): void {
    if (end + this.pad <= MOST_MEMORY && this.calls.reserve(end + this.pad) !== 0) return;
    throw noMemory(new Error(`${end} bytes of memory`));
  }

  /** Returns where the line ends that was read last: the place of its LF. */
  get lineEnd(): number {
    return this.calls.lineEnd.value >>> 0;
  }
}

function noMemory({ message }: Error): UrlmillError {
  return new UrlmillError(
    "ENGINE_UNAVAILABLE",
    `the platform does not give memory for the lines (${message}): give --memory less, or cut out a line that is too long`,
  );
}
