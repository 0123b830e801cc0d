import { SipHash, textFingerprint } from "../../base/siphash.ts";
import { isError, Status, statusName } from "../../base/status.ts";
import { ByteSink } from "../../engine/byte-sink.ts";
import type { Column, LineWindow, ReasonedColumn } from "../../engine/engine.ts";
import { type Format, formatOf, type RecordSpan } from "../../formats/index.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import { fromSetup, type NormalizerSetup } from "../../normalizers.ts";
import { maxLengthOf } from "../../plan/decode/plan-reader.ts";
import {
  type ChooseTask,
  type ChunkResult,
  type ChunkTask,
  type Job,
  KEYED,
  LEFT_OUT,
  type ListTask,
  NO_FIELD,
  passesInBulk,
  type RowsToMerge,
  type Slice,
  WRITTEN,
} from "../job.ts";
import { type KeyForm, keyForm } from "../keys/key-form.ts";
import { keysTexts, longestText } from "../keys/text-keys.ts";
import { type ChunkError, mergedEntry, packErrors } from "./error-list.ts";
import { appendKept, failedRows, lineAsBytes, lineText } from "./failed-lines.ts";
import { KernelRowChooser, PlainRowChooser, type RowChooser } from "./row-chooser.ts";
import { StepCounter } from "./step-counter.ts";

/** The empty output of a chunk that must be merged before it is written. */
const NOTHING: Slice = { at: 0, bytes: 0 };

