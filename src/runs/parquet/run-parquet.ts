import { setImmediate } from "node:timers/promises";
import { Output } from "../../io/output.ts";
import { say } from "../../io/say.ts";
import { ParquetFile } from "../../parquet/input-file.ts";
import { loadParquetPeers, type ParquetPeers } from "../../parquet/peers.ts";
import { movedGroup } from "../../parquet/write/group-output.ts";
import { errorLines } from "../base/error-list.ts";
import { type OutputState, StoppedAtLine } from "../base/failure.ts";
import { leavesOut, readsTwice, valueFieldOf } from "../base/keep.ts";
import type { CommandOptions } from "../call/options.ts";
import { UrlFilter } from "../filter/url-filter.ts";
import { execute, type Run } from "../frame/execute.ts";
import { workersOf } from "../frame/line-threads.ts";
import { type PreparedRun, prepareRun } from "../frame/prepare.ts";
import { type GroupSizes, memoryForParquet } from "../frame/run-memory.ts";
import { spillSetup } from "../frame/spill.ts";
import { askKeys } from "../keys/ask-keys.ts";
import type { AskedKeys } from "../keys/asked-keys.ts";
import type { RunKeys } from "../keys/run-keys.ts";
import { type ChosenRows, LACKS_LINES } from "../keys/winners/chosen-rows.ts";
import { Winners } from "../keys/winners/winners.ts";
import { AskedGroups } from "./asked-groups.ts";
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

