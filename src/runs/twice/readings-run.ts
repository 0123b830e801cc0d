import { isSetFull } from "../../base/errors.ts";
import type { InputPlace } from "../../io/files/input-states.ts";
import { SpooledInputs } from "../../io/sources/spooled-inputs.ts";
import { CommandFailure, type OutputState } from "../base/failure.ts";
import { valueFieldOf } from "../base/keep.ts";
import { type Job, SILENT } from "../call/job.ts";
import type { ExcludedList, LineOptions } from "../call/options.ts";
import { Tally } from "../call/tally.ts";
import type { Run } from "../frame/execute.ts";
import type { PreparedRun } from "../frame/prepare.ts";
import { sayRestart, whyInMemory } from "../frame/spill.ts";
import type { RowDecider } from "../keys/row-decider.ts";
import type { RunKeys } from "../keys/run-keys.ts";
import { ChunkedRun, type Reading } from "../stream/chunked-run.ts";
import type { Shadow } from "../stream/shadow.ts";
import { dedupeInMemory, dedupeOnDisk, type Readings } from "./readings.ts";

type Prepared = PreparedRun<LineOptions>;

/**
 * Runs `dedupe` in several readings, each in the chunked mode: first the files whose keys are left out, then all inputs to
 * choose records, if only the last one tells which are written or the keys do not fit in memory, and then the inputs again to
 * write. An input that can be read only once is copied before.
 */
export class ReadingsRun implements Run, Readings {
  readonly #prepared: Prepared;
  readonly #shadow: Shadow | null;
  readonly #keys: RunKeys;
  readonly #spool: SpooledInputs;
  readonly #stopping = new AbortController();
  /** The reading in progress. */
  #current: ChunkedRun | null = null;
  /** The reading that writes; null before it. */
  #last: ChunkedRun | null = null;
  #answering: RowDecider | null = null;
  /** The same as `#prepared`, with the inputs that can be read again once they are copied. */
  #inputs: Prepared;

  /** `shadow`: null if no rules are tried in shadow. */
  constructor(prepared: Prepared, shadow: Shadow | null, keys: RunKeys) {
    this.#prepared = prepared;
    this.#inputs = prepared;
    this.#shadow = shadow;
    this.#keys = keys;
    this.#spool = new SpooledInputs(prepared.options.tmp);
  }

  stop(reason: Error): void {
    this.#stopping.abort(reason);
    this.#current?.stop(reason);
  }

  get outputState(): OutputState {
    return this.#last?.outputState ?? "nothing";
  }

  abandon(): void {
    this.#spool.remove();
  }

  get keyCount(): number {
    return this.#answering?.size ?? 0;
  }

  firstBytes(): Buffer {
    return this.#last?.firstBytes() ?? Buffer.alloc(0);
  }

  async all(): Promise<void> {
    const { options, spill, tally } = this.#prepared;
    if (spill !== null) return this.#dedupeOnDisk();
    // If keys have no room, the lists are read again.
    const lists = options.exclude.map(({ file }) => file);
    await this.#spool.take(lists, options.peek, this.#stopping.signal);
    try {
      await dedupeInMemory(this.#prepared, this.#keys, this);
    } catch (error) {
      if (!isSetFull(error) || !this.#canSpill) throw error;
      if (!options.quiet) sayRestart(options);
      await this.#current?.close();
      tally.restart();
      await this.#dedupeOnDisk();
    }
  }

  /** Returns whether keys may go to temporary files, and nothing is written yet. */
  get #canSpill(): boolean {
    return this.#last === null && whyInMemory(this.#prepared.options) === null;
  }

  #dedupeOnDisk(): Promise<void> {
    return dedupeOnDisk(this.#prepared, this.#keys, this, this.#stopping.signal);
  }

  async close(): Promise<void> {
    await this.#current?.close();
    this.#spool.remove();
  }

  report(): void {
    this.#last?.report();
  }

  async exclude(keys: RowDecider): Promise<void> {
    for (const list of this.#prepared.options.exclude) await this.#excludeList(list, keys);
  }

  /** Adds the keys of a list whose URLs are left out. Texts that are not URLs are keys if those of the inputs are. */
  async #excludeList({ file, format, ...list }: ExcludedList, set: RowDecider): Promise<void> {
    if (format === "parquet")
      throw new CommandFailure(`--exclude ${file}: it is Parquet, and the input is not`, 2);
    const { options, job } = this.#prepared;
    const onError = options.onError === "keep" ? "keep" : "empty";
    const how = { ...list, format, onError } as const;
    const tally = new Tally();
    await this.#readAll(
      {
        ...this.#prepared,
        options: { ...options, ...how, files: [file] },
        job: { ...job, ...how },
        tally,
        total: 0,
      },
      set,
      true,
    );
    this.#current?.report();
    this.#prepared.tally.openQuotes += tally.openQuotes;
    this.#prepared.tally.damagedMembers += tally.damagedMembers;
  }

  async ask(keys: RowDecider): Promise<void> {
    const { options, job } = this.#prepared;
    const takesGaps = options.archive !== null;
    await this.#spool.take(options.files, options.peek, this.#stopping.signal, takesGaps);
    const files = this.#spool.withoutRepeats(options.files);
    this.#inputs = { ...this.#prepared, options: { ...options, files } };
    const value = valueFieldOf(options.keep);
    await this.#readAll({ ...this.#inputs, job: { ...job, value } }, keys);
  }

  /** Reads inputs only to ask about their keys. `names`: says whether damaged records are named. */
  async #readAll(prepared: Prepared, keys: RowDecider, names = false): Promise<void> {
    const options = { ...prepared.options, out: undefined, errors: undefined, map: undefined };
    const job: Job = { ...prepared.job, ...SILENT };
    const how = { writes: false, names };
    const run = this.#begin({ ...prepared, options, job, collector: null }, null, keys, how);
    await run.all();
    await run.close();
  }

  async write(keys: RowDecider): Promise<void> {
    this.#answering = keys;
    this.#last = this.#begin(this.#inputs, this.#shadow, keys, { writes: true, names: true });
    await this.#last.all();
  }

  readonly #placeOf = (file: string): InputPlace => ({
    ...this.#spool.placeOf(file),
    length: this.#prepared.states.lengthOf(file),
  });

  #begin(
    prepared: Prepared,
    shadow: Shadow | null,
    keys: RowDecider,
    how: Omit<Reading, "placeOf">,
  ): ChunkedRun {
    this.#stopping.signal.throwIfAborted();
    const placeOf = this.#placeOf;
    this.#current = new ChunkedRun(prepared, shadow, keys, { ...how, placeOf });
    return this.#current;
  }
}
