import { copyBytes } from "../../base/copy-bytes.ts";
import {
  isError,
  Status,
  type StatusCode,
  statusName,
  type UrlErrorCode,
} from "../../base/status.ts";
import { maxLengthOf } from "../../plan/decode/plan-reader.ts";
import { LF } from "../../url/codes.ts";
import { ByteBuilder } from "../byte-builder.ts";
import type {
  Column,
  ColumnExtras,
  ColumnResults,
  Engine,
  LineExtras,
  LineWindow,
  NormalizedStrings,
  RowResult,
  TakeFingerprints,
  UrlText,
} from "../engine.ts";
import { REASON_WORDS } from "../reasons.ts";
import { readAscii, textOf, utf8Length, writeUtf8 } from "../strings.ts";
import { tooLongLine } from "../too-long-line.ts";
import { FreeKernels } from "./free-kernels.ts";
import { writeLines } from "./joined-strings.ts";
import { type Kernel, ROWS } from "./kernel.ts";

/** Strings that are moved at a time: enough to share the cost of a call, few enough to stay in the cache. */
const STRINGS = 512;

/** Bytes of a fingerprint. */
const FINGERPRINT = 16;
const NOTHING = new Uint8Array(0);
const NO_REASONS = new Uint32Array(0);

/** Runs the kernel on windows of the input. */
export class WasmEngine implements Engine {
  readonly name = "wasm";
  readonly reason = null;
  readonly module: WebAssembly.Module;
  readonly #maxLength: number;
  readonly #kernels: FreeKernels;
  readonly #makeSingle: (() => Engine) | null;
  #single: Engine | undefined;

  /**
   * `plan`: a plan as encodePlan writes it; `module`: the compiled kernel; `makeSingle`: makes the engine for
   * single URLs, null for this one. Throws `ENGINE_UNAVAILABLE` if the platform has no memory for a kernel.
   */
  constructor(
    plan: Uint8Array,
    module: WebAssembly.Module,
    makeSingle: (() => Engine) | null = null,
  ) {
    this.module = module;
    this.#makeSingle = makeSingle;
    this.#maxLength = maxLengthOf(plan);
    this.#kernels = FreeKernels.of(plan, module);
  }

  normalizeOne(url: string, base: string): RowResult {
    if (this.#makeSingle !== null) {
      this.#single ??= this.#makeSingle();
      return this.#single.normalizeOne(url, base);
    }
    // Does what #call does, without a closure.
    const kernel = this.#kernels.take();
    try {
      kernel.setBase(base);
      return this.#normalizeBy(kernel, url);
    } finally {
      this.#kernels.put(kernel);
    }
  }

  #normalizeBy(kernel: Kernel, url: string): RowResult {
    if (!this.#fits(kernel, url)) {
      const offset = Math.min(this.#maxLength, utf8Length(url));
      return { url: null, error: "TOO_LONG", offset };
    }
    kernel.askReasons(false);
    writeStrings(kernel, [url], 0);
    kernel.normalizeColumn(1);
    const status = kernel.status[0] as number;
    if (isError(status)) {
      return { url: null, error: statusName(status) as UrlErrorCode, offset: kernel.errorOffset };
    }
    return { url: status === Status.UNCHANGED ? url : readRow(kernel, 0, 0), error: null };
  }

