import { markHandled } from "../../base/handled.ts";
import type { Column } from "../../engine/engine.ts";
import { type ChunkPlace, lineEndOf } from "../../formats/index.ts";
import type { Chunk } from "../../io/chunk-reader.ts";
import { Output } from "../../io/output.ts";
import { makeRoom, type Slot, type Slots } from "../../threads/slots.ts";
import { type ErrorList, errorLines } from "../base/error-list.ts";
import { StoppedAtLine } from "../base/failure.ts";
import { WRITTEN } from "../base/marks.ts";
import type {
  ChooseTask,
  ChunkResult,
  ColumnPlace,
  CountTask,
  ListTask,
  RowsToMerge,
  Slice,
} from "../call/job.ts";
import type { CommandOptions } from "../call/options.ts";
import type { Tally } from "../call/tally.ts";
import { KeyRecorder } from "../keys/key-recorder.ts";
import type { Answers, RowDecider } from "../keys/row-decider.ts";
import type { ReportCollector } from "../report/collector.ts";
import { LongLine } from "../rows/long-line.ts";
import type { BulkLines } from "./bulk-lines.ts";
import type { Shadow } from "./shadow.ts";

/** Holds what a `ResultWriter` works with. */
export interface ResultWriterSetup {
  readonly options: CommandOptions;
  /** The bytes of the run that outputs have already, by their names. */
  readonly written: ReadonlyMap<string, number>;
  readonly tally: Tally;
  readonly slots: Slots<ArrayBufferLike>;
  /** Null if nothing is deduped. */
  readonly keys: RowDecider | null;
  /** Null if no report was requested. */
  readonly collector: ReportCollector | null;
  /** Null if no rules are tried in shadow. */
  readonly shadow: Shadow | null;
  /** Copies chosen rows. A message to another thread would take longer. */
  readonly choose: (task: ChooseTask) => number;
  /** Chooses rows and adds their counts, on this thread or another. */
  readonly count: (task: CountTask) => Promise<Uint8Array>;
  /** Lists merged records, on this thread or another. */
  readonly list: (task: ListTask) => Promise<Uint8Array>;
  /** Says whether merged rows are listed. */
  readonly lists: boolean;
  /** The most chunks whose output may be in progress at a time. */
  readonly limit: number;
  /** Says whether records are written with the number of their records. */
  readonly counts: boolean;
  /** Says whether the output is written. Otherwise only the keys of the rows are asked about. */
  readonly writes: boolean;
}

/** Counts the results of chunks, finds merged rows, and writes all outputs in order. */
export class ResultWriter {
  readonly #setup: ResultWriterSetup;
  /** Is asked about rows. Null if nothing is deduped. */
  keys: RowDecider | null;
  readonly #outputs: Output[] = [];
  #output!: Output;
  #errors: Output | null = null;
  #map: Output | null = null;
  /** Null if no key is kept after the run. */
  #recorder: KeyRecorder | null = null;
  /** The line that is written in part; null if there is none. */
  #long: LongLine | null = null;
  /** The number of chunks whose output is in progress. */
  readonly #pending: Promise<void>[] = [];
  /** The merged records so far, in order. */
  #listed: Promise<void> = Promise.resolve();

  private constructor(setup: ResultWriterSetup) {
    this.#setup = setup;
    this.keys = setup.keys;
  }