/** Runs `normalize` or `dedupe` on Parquet files: row group by row group, on one thread or several. Returns what the run was. */
export async function runParquet(options: CommandOptions, dedupes: boolean): Promise<PreparedRun> {
  refuseWhatCannotBe(options);
  // Rows are chosen on one thread.
  const wanted = readsTwice(options) ? { threads: 1 } : options;
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

class ParquetRun implements Run {
  readonly #prepared: PreparedRun;
  readonly #peers: ParquetPeers;
  /** Null if nothing is deduped, or keys do not fit in memory. */
  readonly #keys: AskedKeys | null;
  /** Answers for rows that were chosen in a first reading; null before, and in other runs. */
  #chosen: ChosenRows | null = null;
  readonly #filter: UrlFilter | null;
  /** Null if the calling thread does all work. */
  readonly #threads: GroupThreads | null;
  readonly #outputs: Output[] = [];
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
    const { keys, memory, job, normalizer, spill } = prepared;
    this.#prepared = prepared;
    this.#peers = peers;
    this.#keys = keys && (spill === null ? askKeys(keys) : null);
    this.#filter = UrlFilter.of(job.filter);
    this.#threads =
      memory.threads === 1 || spill !== null
        ? null
        : new GroupThreads({
            workers: { ...workersOf(prepared), threads: memory.threads - 1 },
            here: {
              job,
              normalizer,
              peers,
              filter: this.#filter,
              pause: () => this.#pause(SHARED_TURN_MS),
            },
            keys: this.#keys,
            onFresh: (fresh) => this.#keep(fresh),
          });
  }

  /** Ends the run with `reason` before the next page. */
  stop(reason: Error): void {
    this.#stopping.abort(reason);
    this.#threads?.stop(reason);
    for (const output of this.#outputs) output.stop(reason);
  }

  get outputState(): OutputState {
    return "cut"; // without its footer, what is written cannot be read
  }

  async all(): Promise<void> {
    const { options, keys } = this.#prepared;
    const { out = "-", errors, map } = options;
    const store = keys?.store ?? null;
    const file = this.#keepOpen(await Output.toFile(out, store?.isHeld === false));
    if (errors !== undefined) this.#errors = this.#keepOpen(await Output.toFile(errors));
    if (map !== undefined) this.#map = this.#keepOpen(await Output.toFile(map));
    const output = new RunOutput(file, this.#peers, options);
    if (keys !== null && this.#keys === null) await this.#spill(output, keys);
    else await this.#dedupe(output);
    await output.finish();
    this.#prepared.tally.bytesOut = output.bytes;
    for (const each of this.#outputs) await each.finish();
    for (const fresh of this.#fresh) await store?.append(fresh);
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Error("the run has ended"));
    await this.#threads?.close();
    await Promise.allSettled(this.#outputs.map((output) => output.close()));
  }

  get keyCount(): number {
    return (this.#chosen ?? this.#keys)?.size ?? 0;
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

  /** Dedupes with keys in memory, or not at all. */
  async #dedupe(output: RunOutput): Promise<void> {
    const { options } = this.#prepared;
    if (options.exclude.length > 0) await this.#exclude(this.#keys as AskedKeys);
    if (readsTwice(options)) await this.#workTwice(output, () => this.#chooseRows());
    else if (this.#threads === null) await this.#workHere(output);
    else await this.#takeResults(this.#threads, output);
  }

  /** Dedupes with keys in a temporary file. */
  async #spill(output: RunOutput, keys: RunKeys): Promise<void> {
    const { options, memory } = this.#prepared;
    const { SpilledKeys } = await import("../keys/spilled/spilled-keys.ts");
    const spilled = new SpilledKeys(keys, spillSetup(options, memory));
    try {
      keys.dropSet();
      await spilled.leaveOutAll(keys);
      await this.#exclude(spilled);
      spilled.beginInputs();
      await this.#workTwice(output, async () => {
        await this.#askAll(spilled);
        this.#prepared.tally.temporaryBytes = spilled.bytesOnDisk;
        return spilled.chosen(keys.store, this.#stopping.signal);
      });
    } finally {
      spilled.close();
    }
  }

  /** Adds the keys of files whose URLs are left out. */
  async #exclude(keys: AskedKeys): Promise<void> {
    const lists = this.#prepared.options.exclude.map(({ file }) => file);
    const asked = new AskedGroups(this.#workOn(), keys, () => this.#pause());
    for await (const group of this.#groups(lists)) await asked.askTexts(group);
  }

  /** Reads all row groups to choose rows, and again to write these. */
  async #workTwice(output: RunOutput, choose: () => Promise<ChosenRows>): Promise<void> {
    const { tally, states } = this.#prepared;
    const chosen = await choose();
    this.#chosen = chosen;
    tally.readAgain();
    states.check("nothing is written");
    const work = this.#workOn();
    for await (const { file, group } of this.#groups()) {
      output.enter(file);
      if (group === null) continue;
      await this.#count(await work.read(file, group));
      const answers = await answerRows(await work.rows(null), chosen, () => this.#pause());
      this.#keep(answers.fresh);
      tally.unrepeated += answers.unrepeated;
      await this.#list(work.chooseRows(answers));
      const written = await work.write((tools) => output.file.beginGroup(tools));
      if (written !== null) output.file.add(written);
      tally.bytesIn += file.takeBytesRead();
    }
    chosen.checkEnd();
    states.check(LACKS_LINES);
  }

  /** Reads all row groups, and returns which of their rows are written. */
  async #chooseRows(): Promise<ChosenRows> {
    const { options, memory } = this.#prepared;
    const { identity, store } = this.#keys as AskedKeys;
    const earlier = leavesOut(options) ? this.#keys : null;
    const winners = new Winners({ ...options, identity, maxBytes: memory.keyBytes, earlier });
    await this.#askAll(winners);
    return winners.chosen(store);
  }

  /** Asks about all rows of all row groups. */
  async #askAll(keys: AskedKeys): Promise<void> {
    const { options, job, tally } = this.#prepared;
    const work = this.#workOn({ ...job, counts: false, lists: false });
    const asked = new AskedGroups(work, keys, () => this.#pause());
    const column = valueFieldOf(options.keep)?.field.name ?? null;
    for await (const group of this.#groups()) {
      await asked.askRows(group, column);
      tally.bytesIn += group.file.takeBytesRead();
    }
  }

  /** Does all work on this thread. */
  async #workHere(output: RunOutput): Promise<void> {
    const { tally } = this.#prepared;
    const work = this.#workOn();
    for await (const { file, group } of this.#groups()) {
      output.enter(file);
      if (group === null) continue;
      await this.#count(await work.read(file, group));
      if (this.#keys !== null) {
        const lookups = await work.lookups();
        const { rows, fresh } = await answerLookups(lookups, this.#keys, () => this.#pause());
        this.#keep(fresh);
        await this.#list(work.choose(rows));
      }
      const written = await work.write((tools) => output.file.beginGroup(tools));
      if (written !== null) output.file.add(written);
      tally.bytesIn += file.takeBytesRead();
    }
  }

  /** Takes the results of threads in the order of the row groups. */
  async #takeResults(threads: GroupThreads, output: RunOutput): Promise<void> {
    const { tally } = this.#prepared;
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
