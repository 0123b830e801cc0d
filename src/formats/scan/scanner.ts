import { brotliDecompressSync } from "node:zlib";
import { copyBytes } from "../../base/copy-bytes.ts";
import { UrlmillError } from "../../base/errors.ts";
import type { Column } from "../../engine/engine.ts";
import type { Addition, LastEnd, RowLayout } from "./layout.ts";
import { SCANNER } from "./scanner.generated.ts";

/** What the scanner says of a row, as assembly/records/rows.ts does. */
export const Scanned = { URL: 0, QUOTED: 1, MISSING: 2, UNCLEAR: 3 } as const;

/** Describes the interface of assembly/records/index.ts. */
interface ScannerExports {
  readonly memory: WebAssembly.Memory;
  readonly SCANNER_VERSION: WebAssembly.Global<"i32">;
  readonly namesStart: WebAssembly.Global<"i32">;
  readonly inputStart: WebAssembly.Global<"i32">;
  readonly starts: WebAssembly.Global<"i32">;
  readonly froms: WebAssembly.Global<"i32">;
  readonly tos: WebAssembly.Global<"i32">;
  readonly kinds: WebAssembly.Global<"i32">;
  readonly offsets: WebAssembly.Global<"i32">;
  readonly columnStart: WebAssembly.Global<"i32">;
  readonly csvState: WebAssembly.Global<"i32">;
  readonly affixes: WebAssembly.Global<"i32">;
  readonly keyOffsets: WebAssembly.Global<"i32">;
  readonly keysStart: WebAssembly.Global<"i32">;
  readonly interleavedStart: WebAssembly.Global<"i32">;
  readonly interleavedStarts: WebAssembly.Global<"i32">;
  reserve(bytes: number): number;
  setPath(steps: number): void;
  setFields(separator: number, field: number, widths: number, flags: number): void;
  setColumns(separator: number, field: number, fields: number): void;
  scanJson(begin: number, length: number, isCapture: number): number;
  scanFields(begin: number, length: number): number;
  scanCsv(begin: number, length: number): number;
  csvEnd(length: number, separator: number, state: number): number;
  lineEnds(length: number): number;
  gather(rows: number): number;
  reserveKeys(bytes: number, rows: number): number;
  setAddition(place: number, quoting: number, before: number, after: number): void;
  nextEscaped(first: number, rows: number): number;
  interleave(first: number, last: number): number;
}

const SCANNER_VERSION = 4;
/** Limits the rows of one call. */
const ROWS = 1 << 14;
/** Bytes of keys for which there is room besides twice the text. */
const KEY_ROOM = 1 << 16;
/** Bytes of all names of a path, with the length before each. */
const NAMES = 4096;

/** The numbers of assembly/records/interleave.ts. */
const PLACES = { start: 0, end: 1, brace: 2 } as const;
const QUOTING = { none: 0, csv: 1, json: 2, escapes: 3 } as const;
const MAX_AFFIX = 32;

/** Holds rows with their keys. The views are valid until the next call. */
export interface InterleavedRows {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The start of each row in `bytes`, and the end of the last. */
  readonly starts: Int32Array<ArrayBuffer>;
}

/** Holds the rows of a scan. The views are valid until the next call. Positions count from the start of the input. */
export interface ScannedRows {
  readonly rows: number;
  /** The start of each row, and the end of the last. */
  readonly starts: Int32Array<ArrayBuffer>;
  /** The position of each URL, without quotes. Void for rows that are MISSING or UNCLEAR. */
  readonly froms: Int32Array<ArrayBuffer>;
  readonly tos: Int32Array<ArrayBuffer>;
  readonly kinds: Uint8Array<ArrayBuffer>;
}

/** The scanner of this thread, or null if the platform has no memory for it. */
let shared: Scanner | null | undefined;

/**
 * Returns the scanner of this thread: what it holds is void after the next call. Returns null if the platform has no
 * address space for it, as for another kernel; then records are read in JavaScript, with the same results.
 */
export function sharedScanner(): Scanner | null {
  if (shared !== undefined) return shared;
  try {
    shared = new Scanner();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    shared = null;
  }
  return shared;
}

/**
 * Finds rows and their URLs by WebAssembly. It knows rows that are written in the usual way, and says of all others that
 * they are UNCLEAR.
 */
export class Scanner {
  readonly #exports: ScannerExports;
  /** The bytes of text for which there is room. A new instance has none, not even for an empty text. */
  #capacity = -1;
  /** The bytes of keys for which there is room. */
  #keyRoom = 0;

  /** Throws a RangeError if the platform has no memory for another instance. */
  constructor() {
    const module = new WebAssembly.Module(brotliDecompressSync(Buffer.from(SCANNER, "base64")));
    this.#exports = new WebAssembly.Instance(module, {}).exports as unknown as ScannerExports;
    const version = this.#exports.SCANNER_VERSION.value;
    if (version !== SCANNER_VERSION) throw new Error(`the scanner has version ${version}`);
  }

