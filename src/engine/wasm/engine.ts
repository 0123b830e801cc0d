import { maxLengthOf } from "../../plan/decode.ts";
import { isError, Status, statusName, type UrlErrorCode } from "../../status.ts";
import { ByteSink } from "../byte-sink.ts";
import type {
  Column,
  Engine,
  FingerprintSink,
  LineWindow,
  NormalizedColumn,
  NormalizedStrings,
  Outcome,
} from "../engine.ts";
import { readAscii, type StringMemory, stringMemory, writeUtf8 } from "../strings.ts";
import { Kernel, ROWS } from "./kernel.ts";

const LF = 0x0a;
/** Bytes of input the kernel has room for, unless one URL is longer. */
const WINDOW = 1 << 18;
/** Strings moved at a time: large enough to share the call, small enough to stay in the cache. */
const STRINGS = 512;

/** Bytes of a fingerprint. */
const FINGERPRINT = 16;
const NOTHING = new Uint8Array(0);
/** Of a row that the kernel need not see. */
const NO_FINGERPRINT = new Uint8Array(FINGERPRINT);
const TOO_LONG = Uint8Array.of(Status.TOO_LONG);

/** Runs the kernel on windows of the input. */
export class WasmEngine implements Engine {
  readonly name = "wasm";
  readonly #maxLength: number;
  readonly #kernel: Kernel;
  #memory: StringMemory;

  /** `plan`: as encodePlan writes it; `module`: the compiled kernel, from another thread. */
  constructor(plan: Uint8Array, module?: WebAssembly.Module) {
    this.#maxLength = maxLengthOf(plan);
    this.#kernel = new Kernel(plan, WINDOW, module);
    this.#memory = stringMemory(this.#kernel.bytes);
  }

  normalizeOne(url: string, base: string): Outcome {
    if (!this.#fits(url)) return { url: null, error: "TOO_LONG", offset: this.#maxLength };
    const kernel = this.#kernel;
    kernel.setBase(base);
    this.#writeStrings([url], 0);
    kernel.normalizeColumn(1);
    const status = kernel.status[0] as number;
    if (isError(status)) {
      return { url: null, error: statusName(status) as UrlErrorCode, offset: kernel.errorOffset };
    }
    return { url: status === Status.UNCHANGED ? url : this.#readRow(0), error: null };
  }

  normalizeStrings(urls: readonly string[], base: string): NormalizedStrings {
    const normalized = new Array<string | null>(urls.length).fill(null);
    const status = this.#eachStrings(urls, base, (first, rows) => {
      const { status: codes } = this.#kernel;
      for (let row = 0; row < rows; row++) {
        const code = codes[row] as number;
        if (code === Status.UNCHANGED) normalized[first + row] = urls[first + row] as string;
        else if (code === Status.CHANGED) normalized[first + row] = this.#readRow(row);
      }
    });
    return { urls: normalized, status };
  }

  fingerprintStrings(
    urls: readonly string[],
    base: string,
    key: Uint8Array,
    sink: FingerprintSink,
  ): void {
    const skip = (): void => sink(NO_FINGERPRINT, TOO_LONG);
    this.#eachStrings(urls, base, (_, rows) => this.#fingerprint(rows, key, sink), skip);
  }

