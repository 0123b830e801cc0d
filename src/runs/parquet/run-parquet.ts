import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { ReplacedFile } from "../../io/files/replaced-file.ts";
import { Output } from "../../io/output.ts";
import { standardStreams } from "../../io/standard.ts";
import { ParquetFile } from "../../parquet/input-file.ts";
import { findTextLeaf } from "../../parquet/leaf.ts";
import { loadParquetPeers, type ParquetPeers } from "../../parquet/peers.ts";
import { errorLines, mergedEntry } from "../chunked/error-list.ts";
import { StepCounter } from "../chunked/step-counter.ts";
import { execute, type Run } from "../execute.ts";
import { CommandFailure } from "../failure.ts";
import type { OutputState } from "../interrupt.ts";
import { keyForm } from "../keys/key-form.ts";
import { KeySet } from "../keys/key-set.ts";
import { keysTexts } from "../keys/text-keys.ts";
import type { CommandOptions } from "../options.ts";
import { type PreparedRun, prepareRun } from "../prepare.ts";
import type { ReportCollector } from "../report/collector.ts";
import { memoryForParquet } from "../run-memory.ts";
import type { Tally } from "../tally.ts";
import { newRows } from "./new-rows.ts";
import { KEY_COLUMN, RowGroupWriter } from "./row-group-writer.ts";
import { byteString, UrlTexts, type UrlWork } from "./url-texts.ts";

/** The time that the run works before it handles signals, in milliseconds. */
const TURN_MS = 20;

/** Runs `normalize` or `dedupe` on Parquet files: row group by row group, on one thread. */
export async function runParquet(options: CommandOptions, dedupes: boolean): Promise<void> {
  refuseWhatCannotBe(options);
  const prepared = await prepareRun(options, dedupes, {
    check: async () => checkColumns(options, await loadParquetPeers()),
    divideMemory: memoryForParquet,
  });
  await execute(new ParquetRun(prepared, await loadParquetPeers()), prepared);
}

/** Throws if an option is not supported for Parquet. */
function refuseWhatCannotBe({ files, out = "-", threads }: CommandOptions): void {
  if (files.includes("-")) {
    throw new CommandFailure(
      "Parquet is read from its end, which standard input does not give: save it to a file and name that",
      2,
    );
  }
  if (/\.(?:gz|zst)$/.test(out)) {
    throw new CommandFailure(
      `Parquet is compressed within, and nothing reads it as ${out}; name a file without .gz or .zst`,
      2,
    );
  }
  if (threads !== undefined && threads > 1) {
    throw new CommandFailure("Parquet is read and written by one thread; leave out --threads", 2);
  }
  if (out === "-" && standardStreams().stdout.isTTY === true) {
    throw new CommandFailure("Parquet is not text for a terminal; name a file with -o", 2);
  }
}

/**
 * Throws if a file is unreadable or its columns differ from those of the first. Call it before any output is opened.
 */
async function checkColumns(
  { files, field, emit }: CommandOptions,
  peers: ParquetPeers,
): Promise<void> {
  let first: ParquetFile | null = null;
  for (const name of files) {
    const file = await ParquetFile.open(name, peers);
    await file.close();
    findTextLeaf(file.leaves, field.field.name, name);
    const hasKey = file.leaves.some(({ path }) => path[1]?.element.name === KEY_COLUMN);
    if (emit === "both" && hasKey) {
      throw new CommandFailure(
        `--emit both adds the column ${KEY_COLUMN}, which ${name} has already; rename that first`,
        2,
      );
    }
    first ??= file;
    if (!isDeepStrictEqual(file.raw.field_2, first.raw.field_2)) {
      throw new CommandFailure(
        `${name} and ${first.name} have other columns or types, and one output has one kind; run them one by one`,
        2,
      );
    }
  }
}

class ParquetRun implements Run {
  readonly #options: CommandOptions;
  readonly #tally: Tally;
  readonly #keys: KeySet | null;
  readonly #peers: ParquetPeers;
  readonly #work: UrlWork;
  readonly #collector: ReportCollector | null;
  readonly #outputs: Output[] = [];
  /** Null if the output is not a regular file, and until it is opened. */
  #replaced: ReplacedFile | null = null;
  #errors: Output | null = null;
  #map: Output | null = null;
  /** The fingerprints of the rows written so far. They are recorded after the footer of the file is written. */
  readonly #fresh: Uint8Array[] = [];
  #stopped: Error | null = null;
  /** The time when signals were last handled. */
  #heardAt = 0;
  #file: ParquetFile | null = null;