  normalizeStrings(urls: readonly UrlText[], base: string): NormalizedStrings {
    // Most URLs come out unchanged, as the same strings.
    const normalized = urls.slice() as (UrlText | null)[];
    const status = this.#eachStrings(
      urls,
      base,
      (kernel, first, rows, ending) => {
        const { status: codes } = kernel;
        for (let row = 0; row < rows; row++) {
          const code = codes[row] as number;
          if (code === Status.UNCHANGED) {
            if (ending === 0) normalized[first + row] = textOf(urls[first + row]);
          } else {
            const isUrl = code === Status.CHANGED;
            normalized[first + row] = isUrl ? readRow(kernel, row, ending) : null;
          }
        }
      },
      (_, row) => {
        normalized[row] = null;
      },
    );
    return { urls: normalized as (string | null)[], status };
  }

  fingerprintStrings(
    urls: readonly UrlText[],
    base: string,
    key: Uint8Array,
    receive: TakeFingerprints,
  ): void {
    this.#eachStrings(urls, base, ...fingerprinting(key, receive));
  }

  normalizeColumn<B extends ArrayBufferLike = ArrayBuffer>(
    column: Column,
    base: string,
    extras: ColumnExtras<B>,
  ): ColumnResults<B | ArrayBuffer> {
    const { key, reasons: asksReasons, into } = extras;
    const { offsets } = column;
    const outOffsets = new Int32Array(offsets.length);
    const room = (offsets.at(-1) as number) - (offsets[0] as number);
    const out = ByteBuilder.inside(into, room);
    const reasons = new Uint32Array(asksReasons ? REASON_WORDS * (offsets.length - 1) : 0);
    const fingerprints = new Uint8Array(key === null ? 0 : FINGERPRINT * (offsets.length - 1));
    let last = 0;
    const status = this.#eachRows(column, base, asksReasons, (kernel, first, rows) => {
      outOffsets.fill(out.length, last + 1, first + 1);
      for (let row = 1; row <= rows; row++) {
        outOffsets[first + row] = out.length + (kernel.outOffsets[row] as number);
      }
      out.append(kernel.output);
      if (asksReasons) reasons.set(kernel.reasonsOf(rows), REASON_WORDS * first);
      if (key !== null) fingerprints.set(kernel.fingerprint(rows, key, 0), FINGERPRINT * first);
      last = first + rows;
    });
    outOffsets.fill(out.length, last + 1);
    return { data: out.bytes(), offsets: outOffsets, status, reasons, fingerprints };
  }

  fingerprintColumn(
    column: Column,
    base: string,
    key: Uint8Array,
    receive: TakeFingerprints,
  ): void {
    this.#eachRows(column, base, false, ...fingerprinting(key, receive));
  }

  normalizeLines(
    input: Uint8Array,
    final: boolean,
    base: string,
    { key, texts, reasons }: LineExtras,
    receive: (window: LineWindow) => void,
  ): number {
    return this.#call(base, (kernel) => {
      kernel.askReasons(reasons);
      let start = 0;
      while (start < input.length) {
        const end = Math.min(start + kernel.capacity, input.length);
        copyBytes(kernel.input, input.subarray(start, end), 0);
        const rows = kernel.normalizeLines(end - start, final && end === input.length);
        if (rows > 0) {
          const taken = input.subarray(start, start + kernel.consumed);
          start += kernel.consumed;
          receive({
            rows,
            input: taken,
            inputOffsets: kernel.inOffsets.subarray(0, rows + 1),
            output: kernel.output,
            outputOffsets: kernel.outOffsets.subarray(0, rows + 1),
            status: kernel.status.subarray(0, rows),
            changed: kernel.changed,
            failed: kernel.failed,
            fingerprints: key === null ? NOTHING : kernel.fingerprint(rows, key, 1, texts),
            reasons: reasons ? kernel.reasonsOf(rows) : NO_REASONS,
          });
          continue;
        }
        // No line ends in this window. It is the rest for the next call, or a line longer than a window.
        const newline = input.indexOf(LF, end);
        if (newline < 0 && !final) break;
        const lineEnd = newline < 0 ? input.length : newline + 1;
        if (lineEnd - start - 2 > this.#maxLength || !kernel.reserve(lineEnd - start)) {
          receive(tooLongLine(input.subarray(start, lineEnd), { key, texts, reasons }));
          start = lineEnd;
        }
      }
      return start;
    });
  }

  /** Lends a kernel with `base` to one call. */
  #call<T>(base: string, work: (kernel: Kernel) => T): T {
    const kernel = this.#kernels.take();
    try {
      kernel.setBase(base);
      return work(kernel);
    } finally {
      this.#kernels.put(kernel);
    }
  }

  /**
   * Normalizes strings window by window. After each window, it calls `take` for `rows` rows from `first` on.
   * It calls `skip` with the status of each row that the kernel does not see.
   */
  #eachStrings(
    urls: readonly UrlText[],
    base: string,
    take: Take,
    skip?: Skip,
  ): Uint8Array<ArrayBuffer> {
    const status = new Uint8Array(urls.length);
    this.#call(base, (kernel) => {
      kernel.askReasons(false);
      // Strings before this one are written one by one.
      let alone = 0;
      for (let first = 0; first < status.length; ) {
        let rows = Math.min(STRINGS, status.length - first);
        const joined = first < alone ? 0 : writeLines(kernel, urls, first, rows);
        if (
          joined > 0 &&
          kernel.normalizeLines(joined, true) === rows &&
          kernel.consumed === joined
        ) {
          status.set(kernel.status.subarray(0, rows), first);
          take(kernel, first, rows, 1);
          first += rows;
          continue;
        }
        alone = Math.max(alone, first + rows);
        const url = textOf(urls[first]);
        if (url === null || !this.#fits(kernel, url)) {
          const code = url === null ? Status.NOT_A_STRING : Status.TOO_LONG;
          skip?.(code, first);
          status[first++] = code;
          continue;
        }
        rows = kernel.normalizeColumn(writeStrings(kernel, urls, first));
        status.set(kernel.status.subarray(0, rows), first);
        take(kernel, first, rows, 0);
        first += rows;
      }
    });
    return status;
  }

  /** Hands the rows of a column to a kernel, as many at a time as it takes. */
  #eachRows(
    { data, offsets }: Column,
    base: string,
    reasons: boolean,
    take: Take,
    skip?: Skip,
  ): Uint8Array<ArrayBuffer> {
    const status = new Uint8Array(offsets.length - 1);
    this.#call(base, (kernel) => {
      kernel.askReasons(reasons);
      for (let first = 0; first < status.length; ) {
        const length = (offsets[first + 1] as number) - (offsets[first] as number);
        if (!this.#hasRoom(kernel, length)) {
          skip?.(Status.TOO_LONG, first);
          status[first++] = Status.TOO_LONG;
          continue;
        }
        const rows = kernel.normalizeColumn(writeColumn(kernel, data, offsets, first));
        status.set(kernel.status.subarray(0, rows), first);
        take(kernel, first, rows, 0);
        first += rows;
      }
    });
    return status;
  }

  /** Returns whether a kernel can take the string; a string within the limit gets the room it needs. */
  #fits(kernel: Kernel, url: string): boolean {
    if (url.length > this.#maxLength) return false;
    // This bound spares most strings the counting of their bytes.
    return url.length * 3 <= kernel.capacity || this.#hasRoom(kernel, utf8Length(url));
  }

  /** Returns whether a kernel can take a row of this many bytes, and memory has room for its result. */
  #hasRoom(kernel: Kernel, bytes: number): boolean {
    return bytes <= this.#maxLength && (bytes <= kernel.capacity || kernel.reserve(bytes));
  }
}