  normalizeColumn(column: Column, base: string): NormalizedColumn {
    const { offsets } = column;
    const outOffsets = new Int32Array(offsets.length);
    const out = ByteSink.withRoom((offsets.at(-1) as number) - (offsets[0] as number));
    let last = 0;
    const status = this.#eachRows(column, base, (first, rows) => {
      const kernel = this.#kernel;
      outOffsets.fill(out.length, last + 1, first + 1);
      for (let row = 1; row <= rows; row++) {
        outOffsets[first + row] = out.length + (kernel.outOffsets[row] as number);
      }
      out.append(kernel.output);
      last = first + rows;
    });
    outOffsets.fill(out.length, last + 1);
    return { data: out.bytes(), offsets: outOffsets, status };
  }

  fingerprintColumn(column: Column, base: string, key: Uint8Array, sink: FingerprintSink): void {
    const skip = (): void => sink(NO_FINGERPRINT, TOO_LONG);
    this.#eachRows(column, base, (_, rows) => this.#fingerprint(rows, key, sink), skip);
  }

  #fingerprint(rows: number, key: Uint8Array, sink: FingerprintSink): void {
    const kernel = this.#kernel;
    sink(kernel.fingerprint(rows, key, 0), kernel.status.subarray(0, rows));
  }

  /**
   * Normalizes strings window by window; between two, `take` reads `rows` rows from `first` on, and
   * `skip` hears of a row that is too long.
   */
  #eachStrings(
    urls: readonly string[],
    base: string,
    take: (first: number, rows: number) => void,
    skip: () => void = () => {},
  ): Uint8Array {
    const status = new Uint8Array(urls.length);
    const kernel = this.#kernel;
    kernel.setBase(base);
    for (let first = 0; first < urls.length; ) {
      if (!this.#fits(urls[first] as string)) {
        status[first++] = Status.TOO_LONG;
        skip();
        continue;
      }
      const rows = kernel.normalizeColumn(this.#writeStrings(urls, first));
      status.set(kernel.status.subarray(0, rows), first);
      take(first, rows);
      first += rows;
    }
    return status;
  }

  /** The same for the rows of a column. */
  #eachRows(
    { data, offsets }: Column,
    base: string,
    take: (first: number, rows: number) => void,
    skip: () => void = () => {},
  ): Uint8Array {
    const status = new Uint8Array(offsets.length - 1);
    const kernel = this.#kernel;
    kernel.setBase(base);
    for (let first = 0; first < status.length; ) {
      const length = (offsets[first + 1] as number) - (offsets[first] as number);
      if (length > this.#maxLength) {
        status[first++] = Status.TOO_LONG;
        skip();
        continue;
      }
      if (length > kernel.capacity) this.#reserve(length);
      const rows = kernel.normalizeColumn(this.#writeColumn(data, offsets, first));
      status.set(kernel.status.subarray(0, rows), first);
      take(first, rows);
      first += rows;
    }
    return status;
  }

  normalizeLines(
    input: Uint8Array,
    final: boolean,
    base: string,
    key: Uint8Array | null,
    sink: (window: LineWindow) => void,
  ): number {
    const kernel = this.#kernel;
    kernel.setBase(base);
    let start = 0;
    while (start < input.length) {
      const end = Math.min(start + kernel.capacity, input.length);
      kernel.input.set(input.subarray(start, end));
      const rows = kernel.normalizeLines(end - start, final && end === input.length);
      if (rows > 0) {
        const taken = input.subarray(start, start + kernel.consumed);
        start += kernel.consumed;
        sink({
          rows,
          input: taken,
          inputOffsets: kernel.inOffsets.subarray(0, rows + 1),
          output: kernel.output,
          outputOffsets: kernel.outOffsets.subarray(0, rows + 1),
          status: kernel.status.subarray(0, rows),
          changed: kernel.changed,
          failed: kernel.failed,
          fingerprints: key === null ? NOTHING : kernel.fingerprint(rows, key, 1),
        });
        continue;
      }
      // No line ends in this window: it is the rest for the next call, or a line longer than a window.
      const newline = input.indexOf(LF, end);
      if (newline < 0 && !final) break;
      const lineEnd = newline < 0 ? input.length : newline + 1;
      if (lineEnd - start - 2 > this.#maxLength) {
        sink(tooLongLine(input.subarray(start, lineEnd)));
        start = lineEnd;
      } else {
        this.#reserve(lineEnd - start);
      }
    }
    return start;
  }

  /** Whether the kernel can take the string; a string within the limit gets the room it needs. */
  #fits(url: string): boolean {
    if (url.length > this.#maxLength) return false;
    if (url.length * 3 > this.#kernel.capacity) this.#reserve(url.length * 3);
    return true;
  }

  #reserve(capacity: number): void {
    this.#kernel.reserve(capacity);
    this.#memory = stringMemory(this.#kernel.bytes);
  }

  /** Writes strings from `first` on as a column, at least one; returns how many. */
  #writeStrings(urls: readonly string[], first: number): number {
    const { inOffsets, inputStart, capacity } = this.#kernel;
    if (this.#memory.bytes !== this.#kernel.bytes) this.#memory = stringMemory(this.#kernel.bytes);
    const rows = Math.min(STRINGS, urls.length - first);
    let at = 0;
    let row = 0;
    for (; row < rows; row++) {
      const url = urls[first + row] as string;
      if (at + url.length * 3 > capacity) break;
      inOffsets[row] = at;
      at += writeUtf8(this.#memory, url, inputStart + at);
    }
    inOffsets[row] = at;
    return row;
  }

  /** Copies rows from `first` on, at least one; returns how many. */
  #writeColumn(data: Uint8Array, offsets: Int32Array, first: number): number {
    const { input, inOffsets, capacity } = this.#kernel;
    const start = offsets[first] as number;
    const last = Math.min(first + ROWS, offsets.length - 1);
    let row = first;
    while (row < last && (offsets[row + 1] as number) - start <= capacity) {
      inOffsets[row - first] = (offsets[row] as number) - start;
      row++;
    }
    const end = offsets[row] as number;
    inOffsets[row - first] = end - start;
    input.set(data.subarray(start, end));
    return row - first;
  }

  #readRow(row: number): string {
    const { outOffsets, outputStart } = this.#kernel;
    return readAscii(
      this.#memory,
      outputStart + (outOffsets[row] as number),
      outputStart + (outOffsets[row + 1] as number),
    );
  }
}

/** The outcome of a line over the limit, which the kernel need not see. */
function tooLongLine(input: Uint8Array): LineWindow {
  return {
    rows: 1,
    input,
    inputOffsets: Int32Array.of(0, input.length),
    output: Uint8Array.of(LF),
    outputOffsets: Int32Array.of(0, 1),
    status: TOO_LONG.slice(),
    changed: 1,
    failed: 1,
    fingerprints: NO_FINGERPRINT,
  };
}
