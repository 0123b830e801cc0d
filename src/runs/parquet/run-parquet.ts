import { setImmediate } from "node:timers/promises";
import { Output } from "../../io/output.ts";
import { say } from "../../io/say.ts";
import { ParquetFile } from "../../parquet/input-file.ts";
import { loadParquetPeers, type ParquetPeers } from "../../parquet/peers.ts";
import { movedGroup } from "../../parquet/write/group-output.ts";
import { errorLines } from "../base/error-list.ts";
import { type OutputState, StoppedAtLine } from "../base/failure.ts";
import { readsTwice, valueFieldOf } from "../base/keep.ts";
import { isAlone } from "../call/job.ts";
import type { CommandOptions } from "../call/options.ts";
import { UrlFilter } from "../filter/url-filter.ts";
import { execute, type Run } from "../frame/execute.ts";
import { workersOf } from "../frame/line-threads.ts";
import { type PreparedRun, prepareRun } from "../frame/prepare.ts";
import { type GroupSizes, memoryForParquet } from "../frame/run-memory.ts";
import type { RowDecider } from "../keys/row-decider.ts";
import { ChosenRows } from "../keys/winners/chosen-rows.ts";
import { dedupeInMemory, dedupeOnDisk, type Readings } from "../twice/readings.ts";
import { checkColumns, refuseWhatCannotBe } from "./check-files.ts";
import { type GroupFacts, GroupWork, type MergedRows } from "./group-work.ts";
import { answerLookups, answerRows } from "./new-rows.ts";
import type { ReplacedCodec } from "./row-group-writer.ts";
import { RunOutput } from "./run-output.ts";
import { GroupThreads, type PlacedGroup } from "./threads/group-threads.ts";

/** The time that the run works before it handles signals, in milliseconds. */
const TURN_MS = 20;
/** The same while workers ask for answers, which they wait for. */
const SHARED_TURN_MS = 3;

/**
 * Runs `normalize` or `dedupe` on Parquet files: row group by row group, on one thread or several. Returns what the run was.
 */
export async function runParquet(options: CommandOptions, dedupes: boolean): Promise<PreparedRun> {
  refuseWhatCannotBe(options);
  // Rows are chosen on one thread, and URLs alone are written on one.
  const wanted = asksAllRows(options) || isAlone(options.emit) ? { threads: 1 } : options;
  let sizes: GroupSizes = { groups: 0, largest: 0, rows: 0 };
  const prepared = await prepareRun(options, dedupes, {
    check: async () => {
      sizes = await checkColumns(options, await loadParquetPeers());
    },
    divideMemory: (engine, total) => memoryForParquet(wanted, sizes, total, engine),
    records: () => sizes.rows,
  });
  const peers = await loadParquetPeers();
  await execute(prepared, (begun) => new ParquetRun(begun, peers));
  return prepared;
}

/** Returns whether each row is asked about, and not each text of a row group once. */
function asksAllRows(options: CommandOptions): boolean {
  return readsTwice(options) || options.perKey > 1;
}

class ParquetRun implements Run, Readings {
  readonly #prepared: PreparedRun;
  readonly #peers: ParquetPeers;
  /** Answers for the rows that are written; null before, and if nothing is deduped. */
  #answering: RowDecider | null = null;
  readonly #filter: UrlFilter | null;
  /** Null if the calling thread does all work, and before others begin. */
  #threads: GroupThreads | null = null;
  readonly #outputs: Output[] = [];
  #output!: RunOutput;
  /** Takes URLs that are written without their records; null where row groups are written. */
  #lines: Output | null = null;
  #errors: Output | null = null;
  #map: Output | null = null;
  /** The fingerprints of the rows written so far. They are recorded after the footer of the file is written. */
  readonly #fresh: Uint8Array[] = [];
  /** The codecs that cannot be used to compress and were reported. */
  readonly #reported = new Set<string>();
  readonly #stopping = new AbortController();
  /** The time when signals were last handled. */
  #heardAt = 0;

  constructor(prepared: PreparedRun, peers: ParquetPeers) {
    this.#prepared = prepared;
    this.#peers = peers;
    this.#filter = UrlFilter.of(prepared.job.filter);
  }

