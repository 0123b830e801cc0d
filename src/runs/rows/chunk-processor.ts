import { SipHash, textFingerprint } from "../../base/siphash.ts";
import { isError, Status } from "../../base/status.ts";
import { ByteBuilder } from "../../engine/byte-builder.ts";
import type { Column, LineWindow } from "../../engine/engine.ts";
import { type Format, formatOf } from "../../formats/index.ts";
import { hasUrl, RecordKind, RecordReader } from "../../formats/records.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import { fromSetup, type NormalizerSetup } from "../../normalizers.ts";
import { maxLengthOf } from "../../plan/decode/plan-reader.ts";
import { toByteString } from "../../url/bytes.ts";
import { type ChunkError, packErrors } from "../base/error-list.ts";
import { BLOCKED, codeOfStatus, KEYED, LEFT_OUT, NO_FIELD, WRITTEN } from "../base/marks.ts";
import { keysTexts, longestText } from "../base/text-keys.ts";
import {
  type ChooseTask,
  type ChunkResult,
  type ChunkTask,
  type CountTask,
  type Job,
  type ListTask,
  passesInBulk,
  type RowsToMerge,
  type Slice,
} from "../call/job.ts";
import { type KeyForm, keyForm } from "../call/key-form.ts";
import { UrlFilter } from "../filter/url-filter.ts";
import { CopiedRows } from "./copied-rows.ts";
import { CountedRecords } from "./counted-records.ts";
import { appendWithout, failedRows, lineAsBytes, lineText } from "./failed-lines.ts";
import { MergedList, withoutEnd } from "./merged-list.ts";
import { RecordWriter, RowTexts } from "./record-writer.ts";
import { KernelRowChooser, PlainRowChooser, type RowChooser } from "./row-chooser.ts";
import { StepCounter } from "./step-counter.ts";
import { countTabbed } from "./tabbed-lines.ts";
import { ValueReader } from "./value-reader.ts";

/** Bytes of a fingerprint. */
const FINGERPRINT = 16;
/** The empty output of a chunk that must be merged before it is written. */
const NOTHING: Slice = { at: 0, bytes: 0 };
/** What is marked without lists. */
const NONE_MARKED = { blocked: 0, changed: 0 };

/** Does the work of one run on one thread, chunk by chunk. */
export class ChunkProcessor {
  readonly #normalizer: Normalizer;
  readonly #chooser: RowChooser;
  readonly #job: Job;
  readonly #format: Format;
  readonly #reader: RecordReader;
  readonly #list: MergedList;
  readonly #counted: CountedRecords;
  readonly #copied: CopiedRows;
  readonly #form: KeyForm | null;
  /** Null if there are no lists of URLs. */
  readonly #filter: UrlFilter | null;
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
  /** The memory of the normalized URLs of some records. The next ones use it again. */
  #urls = new Uint8Array(0);
  /** Null if records are not chosen by a value. */
  readonly #values: ValueReader | null;
  /** Reads what is compared besides the URL; null if that is nothing. */
  readonly #also: ValueReader | null;
  readonly #alsoHash: SipHash | null;
  /** Null if changes are not counted by step. */
  readonly #steps: StepCounter | null;