  constructor(
    { options, normalizer, job, keys, tally, collector }: PreparedRun,
    peers: ParquetPeers,
  ) {
    const explain = (url: string) => normalizer.explainBytes(url, job.base).steps;
    this.#options = options;
    this.#tally = tally;
    this.#keys = keys && new KeySet(keys);
    this.#peers = peers;
    this.#collector = collector;
    this.#work = {
      ...job,
      normalizer,
      writesKeys: job.emit !== "original" || options.map !== undefined || job.shows,
      form: keyForm(job.form),
      steps: job.counts ? new StepCounter(explain, job.shows) : null,
    };
  }

  /** Ends the run with `reason` before the next page. */
  stop(reason: Error): void {
    this.#stopped = reason;
    for (const output of this.#outputs) output.stop(reason);
  }

  get outputState(): OutputState {
    // Without its footer, the written file cannot be read.
    return this.#replaced === null ? "cut" : "nothing";
  }

  abandon(): void {
    this.#replaced?.discardSync();
  }

  async all(): Promise<void> {
    const { files, out = "-", errors, map } = this.#options;
    const journal = this.#keys?.journal ?? null;
    this.#replaced = await ReplacedFile.of(out);
    const output = await this.#open(this.#replaced?.path ?? out, journal !== null, out);
    if (errors !== undefined) this.#errors = await this.#open(errors);
    if (map !== undefined) this.#map = await this.#open(map);
    const writer = new RowGroupWriter(output, this.#peers, this.#options, () => this.#pause());
    for (const name of files) await this.#readFile(name, writer);
    await writer.finish();
    this.#tally.bytesOut = writer.bytes;
    for (const each of this.#outputs) await each.finish();
    await this.#replaced?.commit(journal !== null);
    for (const fresh of this.#fresh) await journal?.append(fresh);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    await Promise.allSettled(this.#outputs.map((output) => output.close()));
    await this.#replaced?.discard();
  }

  get keyCount(): number {
    return this.#keys?.size ?? 0;
  }

  async #open(name: string, isDurable = false, shown?: string): Promise<Output> {
    const output = await Output.toFile(name, isDurable, shown);
    this.#outputs.push(output);
    return output;
  }

  async #readFile(name: string, writer: RowGroupWriter): Promise<void> {
    const file = await ParquetFile.open(name, this.#peers);
    this.#file = file;
    writer.begin(file);
    const before = this.#tally.bytesIn;
    for (const [group, { field_3: rows }] of file.raw.field_4.entries()) {
      // A group without rows may name pages that do not exist.
      if (rows > 0n) await this.#readGroup(file, group, writer);
      this.#tally.bytesIn = before + file.bytesRead;
    }
    writer.end(file);
    await file.close();
    this.#file = null;
  }

  /** Handles signals and progress at intervals. Throws the reason of a stop. */
  async #pause(): Promise<void> {
    if (performance.now() - this.#heardAt < TURN_MS) return;
    await setImmediate();
    this.#heardAt = performance.now();
    if (this.#stopped !== null) throw this.#stopped;
  }

  async #readGroup(file: ParquetFile, group: number, writer: RowGroupWriter): Promise<void> {
    const { onError } = this.#options;
    const tally = this.#tally;
    const column = await writer.readUrls(file, group);
    const pause = (): Promise<void> => this.#pause();
    const urls = await UrlTexts.of(column, this.#work, pause);
    const first = tally.lines + 1;
    if (onError === "fail" && urls.firstError !== null) {
      const { row, code } = urls.firstError;
      throw new CommandFailure(
        `row ${first + row} is not a URL (${code}); stopped, and the output is not ${this.#replaced === null ? "whole" : "written"} (--on-error fail)`,
        1,
      );
    }
    const { errors, errorsByCode, changed } = urls;
    const rows = column.rows.length;
    const byStep = this.#work.steps?.take() ?? { steps: {}, examples: {} };
    tally.add({ rows, changed, errorsByCode, steps: byStep.steps });
    this.#collector?.addResult({ errors, examples: byStep.examples }, first);
    await this.#errors?.write(errorLines(errors, first));
    if (this.#stopped !== null) throw this.#stopped;
    if (this.#keys === null) return writer.write(file, group, urls, null);
    const { key } = this.#keys.identity;
    const failed = keysTexts(this.#options)
      ? await writer.readRows(file, group, urls.failed, key)
      : null;
    const found = await newRows(urls, this.#keys, failed, pause);
    if (found.fresh.length > 0) this.#fresh.push(found.fresh);
    tally.duplicates += found.merged.length;
    await this.#list(urls, found.merged);
    await writer.write(file, group, urls, found);
  }

  /** Lists merged rows: `key<TAB>URL<LF>` each. The key of a whole row is not a text, so it is left empty. */
  async #list(urls: UrlTexts, merged: readonly number[]): Promise<void> {
    if (this.#map === null && this.#collector === null) return;
    const { failed } = urls;
    const entries = merged.map((row) => {
      const text = byteString(urls.textOf(row) ?? new Uint8Array(0));
      if (failed[row] === 1) return mergedEntry("", text);
      return mergedEntry(byteString(urls.keyOf(urls.column.rows[row] as number)), text);
    });
    this.#collector?.addMergedErrors(merged, failed);
    const ofUrls = entries.filter((_, at) => failed[merged[at] as number] === 0);
    this.#collector?.groups.add(Buffer.from(ofUrls.join(""), "latin1"));
    await this.#map?.write(Buffer.from(entries.join(""), "latin1"));
  }
}
