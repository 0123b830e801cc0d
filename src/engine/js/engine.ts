import { SipHash } from "../../base/siphash.ts";
import { Status, type UrlErrorCode } from "../../base/status.ts";
import type { LoadedPlan } from "../../plan/decode/decode.ts";
import { type Base, parseBase } from "../../url/base.ts";
import { encodeUtf8, toByteString, urlByteString } from "../../url/bytes.ts";
import { CR, LF } from "../../url/chars.ts";
import type { Failure } from "../../url/failure.ts";
import { LONGEST_MATCHED } from "../../url/normal-text.ts";
import { ByteBuilder } from "../byte-builder.ts";
import { cutColumn } from "../cut-column.ts";
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
import { REASON_WORDS, ReasonNotes } from "../reasons.ts";
import { textOf } from "../strings.ts";
import { tooLongLine } from "../too-long-line.ts";
import { LineTable } from "./line-table.ts";
import { loadPlan } from "./load-plan.ts";
import { isPrintable, writeKnownRow, writeRow } from "./row.ts";
import { LineScan } from "./scan-lines.ts";

/** Bytes of lines or of a column to read at a time, unless one row is longer. */
const WINDOW = LONGEST_MATCHED;
/** Rows of a column, or strings to fingerprint, at a time. */
const ROWS = 1 << 14;
/** Bytes of a fingerprint. */
const FINGERPRINT = 16;
const NOTHING = new Uint8Array(0);

/** Normalizes in plain JavaScript on strings, with the kernel's results and without WebAssembly. */
export class JsEngine implements Engine {
  readonly name = "js";
  readonly module = null;
  readonly #plan: LoadedPlan;
  readonly #scan: LineScan;
  #baseUrl = "";
  #base: Base | null = null;

  readonly reason: string;

  /** `plan`: a plan as encodePlan writes it; `reason`: why WebAssembly does not run. */
  constructor(plan: Uint8Array, reason: string) {
    this.reason = reason;
    this.#plan = loadPlan(plan);
    this.#scan = new LineScan(this.#plan);
  }

  normalizeOne(url: string, base: string): RowResult {
    const written = this.#normalize(url, base);
    if (typeof written === "string") return { url: written, error: null };
    return { url: null, error: written.code, offset: written.at };
  }

  normalizeStrings(urls: readonly UrlText[], base: string): NormalizedStrings {
    const status = new Uint8Array(urls.length);
    const normalized = new Array<string | null>(urls.length);
    for (let row = 0; row < urls.length; row++) {
      const url = textOf(urls[row]);
      if (url === null) {
        status[row] = Status.NOT_A_STRING;
        normalized[row] = null;
        continue;
      }
      const written = this.#normalize(url, base);
      status[row] = statusOf(url, written);
      normalized[row] = typeof written === "string" ? written : null;
    }
    return { urls: normalized, status };
  }

  normalizeColumn<B extends ArrayBufferLike = ArrayBuffer>(
    { data, offsets }: Column,
    base: string,
    extras: ColumnExtras<B>,
  ): ColumnResults<B | ArrayBuffer> {
    const { key, reasons: asksReasons, into } = extras;
    const hash = key === null ? null : new SipHash(key);
    const rows = offsets.length - 1;
    const status = new Uint8Array(rows);
    const outOffsets = new Int32Array(rows + 1);
    const reasons = new Uint32Array(asksReasons ? REASON_WORDS * rows : 0);
    const notes = asksReasons ? new ReasonNotes() : null;
    const hashes = new DataView(new ArrayBuffer(hash === null ? 0 : FINGERPRINT * rows));
    const out = ByteBuilder.inside(into, (offsets[rows] as number) - (offsets[0] as number));
    // The data of a column may be longer than a string.
    for (const { first, end } of cutColumn({ offsets }, WINDOW, ROWS)) {
      const start = offsets[first] as number;
      const stop = offsets[end] as number;
      if (stop - start > WINDOW && stop - start > this.#plan.maxLength) {
        status[first] = Status.TOO_LONG;
        outOffsets[end] = out.length;
        continue;
      }
      const text = toByteString(data.subarray(start, stop));
      const written: string[] = [];
      let length = out.length;
      for (let row = first; row < end; row++) {
        const url = text.slice(
          (offsets[row] as number) - start,
          (offsets[row + 1] as number) - start,
        );
        notes?.clear();
        const result = this.#normalizeBytes(url, base, notes);
        if (notes !== null) reasons.set([notes.low, notes.high], REASON_WORDS * row);
        status[row] = statusOf(url, result);
        if (typeof result === "string") {
          written.push(result);
          hash?.write(result, hashes, FINGERPRINT * row);
          length += result.length;
        }
        outOffsets[row + 1] = length;
      }
      out.append(encodeUtf8(written.join("")));
    }
    const fingerprints = new Uint8Array(hashes.buffer);
    return { data: out.bytes(), offsets: outOffsets, status, reasons, fingerprints };
  }

  fingerprintStrings(
    urls: readonly UrlText[],
    base: string,
    key: Uint8Array,
    receive: TakeFingerprints,
  ): void {
    const hash = new SipHash(key);
    for (let first = 0; first < urls.length; first += ROWS) {
      const normalized = this.normalizeStrings(urls.slice(first, first + ROWS), base);
      const written = normalized.urls.map((url) => url ?? "");
      receive(fingerprint(written, hash), normalized.status);
    }
  }