  static async open(setup: ResultWriterSetup): Promise<ResultWriter> {
    const writer = new ResultWriter(setup);
    const { out, errors, map } = setup.options;
    const store = setup.keys?.store ?? null;
    writer.#output = await (setup.writes
      ? writer.#toFile(out ?? "-", store?.isHeld === false)
      : Output.toNowhere());
    writer.#output.endLinesBy(lineEndOf(setup.options.format));
    const { shadow } = setup;
    if (shadow !== null) writer.#output.onWrite = (bytes) => shadow.take(bytes);
    if (store !== null && setup.writes) writer.#recorder = new KeyRecorder(store, writer.#output);
    if (errors !== undefined) writer.#errors = await writer.#toFile(errors);
    if (map !== undefined) writer.#map = await writer.#toFile(map);
    return writer;
  }

  async #toFile(name: string, isDurable = false): Promise<Output> {
    const output = await Output.toFile(name, isDurable);
    output.goOnAfter(this.#setup.written.get(name) ?? 0);
    this.#outputs.push(output);
    return output;
  }

  /** Waits until everything is written. Throws the first error of any write. */
  async finish(): Promise<void> {
    await Promise.all(this.#pending);
    for (const output of this.#outputs) await output.finish();
    await this.#setup.shadow?.finish();
  }

  /** Ends all writing after a whole line. A write that has not begun throws `reason`. Call `close` afterwards. */
  stop(reason: Error): void {
    for (const output of this.#outputs) output.stop(reason);
    this.#setup.shadow?.stop(reason);
  }

  /** Says whether a stop may have left a line without its end. */
  get isCut(): boolean {
    return this.#outputs.some((output) => output.isCut) || this.#setup.shadow?.isCut === true;
  }

  /**
   * Closes all outputs, also those that failed. Records the keys of everything in the main output, also of runs that
   * ended early. If that output failed and is not a file, it is not known what it holds. A file to which an early end has
   * written nothing is as it was before.
   */
  async close(): Promise<void> {
    await Promise.allSettled(this.#pending);
    // Closing the store throws its error again.
    await Promise.allSettled([this.#recorder?.rescue()]);
    const ended = await Promise.allSettled(this.#outputs.map((output) => output.close()));
    await Promise.allSettled([this.#setup.shadow?.close()]);
    if (ended[0]?.status === "fulfilled") await this.#recorder?.finish();
  }

  /**
   * Counts and writes the result of a chunk. `share`: the part of the input that is done, or 0 if unknown. If it throws
   * `SET_FULL`, nothing was done for the chunk.
   */
  async take(
    { slot }: Chunk & { kind: "records" },
    place: ChunkPlace,
    outcome: ChunkResult,
    share: number,
  ): Promise<void> {
    const { tally, collector, slots, limit } = this.#setup;
    const { rowsToMerge, fatal } = outcome;
    const answers = rowsToMerge === null ? null : await this.#ask(slot, rowsToMerge, share);
    const written: Promise<void>[] = [];
    let recorded: Promise<void> | undefined;
    collector?.addResult(outcome, tally.lines + 1);
    const errors = this.#errors?.write(errorLines(outcome.errors, tally.lines + 1));
    if (errors !== undefined) written.push(errors);
    if (rowsToMerge === null || answers === null) {
      written.push(this.#write(slot.output, outcome.text));
    } else {
      const merged = this.#merge(slot, place, { ...outcome, rowsToMerge }, answers);
      written.push(...merged.written);
      recorded = merged.recorded;
    }
    tally.add(outcome);
    tally.located += outcome.located;
    tally.tabbed += outcome.tabbed;
    // Reading and normalizing continue during this write. The slot is free after it.
    const freed = Promise.all(written).then(() => slots.release(slot));
    const done = Promise.all([freed, recorded]).then(() => {});
    if (fatal !== null) {
      await done;
      const line = this.#setup.tally.lines + 1;
      throw new StoppedAtLine(line, fatal.code);
    }
    this.#pending.push(markHandled(done)); // a later write or `finish` throws the error
    if (this.#pending.length > limit) await this.#pending.shift();
  }

  /** Writes whole lines that pass in bulk. If it throws `SET_FULL`, nothing was done for the chunk. */
  async takeLines(
    { slot, length }: Chunk & { kind: "records" },
    bulk: BulkLines,
    share: number,
  ): Promise<void> {
    const { keys } = this;
    const { slots } = this.#setup;
    while (!bulk.hasFree() && this.#pending.length > 0) await this.#pending.shift();
    const { text, errors, fresh, release } = await bulk.run(
      new Uint8Array(slot.input, 0, length),
      keys,
    );
    slots.release(slot);
    keys?.expect(share);
    const chosen = this.#writeBytes(text);
    const written = Promise.all([chosen, this.#errors?.write(errors)]).then(release);
    const recorded = chosen.then(() => this.#recorder?.add(fresh));
    this.#pending.push(markHandled(Promise.all([written, recorded]).then(() => {})));
  }

  /** Writes a piece of memory. It must not change before it is written. */
  #write(memory: ArrayBufferLike, slice: Slice): Promise<void> {
    this.#setup.tally.bytesOut += slice.bytes;
    return this.#output.write(view(memory, slice));
  }

  #writeRows(rows: Omit<ChooseTask, "target">): Promise<void> {
    if (!rows.isChosen.includes(0)) return this.#write(rows.memory, rows.text);
    return rows.isChosen.includes(1) ? this.#writeChosen(rows) : Promise.resolve();
  }

  /** Writes the chosen rows. */
  async #writeChosen(rows: Omit<ChooseTask, "target">): Promise<void> {
    const { slots, choose, tally } = this.#setup;
    const target = slots.take();
    makeRoom(target, rows.text.bytes);
    const bytes = choose({ ...rows, target: target.input });
    tally.bytesOut += bytes;
    await this.#output.write(view(target.input, { at: 0, bytes }));
    slots.release(target);
  }

  /** Writes the chosen rows with their counts. */
  async #writeCounted(task: CountTask): Promise<void> {
    const counted = this.#setup.count(task).then((bytes) => {
      this.#setup.tally.bytesOut += bytes.length;
      return bytes;
    });
    await this.#output.writeLater(counted);
  }

  /** Asks about the rows of a chunk. */
  async #ask(
    { output }: Slot<ArrayBufferLike>,
    rows: RowsToMerge,
    share: number,
  ): Promise<Answers> {
    const keys = this.keys as RowDecider;
    const values = rows.values === null ? undefined : columnOf(output, rows.values);
    const status = view(output, rows.status);
    const answers = await keys.insert(view(output, rows.fingerprints), status, values);
    keys.expect(share);
    return answers;
  }

  /** Writes the rows whose keys are new, then records their keys, and lists the other rows. */
  #merge(
    slot: Slot<ArrayBufferLike>,
    place: ChunkPlace,
    { rowsToMerge: rows, errors }: { rowsToMerge: RowsToMerge; errors: ErrorList },
    answers: Answers,
  ): { written: Promise<void>[]; recorded: Promise<void> } {
    const status = view(slot.output, rows.status);
    const isNew = new Uint8Array(status.length);
    const isMerged = new Uint8Array(status.length);
    for (let row = 0; row < status.length; row++) {
      const answer = answers.rows[row];
      if (answer === 1 || answer === WRITTEN) isNew[row] = 1;
      else if (answer === 0) isMerged[row] = 1;
    }
    this.#setup.tally.duplicates += answers.merged;
    this.#setup.tally.unrepeated += answers.unrepeated;
    this.#setup.collector?.addMergedErrors(errors.rows, isMerged);
    const { input, output } = slot;
    const ends = numbersAt(output, rows.lines);
    const lines = { memory: input, text: { at: 0, bytes: ends.at(-1) as number } };
    const text = rows.text === null ? lines : { memory: output, text: rows.text };
    const task = { ...text, output, starts: rows.starts, isChosen: isNew };
    const chosen =
      answers.counts === null
        ? this.#writeRows(task)
        : this.#writeCounted({ ...task, counts: this.#countsOf(output, rows, answers), place });
    const written = [chosen];
    if (this.#setup.lists && answers.merged > 0) {
      const merged = { ...lines, output, starts: rows.lines, isMerged, place };
      written.push(this.#listLater(this.#setup.list(merged)));
    }
    return { written, recorded: chosen.then(() => this.#recorder?.add(answers.fresh)) };
  }

  /** Returns the count of each row that is written; 0 for one that is not a record, which gets none. */
  #countsOf(
    output: ArrayBufferLike,
    { starts, lines }: RowsToMerge,
    answers: Answers,
  ): Float64Array {
    const counts = chosenCounts(answers.rows, answers.counts as Float64Array);
    if (this.#setup.options.emit !== "both") return counts;
    // Each record gets a key and is longer. One field too many looks like that key where the row is read again.
    const [written, read] = [numbersAt(output, starts), numbersAt(output, lines)];
    let at = 0;
    for (const [row, answer] of answers.rows.entries()) {
      if (answer !== 1 && answer !== WRITTEN) continue;
      if (lengthAt(written, row) === lengthAt(read, row)) counts[at] = 0;
      at++;
    }
    return counts;
  }

  /** Lists merged records that are not ready yet, after all earlier ones. */
  #listLater(coming: Promise<Uint8Array>): Promise<void> {
    markHandled(coming); // the list throws the error in its turn
    this.#listed = this.#listed.then(async () => {
      const merged = await coming;
      this.#setup.collector?.groups.add(merged);
      await this.#map?.write(merged);
    });
    return this.#listed;
  }

  /** Writes a piece of a line that is too long to be read whole. `end`: the line end after the last piece; null before it. */
  async passLong(bytes: Uint8Array, end: Uint8Array | null): Promise<void> {
    const { options, tally, collector, counts } = this.#setup;
    if (this.#long === null) {
      const line = tally.lines + 1;
      if (options.onError === "fail") throw new StoppedAtLine(line, "TOO_LONG");
      tally.addError("TOO_LONG");
      collector?.addError({ code: "TOO_LONG", text: Buffer.from(bytes).toString("latin1") }, line);
      const { onError, emit } = options;
      this.#long = new LongLine(line, {
        onError,
        emit,
        dedupes: this.keys !== null,
        hasCounts: counts,
      });
    }
    const { output, errors } = this.#long.take(bytes, end);
    if (end !== null) this.#long = null;
    await this.#errors?.write(errors);
    await this.#writeBytes(output);
  }

  #writeBytes(bytes: Uint8Array): Promise<void> {
    this.#setup.tally.bytesOut += bytes.length;
    return this.#output.write(bytes);
  }
}

/** Returns the count of each row that is written. A row without a key is the only one of its text that was compared. */
function chosenCounts(answers: Uint8Array, counts: Float64Array): Float64Array {
  const chosen = new Float64Array(answers.length);
  let rows = 0;
  let counted = 0;
  for (const answer of answers) {
    if (answer === 1) chosen[rows++] = counts[counted++] as number;
    else if (answer === WRITTEN) chosen[rows++] = 1;
  }
  return chosen.subarray(0, rows);
}

function lengthAt(starts: Int32Array, row: number): number {
  return (starts[row + 1] as number) - (starts[row] as number);
}

function columnOf(memory: ArrayBufferLike, { data, offsets }: ColumnPlace): Column {
  return { data: view(memory, data), offsets: numbersAt(memory, offsets) };
}

function numbersAt(memory: ArrayBufferLike, { at, bytes }: Slice): Int32Array {
  return new Int32Array(memory, at, bytes >> 2);
}

function view(memory: ArrayBufferLike, { at, bytes }: Slice): Uint8Array {
  return new Uint8Array(memory, at, bytes);
}