/**
 * Reads the results of `rows` rows, the first of which is number `first` of the batch. Each result ends with
 * `ending` extra bytes: 1, the LF, if the rows went in as lines.
 */
type Take = (kernel: Kernel, first: number, rows: number, ending: 0 | 1) => void;
/** Is called for the next row of the batch, number `row`, if the kernel does not see it. */
type Skip = (status: StatusCode, row: number) => void;

/** Returns the functions that hand fingerprints to `receive`. */
function fingerprinting(key: Uint8Array, receive: TakeFingerprints): [Take, Skip] {
  return [
    (kernel, _, rows, ending) =>
      receive(kernel.fingerprint(rows, key, ending), kernel.status.subarray(0, rows)),
    (status) => receive(new Uint8Array(FINGERPRINT), Uint8Array.of(status)),
  ];
}

/** Writes strings from `first` on as a column; returns their number. At least the first one fits. */
function writeStrings(kernel: Kernel, urls: readonly UrlText[], first: number): number {
  const { inOffsets, inputStart, capacity, strings } = kernel;
  const rows = Math.min(STRINGS, urls.length - first);
  let at = 0;
  let row = 0;
  for (; row < rows; row++) {
    const url = textOf(urls[first + row]);
    if (url === null || (row > 0 && at + url.length * 3 > capacity)) break;
    inOffsets[row] = at;
    at += writeUtf8(strings, url, inputStart + at);
  }
  inOffsets[row] = at;
  return row;
}

/** Copies rows of a column from `first` on; returns their number. At least the first one fits. */
function writeColumn(kernel: Kernel, data: Uint8Array, offsets: Int32Array, first: number): number {
  const { input, inOffsets, capacity } = kernel;
  const start = offsets[first] as number;
  const last = Math.min(first + ROWS, offsets.length - 1);
  let row = first;
  while (row < last && (offsets[row + 1] as number) - start <= capacity) {
    inOffsets[row - first] = (offsets[row] as number) - start;
    row++;
  }
  const end = offsets[row] as number;
  inOffsets[row - first] = end - start;
  copyBytes(input, data.subarray(start, end), 0);
  return row - first;
}

/** Reads a row that the last call wrote, without the `ending` bytes at its end. */
function readRow({ outOffsets, outputStart, strings }: Kernel, row: number, ending: 0 | 1): string {
  return readAscii(
    strings,
    outputStart + (outOffsets[row] as number),
    outputStart + (outOffsets[row + 1] as number) - ending,
  );
}