  /**
   * Takes the text to scan: whole rows. `interleaves`: says whether their keys will be added to them. Returns false if memory
   * has no room for it. Voids all views.
   */
  load(text: Uint8Array, interleaves = false): boolean {
    if (text.length > this.#capacity) {
      if (this.#exports.reserve(text.length) === 0) return false;
      this.#capacity = text.length;
      this.#keyRoom = 0;
    }
    const keyRoom = 2 * text.length + KEY_ROOM;
    if (interleaves && keyRoom > this.#keyRoom) {
      if (this.#exports.reserveKeys(keyRoom, ROWS) === 0) return false;
      this.#keyRoom = keyRoom;
    }
    copyBytes(this.#bytes(this.#exports.inputStart, text.length), text, 0);
    return true;
  }

  /**
   * Finds where the last record of CSV ends, as an `EndSearch` does. `separator`: the byte between fields. Throws
   * `BATCH_TOO_LARGE` if memory has no room for the bytes.
   */
  csvEnd(bytes: Uint8Array, separator: number, state: number): LastEnd {
    if (!this.load(bytes)) {
      const message = `no memory to scan ${bytes.length} bytes: use --engine js`;
      throw new UrlmillError("BATCH_TOO_LARGE", message);
    }
    const end = this.#exports.csvEnd(bytes.length, separator, state);
    return { end, state: this.#exports.csvState.value };
  }

  /** Returns the number of LF in some bytes, or null if memory has no room for them. */
  lineEnds(bytes: Uint8Array): number | null {
    return this.load(bytes) ? this.#exports.lineEnds(bytes.length) : null;
  }

  /** Sets how rows are written. Returns false for a path that has no room. */
  use(layout: RowLayout): boolean {
    const kernel = this.#exports;
    if (layout.kind === "json") return this.#usePath(layout.path);
    const { separator, field } = layout;
    if (layout.kind === "csv") {
      kernel.setColumns(separator, field, layout.fields);
      return true;
    }
    const { widths, escapes = false, runs = false, letters = false } = layout;
    kernel.setFields(separator, field, widths, +escapes | (+runs << 1) | (+letters << 2));
    return true;
  }

  #usePath(path: readonly string[]): boolean {
    const names = path.map((name) => Buffer.from(name));
    const bytes = names.reduce((sum, name) => sum + 4 + name.length, 0);
    if (bytes > NAMES) return false;
    const target = Buffer.from(this.#exports.memory.buffer, this.#exports.namesStart.value, bytes);
    let at = 0;
    for (const name of names) {
      at = target.writeInt32LE(name.length, at);
      at += name.copy(target, at);
    }
    this.#exports.setPath(names.length);
    return true;
  }

  /** Scans rows of the text, which has `length` bytes, from `begin` on: as many as have room, at least one. */
  scan(layout: RowLayout, begin: number, length: number): ScannedRows {
    const rows = this.#scan(layout, begin, length);
    const { starts, froms, tos, kinds } = this.#exports;
    return {
      rows,
      starts: this.#numbers(starts, rows + 1),
      froms: this.#numbers(froms, rows),
      tos: this.#numbers(tos, rows),
      kinds: this.#bytes(kinds, rows),
    };
  }

  #scan(layout: RowLayout, begin: number, length: number): number {
    const kernel = this.#exports;
    if (layout.kind === "json") return kernel.scanJson(begin, length, +layout.isCapture);
    return layout.kind === "csv" ? kernel.scanCsv(begin, length) : kernel.scanFields(begin, length);
  }

  /** Writes the URL of a row that the host has read over the row, of which it is at most as long. */
  put({ starts, froms, tos }: ScannedRows, row: number, url: string): void {
    const start = starts[row] as number;
    froms[row] = start;
    tos[row] = start + url.length;
    const { value } = this.#exports.inputStart;
    Buffer.from(this.#exports.memory.buffer, value + start, url.length).write(url, "latin1");
  }

  /** Returns the URLs of the rows of the last scan, one after the other. */
  column(rows: number): { data: Uint8Array<ArrayBuffer>; offsets: Int32Array<ArrayBuffer> } {
    const bytes = this.#exports.gather(rows);
    const { columnStart, offsets } = this.#exports;
    return { data: this.#bytes(columnStart, bytes), offsets: this.#numbers(offsets, rows + 1) };
  }

  /**
   * Takes the keys of the rows of the last scan, and how they are added. Returns false if they are too long for the room
   * that `load` has made.
   */
  loadKeys({ data, offsets }: Column, { place, before, after, quoting }: Addition): boolean {
    const kernel = this.#exports;
    const rows = offsets.length - 1;
    const begin = offsets[0] as number;
    if (data.length > this.#keyRoom) return false;
    copyBytes(this.#bytes(kernel.keysStart, data.length), data, 0);
    const target = this.#numbers(kernel.keyOffsets, rows + 1);
    for (let row = 0; row <= rows; row++) target[row] = (offsets[row] as number) - begin;
    const affixes = Buffer.from(kernel.memory.buffer, kernel.affixes.value, 2 * MAX_AFFIX);
    affixes.write(before, "latin1");
    affixes.write(after, MAX_AFFIX, "latin1");
    kernel.setAddition(PLACES[place], QUOTING[quoting], before.length, after.length);
    return true;
  }

  /**
   * Returns the first of `rows` rows, from `first` on, that has a byte other than TAB, LF and printable ASCII without the
   * backslash, itself or in its key. Returns `rows` if no row has one.
   */
  nextEscaped(first: number, rows: number): number {
    return this.#exports.nextEscaped(first, rows);
  }

  /** Returns the rows from `first` to `last` of the last scan with their keys. No row may have been written over. */
  interleave(first: number, last: number): InterleavedRows {
    const bytes = this.#exports.interleave(first, last);
    const { interleavedStart, interleavedStarts } = this.#exports;
    return {
      bytes: this.#bytes(interleavedStart, bytes),
      starts: this.#numbers(interleavedStarts, last - first + 1),
    };
  }

  #numbers({ value }: WebAssembly.Global<"i32">, count: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#exports.memory.buffer as ArrayBuffer, value, count);
  }

  #bytes({ value }: WebAssembly.Global<"i32">, count: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#exports.memory.buffer as ArrayBuffer, value, count);
  }
}