  /** `setup`: the parts to create the normalizer from. */
  constructor(setup: NormalizerSetup, job: Job) {
    const { plan, module } = setup;
    this.#normalizer = fromSetup(setup);
    const hasKernel = module !== null && this.#normalizer.engine === "wasm";
    this.#chooser = hasKernel ? new KernelRowChooser(plan, module) : new PlainRowChooser();
    this.#job = job;
    this.#filter = UrlFilter.of(job.filter);
    this.#format = formatOf(job.format, job.field);
    this.#reader = new RecordReader(this.#format, hasKernel, job.emit === "both");
    this.#values = job.value && new ValueReader(job.format, job.value, hasKernel, true);
    this.#also = job.also && new ValueReader(job.format, job.also, hasKernel);
    this.#form = keyForm(job.form);
    this.#list = new MergedList(this.#normalizer, job, this.#format, hasKernel);
    this.#counted = new CountedRecords(this.#format, job, hasKernel);
    this.#copied = new CopiedRows(this.#format, this.#chooser, hasKernel);
    const { fingerprintKey } = job;
    this.#hash =
      fingerprintKey !== null && this.#form?.isKey === true ? new SipHash(fingerprintKey) : null;
    this.#alsoHash =
      fingerprintKey !== null && job.also !== null ? new SipHash(fingerprintKey) : null;
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
  choose({ memory, text, output, starts, isChosen, target }: ChooseTask): number {
    const all = new Uint8Array(memory, text.at, text.bytes);
    const rows = new Int32Array(output, starts.at, starts.bytes >> 2);
    return this.#chooser.choose(all, rows, isChosen, new Uint8Array(target));
  }

  /** Returns the chosen rows, each with the number of its records. */
  count({ isChosen, counts, place, ...task }: CountTask): Uint8Array {
    const header = place.header === null ? null : this.#counted.headerOf(place.header);
    const first = { header, isStart: place.isStart && header === null };
    let row = 0;
    const pieces = this.#copied.of(task, isChosen, first).map(({ text, rows, place }) => {
      const of = counts.subarray(row, row + rows);
      row += rows;
      return this.#counted.of(text, of, place);
    });
    return Buffer.concat(pieces);
  }

  /** Lists merged records: `key<TAB>record<LF>` each. */
  list({ place, isMerged, ...task }: ListTask): Uint8Array {
    const all = new Uint8Array(task.memory, task.text.at, task.text.bytes);
    const header = place.header ?? (place.isStart ? this.#format.headerOf(all) : null) ?? null;
    const texts = this.#copied.of(task, isMerged, { header, isStart: false });
    return Buffer.concat(texts.map(({ text, place }) => this.#list.of(text, place)));
  }

  #keyOf(url: string): string {
    return this.#form === null ? url : this.#form.write(url);
  }

  run(task: ChunkTask): ChunkResult {
    const text = new Uint8Array(task.input, 0, task.length);
    const tabbed = this.#job.format === "lines" ? countTabbed(text) : 0;
    return { ...(this.isFast ? this.#runLines(task) : this.#runRecords(task)), tabbed };
  }

  /** Returns whether whole lines pass in bulk. */
  get isFast(): boolean {
    return passesInBulk(this.#job, this.#job.fingerprintKey !== null);
  }

  /** Processes lines that are written as the kernel writes them, or unchanged. Most of them pass in bulk. */
  #runLines({ input, output, length }: ChunkTask): Outcome {
    const { fingerprintKey, onError } = this.#job;
    const lines = new Uint8Array(input, 0, length);
    const out = ByteBuilder.over(output);
    const starts = ByteBuilder.withRoom(length >> 3);
    const status = ByteBuilder.withRoom(length >> 5);
    const counts = new Counts();
    this.#normalizer.normalizeWindows(lines, true, this.#options, (window) => {
      const { output: data, outputOffsets: offsets, status: codes } = window;
      const marked = this.#filter?.mark({ data, offsets, terminator: 1 }, codes) ?? NONE_MARKED;
      counts.changed += window.changed - window.failed - marked.changed;
      this.#steps?.add(window.status, window.reasons, (row) => lineAsBytes(window, row));
      const lost = window.failed + marked.blocked === 0 ? [] : failedRows(window);
      for (const row of lost) this.#countLine(counts, window, row, status.length);
      if (fingerprintKey === null) {
        appendWithout(out, window, lost, onError === "keep");
      } else {
        for (const row of lost) codes[row] = this.#markOf(lineText(window, row), codes[row]);
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
    const rowStarts = append(out, starts.bytes());
    const rowsToMerge: RowsToMerge = {
      fingerprints: bulk,
      starts: rowStarts,
      lines: rowStarts,
      status: append(out, status.bytes()),
      text: null,
      values: null,
    };
    return { ...done, text: NOTHING, rowsToMerge, output: out.memory };
  }

  /** Processes records of any format and form. */
  #runRecords({ input, output, length, place }: ChunkTask): Outcome {
    const { fingerprintKey, onError, emit } = this.#job;
    const text = new Uint8Array(input, 0, length);
    const out = ByteBuilder.over(output);
    const isCopied = fingerprintKey !== null && emit === "original";
    const writer = isCopied ? null : new RecordWriter(out, this.#format, this.#job);
    const rows = new KeyedRows();
    const counts = new Counts();
    // Before the records: the scanner holds one reading at a time.
    const also = fingerprintKey === null ? null : (this.#also?.read(text, place) ?? null);
    for (const records of this.#reader.read(text, place)) {
      const { urls, starts, kinds } = records;
      const results = this.#normalizer.columnResults(urls, { ...this.#options, into: this.#urls });
      this.#urls = new Uint8Array(results.data.buffer);
      const marks = results.status;
      this.#filter?.mark({ ...results, terminator: 0 }, marks);
      const keys = new RowTexts(results);
      const sources = new RowTexts(urls);
      writer?.begin(text, records);
      let row = 0;
      for (; row < records.rows; row++) {
        const kind = kinds[row] as number;
        const code = codeOf(kind, marks[row] as number);
        if (code === null) {
          counts.located++;
          if (marks[row] === Status.CHANGED) counts.changed++;
          if (this.#hash !== null) this.#hashKey(keys.at(row), results.fingerprints, row);
          if (also !== null) {
            const record = text.subarray(starts[row], starts[row + 1]);
            this.#compareAlso(also, rows.count + row, record, results.fingerprints, row);
          }
          writer?.write(row, marks[row] as number, keys);
        } else if (code === "") {
          marks[row] = kind === RecordKind.REPEATED ? LEFT_OUT : WRITTEN;
          writer?.writeHeader(row);
        } else {
          const isRead = hasUrl(kind);
          if (isRead) counts.located++;
          const whole = withoutEnd(toByteString(text.subarray(starts[row], starts[row + 1])));
          const error = {
            row: rows.count + row,
            code,
            text: !this.#job.lists ? "" : isRead ? withoutEnd(sources.at(row)) : whole,
          };
          if (onError === "fail" && !this.#isLeftOut(marks[row])) {
            counts.fatal = error;
            break;
          }
          this.#countError(counts, error);
          marks[row] = this.#markOf(whole, marks[row]);
          if (marks[row] === KEYED && fingerprintKey !== null) {
            results.fingerprints.set(textFingerprint(fingerprintKey, whole), FINGERPRINT * row);
          }
          writer?.writeWithoutKey(row);
        }
      }
      writer?.end(row);
      // A row that is not a URL is never CHANGED here.
      this.#steps?.add(marks.subarray(0, row), results.reasons, (changed) => sources.at(changed));
      rows.add(row, starts, marks, results.fingerprints);
      if (counts.fatal !== null) break;
    }
    const done = this.#done(counts, rows.count);
    const written = { at: 0, bytes: out.length };
    if (fingerprintKey === null) {
      return { ...done, text: written, rowsToMerge: null, output: out.memory };
    }
    const lines = append(out, rows.allStarts());
    const values = this.#values?.read(text, place) ?? null;
    const rowsToMerge: RowsToMerge = {
      text: writer === null ? null : written,
      starts: writer === null ? lines : append(out, writer.allStarts()),
      lines,
      fingerprints: append(out, rows.fingerprints.bytes()),
      status: append(out, rows.status.bytes()),
      values: values && {
        data: append(out, values.data),
        offsets: append(out, bytesOf(values.offsets)),
      },
    };
    return { ...done, text: NOTHING, rowsToMerge, output: out.memory };
  }

  /**
   * Makes the fingerprint of a row from that of its URL and the value that is compared, too. Without a value it is that of the
   * record as a whole. `number`: the row among those of the values.
   */
  #compareAlso(
    { data, offsets }: Column,
    number: number,
    record: Uint8Array,
    fingerprints: Uint8Array<ArrayBuffer>,
    row: number,
  ): void {
    const value = data.subarray(offsets[number], offsets[number + 1]);
    const place = FINGERPRINT * row;
    const fingerprint = fingerprints.subarray(place, place + FINGERPRINT);
    const text =
      value.length === 0
        ? `${withoutEnd(toByteString(record))}\n`
        : toByteString(fingerprint) + toByteString(value);
    this.#alsoHash?.write(text, new DataView(fingerprints.buffer), fingerprint.byteOffset);
  }

  /** Makes the fingerprint of a row from the text of its key. */
  #hashKey(url: string, { buffer }: Uint8Array<ArrayBuffer>, row: number): void {
    this.#hash?.write(this.#keyOf(url), new DataView(buffer), FINGERPRINT * row);
  }

  /** Returns whether `dedupe` leaves out a row because a list does. */
  #isLeftOut(status: number | undefined): boolean {
    return status === BLOCKED && this.#job.fingerprintKey !== null;
  }

  /** Returns the mark of a row that is not a URL, or that a list leaves out, given its whole text and its status. */
  #markOf({ length }: { readonly length: number }, status: number | undefined): number {
    if (this.#isLeftOut(status)) return LEFT_OUT;
    if (!keysTexts(this.#job)) return LEFT_OUT;
    return length <= this.#longestText ? KEYED : WRITTEN;
  }

  /** Returns the counts of a chunk. */
  #done(counts: Counts, rows: number): Counted {
    const byStep = this.#steps?.take() ?? { steps: {}, examples: {} };
    return { ...counts, ...byStep, errors: packErrors(counts.errors), rows };
  }

  #countLine(counts: Counts, window: LineWindow, row: number, rowsBefore: number): void {
    const code = codeOfStatus(window.status[row] as number);
    const text = this.#job.lists ? lineAsBytes(window, row) : "";
    this.#countError(counts, { row: rowsBefore + row, code, text });
  }

  #countError(counts: Counts, error: ChunkError): void {
    counts.errorsByCode[error.code] = (counts.errorsByCode[error.code] ?? 0) + 1;
    if (this.#job.lists) counts.errors.push(error);
  }
}

/** Gathers what the set of keys needs of a chunk's rows. */
class KeyedRows {
  /** The number of the rows. */
  count = 0;
  readonly fingerprints = ByteBuilder.withRoom(0);
  readonly status = ByteBuilder.withRoom(0);
  readonly #starts = ByteBuilder.withRoom(0);
  #end = 0;

  /** Adds the first `rows` of some rows. */
  add(rows: number, starts: Int32Array, status: Uint8Array, fingerprints: Uint8Array): void {
    this.count += rows;
    this.#starts.append(bytesOf(starts.subarray(0, rows)));
    this.#end = starts[rows] as number;
    this.status.append(status.subarray(0, rows));
    this.fingerprints.append(fingerprints.subarray(0, FINGERPRINT * rows));
  }

  /** Returns the start of each row in the text, and the end of the last: Int32. Call it once. */
  allStarts(): Uint8Array {
    this.#starts.append(bytesOf(Int32Array.of(this.#end)));
    return this.#starts.bytes();
  }
}

class Counts {
  changed = 0;
  located = 0;
  readonly errorsByCode: Record<string, number> = {};
  readonly errors: ChunkError[] = [];
  fatal: ChunkError | null = null;
}

type Outcome = Omit<ChunkResult, "tabbed">;

/** The counts of a chunk, as returned to the run. */
type Counted = Omit<Outcome, "output" | "text" | "rowsToMerge">;

/** Returns why a record has no key. Returns null if it has one, and "" if it needs none. */
function codeOf(kind: number, status: number): string | null {
  if (hasUrl(kind)) return isError(status) ? codeOfStatus(status) : null;
  return kind === RecordKind.HEADER || kind === RecordKind.REPEATED ? "" : NO_FIELD;
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
function append(out: ByteBuilder<ArrayBufferLike>, bytes: Uint8Array): Slice {
  out.append(new Uint8Array(-out.length & 3));
  const at = out.length;
  out.append(bytes);
  return { at, bytes: bytes.length };
}
