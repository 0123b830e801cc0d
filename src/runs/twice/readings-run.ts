import { isSetFull } from "../../base/errors.ts";
import type { InputPlace } from "../../io/files/input-states.ts";
import { SpooledInputs } from "../../io/sources/spooled-inputs.ts";
import { CommandFailure, type OutputState } from "../base/failure.ts";
import { leavesOut, readsTwice, valueFieldOf } from "../base/keep.ts";
import { type Job, SILENT } from "../call/job.ts";
import type { ExcludedList, LineOptions } from "../call/options.ts";
import { Tally } from "../call/tally.ts";
import type { Run } from "../frame/execute.ts";
import type { PreparedRun } from "../frame/prepare.ts";
import { sayRestart, spillSetup, whyInMemory } from "../frame/spill.ts";
import { askKeys } from "../keys/ask-keys.ts";
import type { AskedKeys } from "../keys/asked-keys.ts";
import type { RunKeys } from "../keys/run-keys.ts";
import { SpilledKeys } from "../keys/spilled/spilled-keys.ts";
import { type ChosenRows, LACKS_LINES } from "../keys/winners/chosen-rows.ts";
import { Winners } from "../keys/winners/winners.ts";
import { ChunkedRun, type Reading } from "../stream/chunked-run.ts";
import type { Shadow } from "../stream/shadow.ts";

type Prepared = PreparedRun<LineOptions>;

/**
 * Runs `dedupe` in several readings, each in the chunked mode: first the files whose keys are left out, then all inputs to
 * choose records, if only the last one tells which are written or the keys do not fit in memory, and then the inputs again to
 * write. An input that can be read only once is copied before.
 */
export class ReadingsRun implements Run {
  readonly #prepared: Prepared;
  readonly #shadow: Shadow | null;
  readonly #keys: RunKeys;
  readonly #spool: SpooledInputs;
  readonly #stopping = new AbortController();
  /** The reading in progress. */
  #current: ChunkedRun | null = null;
  /** The reading that writes; null before it. */
  #last: ChunkedRun | null = null;
  #answering: AskedKeys | null = null;

  /** `shadow`: null if no rules are tried in shadow. */
  constructor(prepared: Prepared, shadow: Shadow | null, keys: RunKeys) {
    this.#prepared = prepared;
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
    if (spill !== null) return this.#spill();
    try {
      await this.#inMemory();
    } catch (error) {
      if (!isSetFull(error) || !this.#canSpill) throw error;
      if (!options.quiet) sayRestart(options);
      await this.#current?.close();
      tally.restart();
      await this.#spill();
    }
  }

  /** Returns whether keys may go to temporary files, and nothing is written yet. */
  get #canSpill(): boolean {
    return this.#last === null && whyInMemory(this.#prepared.options) === null;
  }

  /** Dedupes with keys in memory. */
  async #inMemory(): Promise<void> {
    const { options } = this.#prepared;
    // If they have no room, they are read again.
    const lists = options.exclude.map(({ file }) => file);
    await this.#spool.take(lists, options.heads, this.#stopping.signal);
    const set = leavesOut(options) ? askKeys(this.#keys) : null;
    for (const list of options.exclude) await this.#exclude(list, set as AskedKeys);
    if (set !== null && !readsTwice(options)) await this.#write(this.#prepared, set);
    else await this.#chooseAndWrite((prepared) => this.#choose(prepared, set));
  }

  async close(): Promise<void> {
    await this.#current?.close();
    this.#spool.remove();
  }

  report(): void {
    this.#last?.report();
  }

  /** Adds the keys of a list whose URLs are left out. Texts that are not URLs are keys if those of the inputs are. */
  async #exclude({ file, format, ...list }: ExcludedList, set: AskedKeys): Promise<void> {
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
  }

  /** Dedupes with keys in a temporary file. */
  async #spill(): Promise<void> {
    const { options, memory } = this.#prepared;
    const spilled = new SpilledKeys(this.#keys, spillSetup(options, memory));
    try {
      this.#keys.dropSet();
      await spilled.leaveOutAll(this.#keys);
      for (const list of options.exclude) await this.#exclude(list, spilled);
      spilled.beginInputs();
      await this.#chooseAndWrite(async (prepared) => {
        await this.#readAll(withValues(prepared), spilled);
        prepared.tally.temporaryBytes = spilled.bytesOnDisk;
        return spilled.chosen(this.#keys.store, this.#stopping.signal);
      });
    } finally {
      spilled.close();
    }
  }

  /** Reads the inputs to choose which of their rows are written, and writes them. */
  async #chooseAndWrite(choose: (prepared: Prepared) => Promise<ChosenRows>): Promise<void> {
    const { options, tally, states } = this.#prepared;
    await this.#spool.take(options.files, options.heads, this.#stopping.signal);
    const files = this.#spool.withoutRepeats(options.files);
    const prepared = { ...this.#prepared, options: { ...options, files } };
    const chosen = await choose(prepared);
    tally.readAgain();
    states.check("nothing is written");
    await this.#write(prepared, chosen);
    chosen.checkEnd();
    states.check(LACKS_LINES);
  }

  /** Reads the inputs, and returns which of their rows are written, with keys in memory. */
  async #choose(prepared: Prepared, earlier: AskedKeys | null): Promise<ChosenRows> {
    const { options, memory } = prepared;
    const { identity, store } = this.#keys;
    const winners = new Winners({ ...options, identity, maxBytes: memory.keyBytes, earlier });
    await this.#readAll(withValues(prepared), winners);
    return winners.chosen(store);
  }

  /** Reads inputs only to ask about their keys. `names`: says whether damaged records are named. */
  async #readAll(prepared: Prepared, keys: AskedKeys, names = false): Promise<void> {
    const options = { ...prepared.options, out: undefined, errors: undefined, map: undefined };
    const job: Job = { ...prepared.job, ...SILENT };
    const how = { writes: false, names };
    const run = this.#begin({ ...prepared, options, job, collector: null }, null, keys, how);
    await run.all();
    await run.close();
  }

  async #write(prepared: Prepared, keys: AskedKeys): Promise<void> {
    this.#answering = keys;
    this.#last = this.#begin(prepared, this.#shadow, keys, { writes: true, names: true });
    await this.#last.all();
  }

  readonly #placeOf = (file: string): InputPlace => ({
    path: this.#spool.pathOf(file),
    length: this.#prepared.states.lengthOf(file),
  });

  #begin(
    prepared: Prepared,
    shadow: Shadow | null,
    keys: AskedKeys,
    how: Omit<Reading, "placeOf">,
  ): ChunkedRun {
    this.#stopping.signal.throwIfAborted();
    const placeOf = this.#placeOf;
    this.#current = new ChunkedRun(prepared, shadow, keys, { ...how, placeOf });
    return this.#current;
  }
}

/** Lets the values be read by which records are chosen. */
function withValues(prepared: Prepared): Prepared {
  const value = valueFieldOf(prepared.options.keep);
  return { ...prepared, job: { ...prepared.job, value } };
}