/** Does the work of one run on one thread, chunk by chunk. */
export class ChunkProcessor {
  readonly #normalizer: Normalizer;
  readonly #chooser: RowChooser;
  readonly #job: Job;
  readonly #format: Format;
  readonly #form: KeyForm | null;
  /** Makes fingerprints of the texts of keys. Null if the engine makes them of normalized URLs. */
  readonly #hash: SipHash | null;
  readonly #options: {
    readonly base?: string;
    readonly key?: Uint8Array;
    readonly texts: boolean;
    readonly reasons: boolean;
  };
  /** The most bytes of a text that has a key. */
  readonly #longestText: number;
  /** Memory for the merged lines of a chunk. The next chunk uses it again. */
  #merged = new Uint8Array(0);
  /** Null if changes are not counted by rule. */
  readonly #steps: StepCounter | null;

  /** `setup`: the parts to create the normalizer from. */
  constructor(setup: NormalizerSetup, job: Job) {
    const { plan, module } = setup;
    this.#normalizer = fromSetup(setup);
    const hasKernel = module !== null && this.#normalizer.engine === "wasm";
    this.#chooser = hasKernel ? new KernelRowChooser(plan, module) : new PlainRowChooser();
    this.#job = job;
    this.#format = formatOf(job.format, job.field);
    this.#form = keyForm(job.form);
    const { fingerprintKey } = job;
    this.#hash =
      fingerprintKey !== null && this.#form?.isKey === true ? new SipHash(fingerprintKey) : null;
    const explain = (url: string) => this.#normalizer.explainBytes(url, job.base).steps;
    this.#steps = job.counts ? new StepCounter(explain, job.shows) : null;
    this.#longestText = longestText(maxLengthOf(plan));
    this.#options = {
      texts: keysTexts(job),
      reasons: job.counts,
      ...(job.base === undefined ? {} : { base: job.base }),
      ...(job.fingerprintKey === null ? {} : { key: job.fingerprintKey }),
    };
  }

  /** Copies the chosen rows, and returns their size in bytes. */
  choose({ isChosen, target, ...task }: ChooseTask): number {
    return chooseBy(this.#chooser, task, isChosen, new Uint8Array(target));
  }

  /** Lists merged lines: `key<TAB>line<LF>` each. */
  list(task: ListTask): Uint8Array {
    const room = task.text.bytes;
    if (this.#merged.length < room) this.#merged = new Uint8Array(room);
    // Most chunks merge few lines, but the kernel would read all lines.
    const bytesChosen = chooseBy(new PlainRowChooser(), task, task.isMerged, this.#merged);
    const lines = this.#merged.subarray(0, bytesChosen);
    const { bytes } = this.#normalizer.normalizeLines(lines, this.#options);
    const keys = Buffer.from(bytes).toString("latin1").split("\n");
    const originals = Buffer.from(lines).toString("latin1").split("\n");
    keys.pop(); // the empty text after the last LF
    const list = keys.map((key, row) => {
      const line = withoutEnd(`${originals[row]}\n`);
      return mergedEntry(key === "" ? line : key, line);
    });
    return Buffer.from(list.join(""), "latin1");
  }

  run(task: ChunkTask): ChunkResult {
    return this.isFast ? this.#runLines(task) : this.#runRecords(task);
  }

  /** Returns whether whole lines pass in bulk. */
  get isFast(): boolean {
    return passesInBulk(this.#job, this.#job.fingerprintKey !== null);
  }

  /** Processes lines that are written as the kernel writes them, or unchanged. Most of them pass in bulk. */
  #runLines({ input, output, length }: ChunkTask): ChunkResult {
    const { fingerprintKey, onError } = this.#job;
    const lines = new Uint8Array(input, 0, length);
    const out = ByteSink.inShared(output);
    const starts = ByteSink.withRoom(length >> 3);
    const status = ByteSink.withRoom(length >> 5);
    const counts = new Counts();
    this.#normalizer.normalizeWindows(lines, true, this.#options, (window) => {
      counts.changed += window.changed - window.failed;
      this.#steps?.add(window.status, window.reasons, (row) => lineAsBytes(window, row));
      const lost = window.failed === 0 ? [] : failedRows(window);
      for (const row of lost) this.#countLine(counts, window, row, status.length);
      if (fingerprintKey === null) {
        appendKept(out, window, onError === "keep" ? lost : []);
      } else {
        for (const row of lost) window.status[row] = this.#markOf(lineText(window, row));
        out.append(window.fingerprints);
        starts.append(startsOf(window, lines.byteOffset));
      }
      status.append(window.status);
    });
    const done = this.#done(counts, status.length);
    const bulk = { at: 0, bytes: out.length };
    if (fingerprintKey === null) {
      return { ...done, text: bulk, rowsToMerge: null, output: out.memory };
    }
    starts.append(bytesOf(Int32Array.of(length)));
    const rowsToMerge: RowsToMerge = {
      fingerprints: bulk,
      starts: append(out, starts.bytes()),
      status: append(out, status.bytes()),
      text: null,
      merged: null,
    };
    return { ...done, text: NOTHING, rowsToMerge, output: out.memory };
  }

  /** Processes records of any format and form, one after the other. */
  #runRecords({ input, output, length, place }: ChunkTask): ChunkResult {
    const { fingerprintKey, maps, onError } = this.#job;
    const text = Buffer.from(input, 0, length).toString("latin1");
    const records = this.#format.read(text, place);
    const column = columnOf(records);
    const { data, offsets, status, reasons } = this.#column(column);
    const keys = Buffer.from(data.buffer, data.byteOffset, data.length).toString("latin1");
    const counts = new Counts();
    const written: string[] = [];
    const merged: string[] = [];
    const rowStatus = new Uint8Array(records.length);
    const hashes = this.#hash === null ? null : new DataView(new ArrayBuffer(16 * records.length));
    /** The records that are not URLs and have a key, by their rows. */
    const texts = new Map<number, string>();
    for (const [row, record] of records.entries()) {
      const original = text.slice(record.start, record.end);
      const code = codeOf(record, status[row] as number);
      if (code === null) {
        const url = keys.slice(offsets[row], offsets[row + 1]);
        if (status[row] === Status.CHANGED) counts.changed++;
        const key = this.#form === null ? url : this.#form.write(url);
        if (hashes !== null) this.#hash?.write(key, hashes, 16 * row);
        written.push(this.#write(original, record, key));
        if (maps) merged.push(mergedEntry(key, withoutEnd(original)));
        rowStatus[row] = status[row] as number;
        continue;
      }
      if (code === "") {
        if (maps) merged.push("");
        written.push(this.#writeHeader(original, record));
        rowStatus[row] = record.kind === "repeated" ? LEFT_OUT : WRITTEN;
        continue;
      }
      const whole = withoutEnd(original);
      const error = { row, code, text: record.kind === "url" ? withoutEnd(record.url) : whole };
      if (onError === "fail") {
        counts.fatal = error;
        break;
      }
      this.#countError(counts, error);
      const mark = this.#markOf(whole);
      if (mark === KEYED) texts.set(row, whole);
      if (maps) merged.push(mark === KEYED ? mergedEntry(whole, whole) : "");
      rowStatus[row] = mark;
      if (onError === "empty" && fingerprintKey !== null) written.push("");
      else written.push(this.#writeWithoutKey(original, record));
    }
    // A row that is not a URL is never CHANGED here.
    this.#steps?.add(rowStatus, reasons, (row) => records[row]?.url ?? "");
    const out = ByteSink.inShared(output);
    const rows = written.length;
    const done = this.#done(counts, rows);
    const pieces = appendRows(out, written);
    if (fingerprintKey === null) {
      return { ...done, text: pieces.text, rowsToMerge: null, output: out.memory };
    }
    const fingerprints =
      hashes === null
        ? this.#normalizer.fingerprintBatch(column, { ...this.#options }).fingerprints
        : new Uint8Array(hashes.buffer);
    for (const [row, whole] of texts) {
      fingerprints.set(textFingerprint(fingerprintKey, whole), 16 * row);
    }
    const rowsToMerge: RowsToMerge = {
      ...pieces,
      fingerprints: append(out, fingerprints.subarray(0, 16 * rows)),
      status: append(out, rowStatus.subarray(0, rows)),
      merged: maps ? appendRows(out, merged) : null,
    };
    return { ...done, text: NOTHING, rowsToMerge, output: out.memory };
  }

  /** Returns the mark of a row that is not a URL, given its whole text. */
  #markOf({ length }: { readonly length: number }): number {
    if (!keysTexts(this.#job)) return LEFT_OUT;
    return length <= this.#longestText ? KEYED : WRITTEN;
  }

  /** Returns a record as written, with its key. */
  #write(original: string, record: RecordSpan, key: string): string {
    const { emit } = this.#job;
    if (emit === "original") return original;
    if (emit === "both") return this.#format.append(original, key);
    const from = record.from - record.start;
    const to = record.to - record.start;
    const quoted = this.#format.quote(key);
    // In the format of lines, each URL is written with LF, whatever its line ended with.
    if (this.#job.format === "lines") return `${quoted}\n`;
    return original.slice(0, from) + quoted + original.slice(to);
  }

  /** Returns text that is not a record, as written. */
  #writeHeader(original: string, { kind }: RecordSpan): string {
    if (kind === "repeated") return "";
    return this.#job.emit === "both" ? this.#format.appendToHeader(original) : original;
  }

  /** Returns a record that has no key, as written. */
  #writeWithoutKey(original: string, record: RecordSpan): string {
    const { format, emit, onError } = this.#job;
    if (emit === "original" || record.kind === "malformed") return original;
    if (emit === "both") return this.#format.append(original, null);
    if (onError === "empty" && record.kind === "url") return this.#write(original, record, "");
    return format === "lines" ? original.replace(/\r\n$/, "\n") : original;
  }

  /** Normalizes the URLs of records. Records the reasons if changes are counted by rule. */
  #column(column: Column): ReasonedColumn {
    return this.#steps === null
      ? { ...this.#normalizer.normalizeColumn(column, this.#options), reasons: new Uint32Array(0) }
      : this.#normalizer.columnReasons(column, this.#options);
  }

  /** Returns the counts of a chunk. */
  #done(counts: Counts, rows: number): Counted {
    const byStep = this.#steps?.take() ?? { steps: {}, examples: {} };
    return { ...counts, ...byStep, errors: packErrors(counts.errors), rows };
  }

  #countLine(counts: Counts, window: LineWindow, row: number, rowsBefore: number): void {
    const code = statusName(window.status[row] as number);
    const text = this.#job.lists ? lineAsBytes(window, row) : "";
    this.#countError(counts, { row: rowsBefore + row, code, text });
  }

  #countError(counts: Counts, error: ChunkError): void {
    counts.errorsByCode[error.code] = (counts.errorsByCode[error.code] ?? 0) + 1;
    if (this.#job.lists) counts.errors.push(error);
  }
}

