import { UrlmillError } from "../../../base/errors.ts";
import { builtin } from "../../../base/peer.ts";
import { DISK_KERNEL } from "./disk-kernel.generated.ts";

/** Describes the interface of assembly/disk/index.ts. */
interface DiskExports {
  readonly memory: WebAssembly.Memory;
  readonly DISK_VERSION: WebAssembly.Global<"i32">;
  readonly keysInTables: WebAssembly.Global<"i32">;
  readonly blocksWritten: WebAssembly.Global<"i32">;
  readonly keysWritten: WebAssembly.Global<"i32">;
  memoryStart(): number;
  reserve(end: number): number;
  cutKeys(from: number, width: number, count: number, to: number): void;
  keepNewKeys(keys: number, count: number, answers: number): number;
  numberRows(status: number, rows: number, first: number, to: number): void;
  keepUnmerged(keys: number, numbers: number, count: number, merged: number): number;
  splitGroup(keys: number, numbers: number, count: number, group: number): void;
  countRows(partition: number, groups: number, count: number): number;
  gatherRows(
    partition: number,
    groups: number,
    count: number,
    first: number,
    rows: number,
    to: number,
  ): void;
  counterBits(count: number): number;
  sortRows(from: number, end: number, to: number, counters: number): void;
  setTables(at: number, places: number, counts: number): void;
  fullestTable(): number;
  growTables(places: number, scratch: number): void;
  addToTables(keys: number, count: number, answers: number): void;
  missingInTables(keys: number, count: number, answers: number): void;
  takeTable(partition: number, to: number): number;
  findBlocks(keys: number, count: number, answers: number, finders: number, to: number): number;
  findInRead(key: number, block: number, number: number): number;
  keysOfBlock(block: number, number: number, to: number): number;
  addBlockToFilter(block: number, number: number, filter: number, lines: number): number;
  setFiles(set: number, partition: number, read: number, written: number): void;
  beginMerge(
    rows: number,
    end: number,
    width: number,
    index: number,
    filter: number,
    lines: number,
    fresh: number,
  ): void;
  setInput(at: number, end: number, isLast: boolean): void;
  setOutput(at: number, end: number): void;
  merge(): number;
  outputWritten(): number;
  freshEnd(): number;
  xxh64(at: number, end: number): bigint;
}

const DISK_VERSION = 4;

/** Bytes of a key, and of the longest fingerprint. */
export const KEY = 10;
export const FINGERPRINT = 16;
/** Bytes of a row that waits, of a group of rows, and the most rows of a group, as in assembly/disk/rows.ts. */
export const ROW = 13;
export const GROUP_ROWS = 1 << 16;
export const GROUP = 1032 + GROUP_ROWS * ROW;
/** Bytes of a place of a table, of a line of a filter, of a block. */
export const PLACE = 9;
export const LINE = 64;
export const BLOCK = 4096;
export const PARTITIONS = 256;
/** The number of a row for which nobody waits. */
export const NOBODY = 0xffffffff;

let module: WebAssembly.Module | undefined;

/** Does the byte work of a set on disk: a WebAssembly instance with a memory of its own, which the host divides. */
export class DiskKernel {
  readonly calls: DiskExports;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  constructor() {
    module ??= new WebAssembly.Module(
      builtin("node:zlib").brotliDecompressSync(Buffer.from(DISK_KERNEL, "base64")),
    );
    this.calls = new WebAssembly.Instance(module, {}).exports as unknown as DiskExports;
    const version = this.calls.DISK_VERSION.value;
    if (version !== DISK_VERSION) throw new Error(`the disk kernel has version ${version}`);
  }

  /** Returns the memory. A view is void after `reserve`. */
  get bytes(): Uint8Array<ArrayBuffer> {
    const { buffer } = this.calls.memory;
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer as ArrayBuffer);
    return this.#bytes;
  }

  /** Makes the memory reach to `end`. Throws `SET_FULL` if the platform does not give it. */
  reserve(end: number): void {
    if (this.calls.reserve(end)) return;
    throw new UrlmillError(
      "SET_FULL",
      `there are no ${end} bytes of memory for the set: give it less memory`,
    );
  }

  view(at: number, length: number): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(at, at + length);
  }

  /** Returns the XXH64 of a part of the memory, whose length is a multiple of 8, as text of 16 digits. */
  checksum(at: number, length: number): string {
    return BigInt.asUintN(64, this.calls.xxh64(at, at + length))
      .toString(16)
      .padStart(16, "0");
  }
}