  fingerprintColumn(
    column: Column,
    base: string,
    key: Uint8Array,
    receive: TakeFingerprints,
  ): void {
    for (const { first, end } of cutColumn(column, WINDOW, ROWS)) {
      const rows = { ...column, offsets: column.offsets.subarray(first, end + 1) };
      const results = this.normalizeColumn(rows, base, { key, reasons: false });
      receive(results.fingerprints, results.status);
    }
  }

  normalizeLines(
    input: Uint8Array,
    final: boolean,
    base: string,
    extras: LineExtras,
    receive: (window: LineWindow) => void,
  ): number {
    const { key, texts, reasons } = extras;
    const hash = key === null ? null : new SipHash(key);
    const room = Math.min(input.length, WINDOW);
    const table = new LineTable(room, reasons);
    const out = ByteBuilder.withRoom(room + 1);
    let start = 0;
    while (start < input.length) {
      const end = windowEnd(input, start, final);
      if (end === start) break;
      const lines = input.subarray(start, end);
      // Only a single line can be longer than a window. Without its LF or CR LF, it must still be over the
      // limit.
      const isTooLong = lines.length > WINDOW && lines.length - 2 > this.#plan.maxLength;
      receive(
        isTooLong
          ? tooLongLine(lines, extras)
          : this.#normalizeWindow(lines, base, { hash, texts }, table, out),
      );
      start = end;
    }
    return start;
  }

  /**
   * Normalizes the lines of a window. The results are in the memory of `table` and `out`, which the next
   * window reuses.
   */
  #normalizeWindow(
    input: Uint8Array,
    base: string,
    { hash, texts }: { hash: SipHash | null; texts: boolean },
    table: LineTable,
    out: ByteBuilder,
  ): LineWindow {
    table.clear();
    out.clear();
    const notes = table.asksReasons ? new ReasonNotes() : null;
    const written: string[] | null = hash === null ? null : [];
    const text = toByteString(input);
    /** The start of the unchanged lines that are not copied yet. */
    let kept = 0;
    let changed = 0;
    let failed = 0;
    for (let start = 0; start < input.length; ) {
      const outputStart = out.length + start - kept;
      const normal = this.#scan.end(text, start);
      notes?.clear();
      if (normal >= 0) {
        table.add(start, outputStart, Status.UNCHANGED, notes);
        written?.push(text.slice(start, normal));
        start = normal + 1;
        continue;
      }
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? input.length : newline;
      const hasCr = newline > start && text.charCodeAt(newline - 1) === CR;
      const url = text.slice(start, hasCr ? end - 1 : end);
      const result = this.#normalizeBytes(url, base, notes, this.#scan.normalEnd(url));
      const code = statusOf(url, result);
      table.add(start, outputStart, code, notes);
      if (code !== Status.UNCHANGED) changed++;
      if (code > Status.CHANGED) failed++;
      const line = typeof result === "string" ? result : "";
      written?.push(line === "" && texts ? `${url}\n` : line);
      if (kept < start) out.append(input.subarray(kept, start));
      out.appendByteString(`${line}\n`);
      start = kept = newline < 0 ? input.length : newline + 1;
    }
    if (kept < input.length) out.append(input.subarray(kept));
    table.end(input.length, out.length);
    return {
      rows: table.rows,
      input,
      inputOffsets: table.inputOffsets,
      output: out.bytes(),
      outputOffsets: table.outputOffsets,
      status: table.status,
      changed,
      failed,
      fingerprints: hash === null || written === null ? NOTHING : fingerprint(written, hash),
      reasons: table.reasons,
    };
  }

  #normalize(url: string, base: string): string | Failure {
    const written = writeKnownRow(url, this.#plan, null);
    if (written !== null) return written;
    const printable = isPrintable(url);
    const row = printable ? url : urlByteString(url, this.#plan.maxLength);
    return writeRow(row, this.#baseFor(base), this.#plan, null, printable);
  }

  #normalizeBytes(
    row: string,
    base: string,
    notes: ReasonNotes | null,
    normal?: number,
  ): string | Failure {
    const written = writeKnownRow(row, this.#plan, notes, normal);
    return written ?? writeRow(row, this.#baseFor(base), this.#plan, notes);
  }

  #baseFor(url: string): Base | null {
    if (url === "") return null;
    if (this.#base === null || url !== this.#baseUrl) {
      this.#base = parseBase(url);
      this.#baseUrl = url;
    }
    return this.#base;
  }
}

/** Returns 16 bytes for each URL; zeros for "", which is a failed row. */
function fingerprint(written: readonly string[], hash: SipHash): Uint8Array {
  const view = new DataView(new ArrayBuffer(written.length * FINGERPRINT));
  for (const [row, url] of written.entries())
    if (url !== "") hash.write(url, view, row * FINGERPRINT);
  return new Uint8Array(view.buffer);
}

function statusOf(url: string, written: string | Failure): number {
  if (typeof written === "string") return written === url ? Status.UNCHANGED : Status.CHANGED;
  return Status[written.code satisfies UrlErrorCode];
}

/** Returns the end of the lines to take next: at most a WINDOW of whole lines, but at least one line. */
function windowEnd(input: Uint8Array, start: number, final: boolean): number {
  const limit = start + WINDOW;
  if (limit >= input.length && final) return input.length;
  const newline = input.subarray(start, limit).lastIndexOf(LF);
  if (newline >= 0) return start + newline + 1;
  const next = input.indexOf(LF, limit);
  if (next >= 0) return next + 1;
  return final ? input.length : start;
}