/** Copies the rows of a task whose byte in `isChosen` is 1, and returns their size in bytes. */
function chooseBy(
  chooser: RowChooser,
  { memory, text, output, starts }: Omit<ChooseTask, "isChosen" | "target">,
  isChosen: Uint8Array,
  target: Uint8Array,
): number {
  const all = new Uint8Array(memory, text.at, text.bytes);
  const rows = new Int32Array(output, starts.at, starts.bytes >> 2);
  return chooser.choose(all, rows, isChosen, target);
}

class Counts {
  changed = 0;
  readonly errorsByCode: Record<string, number> = {};
  readonly errors: ChunkError[] = [];
  fatal: ChunkError | null = null;
}

/** The counts of a chunk, as returned to the run. */
type Counted = Omit<ChunkResult, "output" | "text" | "rowsToMerge">;

/** Returns why a record has no key. Returns null if it has one, and "" if it needs none. */
function codeOf({ kind }: RecordSpan, status: number): string | null {
  if (kind === "header" || kind === "repeated") return "";
  if (kind === "missing" || kind === "malformed") return NO_FIELD;
  return isError(status) ? statusName(status) : null;
}

function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** Returns the URLs of records, one a row. The row of a record without a URL is empty. */
function columnOf(records: readonly RecordSpan[]): { data: Uint8Array; offsets: Int32Array } {
  const offsets = new Int32Array(records.length + 1);
  for (const [row, { url }] of records.entries()) {
    offsets[row + 1] = (offsets[row] as number) + url.length;
  }
  return { data: Buffer.from(records.map(({ url }) => url).join(""), "latin1"), offsets };
}

/** Returns the starts of the lines of a window, in the memory that holds all lines. */
function startsOf({ input, inputOffsets, rows }: LineWindow, begin: number): Uint8Array {
  const shift = input.byteOffset - begin;
  const starts = new Int32Array(rows);
  for (let row = 0; row < rows; row++) starts[row] = (inputOffsets[row] as number) + shift;
  return bytesOf(starts);
}

function bytesOf(numbers: Int32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Appends bytes at an offset that is aligned for Int32. */
function append(out: ByteSink<SharedArrayBuffer>, bytes: Uint8Array): Slice {
  out.append(new Uint8Array(-out.length & 3));
  const at = out.length;
  out.append(bytes);
  return { at, bytes: bytes.length };
}

function appendRows(
  out: ByteSink<SharedArrayBuffer>,
  rows: readonly string[],
): { starts: Slice; text: Slice } {
  const starts = new Int32Array(rows.length + 1);
  for (const [row, text] of rows.entries()) starts[row + 1] = (starts[row] as number) + text.length;
  const text = append(out, Buffer.from(rows.join(""), "latin1"));
  return { starts: append(out, bytesOf(starts)), text };
}
