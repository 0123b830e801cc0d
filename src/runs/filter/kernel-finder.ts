import { brotliDecompressSync } from "node:zlib";
import { UNKNOWN } from "./host-bits.ts";
import type { HostFinder, UrlRows } from "./host-finder.ts";
import type { HostTableMemory } from "./host-table.ts";
import { LIST_KERNEL } from "./list-kernel.generated.ts";

/** Describes the interface of assembly/lists/index.ts. */
interface ListExports {
  readonly LISTS_VERSION: WebAssembly.Global<"i32">;
  readonly SCRATCH: WebAssembly.Global<"i32">;
  setHosts(
    slotsAt: number,
    slotBits: number,
    filterAt: number,
    wordBits: number,
    textsAt: number,
  ): void;
  setRows(data: number, starts: number, terminator: number, marks: number): void;
  findHosts(rows: number, labels: number, scratch: number): void;
}

const LISTS_VERSION = 1;
/** The labels of which each entry has an entry of its own (host-table.ts). */
const BASE_LABELS = 2;
const PAGE = 65536;
/** Bytes of a word, the unit in which V8 copies shared memory: both pieces must begin at the same place in one. */
const WORD = 8;
/** Bytes before and after rows that the kernel may read. */
const PAD = 64;
/** The most bytes, and the most rows, that are looked at together. */
const TEXT = 1 << 18;
const ROWS = 1 << 14;
// The places in the memory of a thread.
const STARTS = PAD + TEXT + PAD + WORD;
const MARKS = STARTS + 4 * (ROWS + 1) + WORD;
const SCRATCH = MARKS + ROWS;
const PAGES = Math.ceil((SCRATCH + 32 * 1024) / PAGE);

/**
 * Returns what finds hosts by the list kernel. Returns null if the table is not in memory for it, or it has no room for this
 * thread.
 */
export function kernelFinder(table: HostTableMemory): HostFinder | null {
  const { memory } = table;
  if (memory === null) return null;
  const area = memory.grow(PAGES) * PAGE;
  return new KernelFinder(table, memory, area);
}

/** Finds hosts by the list kernel, through memory of this thread that is beside the table. */
class KernelFinder implements HostFinder {
  readonly #exports: ListExports;
  readonly #bytes: Uint8Array;
  readonly #area: number;
  readonly #hasLabels: boolean;
  #marks = new Uint8Array(0);

  /** `area`: where the memory of this thread begins. */
  constructor(table: HostTableMemory, memory: WebAssembly.Memory, area: number) {
    const module = new WebAssembly.Module(brotliDecompressSync(Buffer.from(LIST_KERNEL, "base64")));
    const instance = new WebAssembly.Instance(module, { env: { memory } });
    this.#exports = instance.exports as unknown as ListExports;
    const version = this.#exports.LISTS_VERSION.value;
    if (version !== LISTS_VERSION) throw new Error(`the list kernel has version ${version}`);
    const { slotsAt, slotBits, filterAt, wordBits, textsAt } = table;
    this.#exports.setHosts(slotsAt, slotBits, filterAt, wordBits, textsAt);
    this.#bytes = new Uint8Array(memory.buffer);
    this.#area = area;
    this.#hasLabels = table.hasLabels;
  }

  find(rows: UrlRows): Uint8Array {
    const { offsets } = rows;
    const count = offsets.length - 1;
    if (this.#marks.length < count) this.#marks = new Uint8Array(count);
    for (let first = 0; first < count; ) {
      const last = Math.min(first + ROWS, count);
      const limit = (offsets[first] as number) + TEXT;
      let end = last;
      while (end > first && (offsets[end] as number) > limit) end--;
      if (end === first) this.#marks[first++] = UNKNOWN;
      else {
        this.#marks.set(this.#findSome(rows, first, end), first);
        first = end;
      }
    }
    return this.#marks.subarray(0, count);
  }

  /** Returns the marks of the rows [first, end). */
  #findSome({ data, offsets, terminator }: UrlRows, first: number, end: number): Uint8Array {
    const begin = offsets[first] as number;
    const text = data.subarray(begin, offsets[end]);
    const textAt = this.#copy(text, PAD);
    const { buffer, byteOffset } = offsets;
    const starts = new Uint8Array(buffer, byteOffset + 4 * first, 4 * (end - first + 1));
    const startsAt = this.#copy(starts, STARTS);
    const marksAt = this.#area + MARKS;
    const rows = end - first;
    // Starts count from the beginning of the data.
    this.#exports.setRows(textAt - begin, startsAt, terminator, marksAt);
    this.#bytes.fill(0, marksAt, marksAt + rows);
    this.#exports.findHosts(rows, BASE_LABELS, this.#area + SCRATCH);
    if (this.#hasLabels) this.#exports.findHosts(rows, 1, this.#area + SCRATCH);
    return this.#bytes.subarray(marksAt, marksAt + rows);
  }

  /** Copies bytes to the memory of this thread, to the first suitable place from `at` on. Returns the place. */
  #copy(bytes: Uint8Array, at: number): number {
    const place = this.#area + at + ((bytes.byteOffset - this.#area - at) & (WORD - 1));
    this.#bytes.set(bytes, place);
    return place;
  }
}