  /** Ends the run with `reason` before the next page. */
  stop(reason: Error): void {
    this.#stopping.abort(reason);
    this.#threads?.stop(reason);
    for (const output of this.#outputs) output.stop(reason);
  }

  get outputState(): OutputState {
    // Without its footer, what is written of Parquet cannot be read.
    return this.#lines === null ? "cut" : "whole";
  }

  async all(): Promise<void> {
    const { options, keys, spill } = this.#prepared;
    const { out = "-", errors, map } = options;
    const store = keys?.store ?? null;
    const file = this.#keepOpen(await Output.toFile(out, store?.isHeld === false));
    if (errors !== undefined) this.#errors = this.#keepOpen(await Output.toFile(errors));
    if (map !== undefined) this.#map = this.#keepOpen(await Output.toFile(map));
    this.#output = new RunOutput(file, this.#peers, options);
    if (isAlone(options.emit)) this.#lines = file;
    if (keys === null) await this.write(null);
    else if (spill === null) await dedupeInMemory(this.#prepared, keys, this);
    else await dedupeOnDisk(this.#prepared, keys, this, this.#stopping.signal);
    if (this.#lines === null) {
      await this.#output.finish();
      this.#prepared.tally.bytesOut = this.#output.bytes;
    }
    for (const each of this.#outputs) await each.finish();
    for (const fresh of this.#fresh) await store?.append(fresh);
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Error("the run has ended"));
    await this.#threads?.close();
    await Promise.allSettled(this.#outputs.map((output) => output.close()));
  }

  get keyCount(): number {
    return this.#answering?.size ?? 0;
  }

  /** Lets an output be stopped and closed with the run. */
  #keepOpen(output: Output): Output {
    this.#outputs.push(output);
    return output;
  }

  /** Yields the row groups of files. A file is open until the row group after its last is asked for. */
  async *#groups(
    files = this.#prepared.options.files,
  ): AsyncGenerator<PlacedGroup, void, undefined> {
    for (const name of files) {
      const file = await ParquetFile.open(name, this.#peers);
      try {
        // A group without rows may name pages that do not exist.
        const groups = [...file.raw.field_4.keys()].filter(
          (group) => file.raw.field_4[group]?.field_3 !== 0n,
        );
        if (groups.length === 0) yield { file, group: null };
        for (const group of groups) yield { file, group };
      } finally {
        await file.close();
      }
    }
  }

  #workOn(job = this.#prepared.job): GroupWork {
    return new GroupWork({
      job,
      normalizer: this.#prepared.normalizer,
      peers: this.#peers,
      filter: this.#filter,
      pause: () => this.#pause(),
      onReplaced: (codec) => this.#report(codec),
    });
  }

  /** Asks about each text of the lists once. */
  async exclude(keys: RowDecider): Promise<void> {
    const work = this.#workOn();
    const lists = this.#prepared.options.exclude.map(({ file }) => file);
    for await (const { file, group } of this.#groups(lists)) {
      if (group === null) continue;
      await work.read(file, group);
      await answerLookups(await work.lookups(), keys, () => this.#pause());
    }
  }

  async ask(keys: RowDecider): Promise<void> {
    const { options, job, tally } = this.#prepared;
    const work = this.#workOn({ ...job, counts: false, lists: false });
    const column = valueFieldOf(options.keep)?.field.name ?? null;
    for await (const { file, group } of this.#groups()) {
      if (group === null) continue;
      await work.read(file, group);
      await answerRows(await work.rows(column), keys, () => this.#pause());
      tally.bytesIn += file.takeBytesRead();
    }
  }

  /** `keys`: null if nothing is deduped. */
  async write(keys: RowDecider | null): Promise<void> {
    const { memory, spill } = this.#prepared;
    this.#answering = keys;
    if (memory.threads === 1 || spill !== null) await this.#workHere(keys);
    else await this.#takeResults(this.#startThreads(keys));
  }

  async #workHere(keys: RowDecider | null): Promise<void> {
    const { tally } = this.#prepared;
    const output = this.#output;
    const work = this.#workOn();
    for await (const { file, group } of this.#groups()) {
      if (this.#lines === null) output.enter(file);
      if (group === null) continue;
      await this.#count(await work.read(file, group));
      if (keys !== null) await this.#list(await this.#choose(work, keys));
      if (this.#lines === null) {
        const written = await work.write((tools) => output.file.beginGroup(tools));
        if (written !== null) output.file.add(written);
      } else {
        const lines = work.lines();
        await this.#lines.write(lines);
        tally.bytesOut += lines.length;
      }
      tally.bytesIn += file.takeBytesRead();
    }
  }

  /**
   * Chooses the rows of a row group: by each text once, or by all rows if the inputs are read again or several rows of a text
   * are written.
   */
  async #choose(work: GroupWork, keys: RowDecider): Promise<MergedRows> {
    const pause = (): Promise<void> => this.#pause();
    if (keys instanceof ChosenRows || asksAllRows(this.#prepared.options)) {
      const answers = await answerRows(await work.rows(null), keys, pause);
      this.#keep(answers.fresh);
      this.#prepared.tally.unrepeated += answers.unrepeated;
      return work.chooseRows(answers);
    }
    const { rows, fresh } = await answerLookups(await work.lookups(), keys, pause);
    this.#keep(fresh);
    return work.choose(rows);
  }

  #startThreads(keys: RowDecider | null): GroupThreads {
    this.#stopping.signal.throwIfAborted();
    const { memory, job, normalizer } = this.#prepared;
    this.#threads = new GroupThreads({
      workers: { ...workersOf(this.#prepared), threads: memory.threads - 1 },
      here: {
        job,
        normalizer,
        peers: this.#peers,
        filter: this.#filter,
        pause: () => this.#pause(SHARED_TURN_MS),
      },
      keys,
      onFresh: (fresh) => this.#keep(fresh),
    });
    return this.#threads;
  }

  /** Takes the results of threads in the order of the row groups. */
  async #takeResults(threads: GroupThreads): Promise<void> {
    const { tally } = this.#prepared;
    const output = this.#output;
    for await (const { file, result, error } of threads.results(this.#groups())) {
      output.enter(file);
      if (result === null) continue;
      const { facts, merged, written, chunks, replaced, bytesRead } = result;
      if (facts !== null) await this.#count(facts);
      if (merged !== null) await this.#list(merged);
      for (const codec of replaced) this.#report(codec);
      if (error !== null) throw error;
      await output.file.writeChunks(chunks);
      if (written !== null) output.file.add(movedGroup(written, output.bytes));
      tally.bytesIn += bytesRead;
    }
  }

  /** Handles signals and progress at intervals. Throws the reason of a stop. */
  async #pause(turn = TURN_MS): Promise<void> {
    if (performance.now() - this.#heardAt < turn) return;
    await setImmediate();
    this.#heardAt = performance.now();
    this.#stopping.signal.throwIfAborted();
  }

  /** Counts and lists the rows of a row group. */
  async #count(facts: GroupFacts): Promise<void> {
    const { options, tally, collector } = this.#prepared;
    const { firstError, errors } = facts;
    const first = tally.lines + 1;
    if (options.onError === "fail" && firstError !== null) {
      throw new StoppedAtLine(first + firstError.row, firstError.code, "row");
    }
    tally.add(facts);
    collector?.addResult(facts, first);
    await this.#errors?.write(errorLines(errors, first));
    this.#stopping.signal.throwIfAborted();
  }

  async #list({ count, errors, list, listOfUrls }: MergedRows): Promise<void> {
    const { tally, collector } = this.#prepared;
    tally.duplicates += count;
    if (collector !== null) collector.mergedErrors += errors;
    collector?.groups.add(listOfUrls);
    await this.#map?.write(list);
  }

  #keep(fresh: Uint8Array): void {
    if (fresh.length > 0) this.#fresh.push(fresh);
  }

  /** Reports once that a codec is replaced. */
  #report({ codec, written }: ReplacedCodec): void {
    if (this.#reported.has(codec)) return;
    this.#reported.add(codec);
    say(`columns in ${codec} are written in ${written}: this Node does not compress with ${codec}`);
  }
}
