import { isSetFull, UrlmillError } from "../../base/errors.ts";
import { isRegular } from "../../io/files/file-state.ts";
import { ClosedPipe } from "../../io/output.ts";
import { descriptorOf } from "../../io/sink.ts";
import { isWatched } from "../../io/standard.ts";
import { CommandFailure, type OutputState, StoppedAtLine } from "../base/failure.ts";
import { Interrupt, type Interruptible } from "../base/interrupt.ts";
import { readsTwice } from "../base/keep.ts";
import type { CommandOptions } from "../call/options.ts";
import { waysOut } from "../keys/key-forecast.ts";
import { RunCommit } from "./commit/run-commit.ts";
import { checkField } from "./first-records.ts";
import { sayHints } from "./hints.ts";
import type { PreparedRun } from "./prepare.ts";
import { Progress } from "./progress.ts";
import { saySpill, whyInMemory } from "./spill.ts";
import { countKeys, sayCounts, sayInput, writeReport } from "./summary.ts";

/** Does the work of `normalize` or `dedupe` on inputs of one kind, in one mode. */
export interface Run extends Interruptible {
  /** Does all the work. Throws any error that ends the run early, including the reason of a stop. */
  all(): Promise<void>;
  /** Ends the run soon with `reason`. `close` is called afterwards. */
  stop(reason: Error): void;
  /** Closes all files, also after an error. */
  close(): Promise<void>;
  /** Returns the run that does the work after this one failed, or null. Left out if no other run can. */
  instead?(error: unknown): Run | null | Promise<Run | null>;
  /** The number of keys after a `dedupe` run, with those of earlier runs. */
  readonly keyCount: number;
  /** Returns the first bytes of the input, at most FIRST_BYTES. Left out if records have no fields that may be lacking. */
  firstBytes?(): Buffer;
  /** Prints its own messages for the end of the run. Left out if it has none. */
  report?(): void;
}

/**
 * Makes a run and carries it out, until its end or a signal, and shows its progress. Then gives its files their places, and
 * writes what the user wants to know of it. `choose`: makes the run. Closes the keys, also after an error.
 */
export async function execute<Options extends CommandOptions>(
  given: PreparedRun<Options>,
  choose: (prepared: PreparedRun<Options>) => Run | Promise<Run>,
): Promise<void> {
  const commit = await RunCommit.begin(given);
  if (commit === null) {
    if (given.options.stats) sayCounts(given, "line", "-");
    return;
  }
  try {
    await carryOut(commit, await choose(commit.prepared));
  } finally {
    await commit.leave();
  }
}

async function carryOut(commit: RunCommit<CommandOptions>, run: Run): Promise<void> {
  const { prepared } = commit;
  const { options, total, keys, tally, spill } = prepared;
  const { quiet, progress: wanted = quiet ? false : undefined, out = "-", format } = options;
  const record = format === "parquet" ? "row" : "line";
  sayInput(prepared);
  if (spill !== null && !quiet && isWatched(out)) saySpill(spill, options);
  const toRead = readsTwice(options) || spill !== null ? 2 * total : total;
  const progress = Progress.start(wanted, tally, { total: toRead, record, out });
  const chain = new FallbackChain(run, commit);
  const interrupt = Interrupt.listen(chain);
  try {
    await toTheEnd(chain, commit).finally(() => progress?.stop());
  } catch (error) {
    if (error instanceof ClosedPipe) return;
    const state = chain.outputState;
    if (error instanceof StoppedAtLine) throw error.leaving(state);
    throw withWaysOut(interrupt.explain(error), prepared, state);
  } finally {
    interrupt.end();
  }
  if (keys !== null) countKeys(prepared, keys, chain.current.keyCount);
  chain.current.report?.();
  sayCounts(prepared, record, commit.out);
  const first = (): Buffer => chain.current.firstBytes?.() ?? Buffer.alloc(0);
  sayHints(prepared, first);
  checkField(prepared, first);
  checkDamage(prepared);
}

/** Throws a CommandFailure if a member of an archive is damaged, or a quote of a table is not closed. */
function checkDamage({ tally: { damagedMembers, openQuotes } }: PreparedRun): void {
  if (damagedMembers > 0) {
    const are = damagedMembers === 1 ? "1 gzip member is" : `${damagedMembers} gzip members are`;
    throw new CommandFailure(`${are} damaged, as said above`, 1);
  }
  if (openQuotes === 0) return;
  const are = openQuotes === 1 ? "1 quote is" : `${openQuotes} quotes are`;
  throw new CommandFailure(`${are} not closed, as said above`, 1);
}

/** Does all the work, and closes all files, also those of the set. */
async function toTheEnd(chain: FallbackChain, commit: RunCommit<CommandOptions>): Promise<void> {
  try {
    try {
      await chain.all();
      await writeReport(commit.prepared);
    } finally {
      await chain.current.close();
    }
    await commit.end();
  } finally {
    await commit.leave();
  }
}

/** Carries out a run, or the one that does its work instead. */
class FallbackChain implements Interruptible {
  current: Run;
  readonly #commit: RunCommit<CommandOptions>;
  /** The reason of a stop, also for a run that begins after it. */
  #reason: Error | null = null;

  constructor(first: Run, commit: RunCommit<CommandOptions>) {
    this.current = first;
    this.#commit = commit;
  }

  async all(): Promise<void> {
    try {
      await this.current.all();
    } catch (error) {
      const failed = this.current;
      const instead = (await failed.instead?.(error)) ?? null;
      if (instead === null) throw error;
      if (this.#reason !== null) instead.stop(this.#reason);
      this.current = instead;
      await failed.close();
      await instead.all();
    }
  }

  stop(reason: Error): void {
    this.#reason = reason;
    this.current.stop(reason);
  }

  get outputState(): OutputState {
    return this.#commit.outputState ?? this.current.outputState;
  }

  /** Names the file that a later run can go on with, if lines of this one are there. */
  get continued(): string | null {
    const { append, out } = this.#commit.prepared.options;
    const file = append ?? out ?? null;
    if (file === null || descriptorOf(file) !== null || !isRegular(file)) return null;
    return /\.(?:gz|zst)$/.test(file) ? null : file;
  }

  abandon(): void {
    this.current.abandon?.();
    this.#commit.discardSync();
  }
}

/** Returns the error of a set that is full with what a user can do. Returns any other error as it is. */
function withWaysOut(error: unknown, { options }: PreparedRun, state: OutputState): unknown {
  if (!isSetFull(error)) return error;
  // Other runs go on with keys in temporary files.
  const reason = whyInMemory(options);
  const ways = `${reason === null ? "" : `leave that flag out (${reason}); or `}${waysOut(options.bits)}`;
  return new UrlmillError(
    "SET_FULL",
    `${error.message}. ${state === "nothing" ? "The output is not written" : "What is written ends with a whole line"}. To go on, ${ways}`,
  );
}
