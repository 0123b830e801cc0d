import { isSetFull, UrlmillError } from "../base/errors.ts";
import { ClosedPipe } from "../io/output.ts";
import { isWatched } from "../io/standard.ts";
import { Interrupt, type Interruptible } from "./interrupt.ts";
import { readsTwice } from "./keep/keep.ts";
import { waysOut } from "./keys/key-forecast.ts";
import { checkField } from "./lacking-field.ts";
import type { PreparedRun } from "./prepare.ts";
import { Progress } from "./progress.ts";
import { saySpill, whyInMemory } from "./spill/spill.ts";
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

/** Carries out a run and shows its progress, until its end or a signal. Then writes what the user wants to know of it. */
export async function execute(run: Run, prepared: PreparedRun): Promise<void> {
  const { options, total, keys, tally, spill } = prepared;
  const { quiet, progress: wanted = quiet ? false : undefined, out = "-", format } = options;
  const record = format === "parquet" ? "row" : "line";
  sayInput(prepared);
  if (spill !== null && !quiet && isWatched(out)) saySpill(spill, options);
  const toRead = readsTwice(options) || spill !== null ? 2 * total : total;
  const progress = Progress.start(wanted, tally, { total: toRead, record, out });
  const relay = new Relay(run);
  const interrupt = Interrupt.listen(relay);
  try {
    try {
      await relay.all();
      await writeReport(prepared);
    } finally {
      progress?.stop();
      await relay.current.close().finally(() => keys?.store?.close());
    }
  } catch (error) {
    if (error instanceof ClosedPipe) return;
    throw withWaysOut(interrupt.explain(error), prepared);
  } finally {
    interrupt.end();
  }
  if (keys !== null) countKeys(prepared, keys, relay.current.keyCount);
  relay.current.report?.();
  sayCounts(prepared, record);
  checkField(prepared, () => relay.current.firstBytes?.() ?? Buffer.alloc(0));
}

/** Carries out a run, or the one that does its work instead. */
class Relay implements Interruptible {
  current: Run;

  constructor(first: Run) {
    this.current = first;
  }

  async all(): Promise<void> {
    try {
      await this.current.all();
    } catch (error) {
      const failed = this.current;
      const instead = (await failed.instead?.(error)) ?? null;
      if (instead === null) throw error;
      this.current = instead;
      await failed.close();
      await instead.all();
    }
  }

  stop(reason: Error): void {
    this.current.stop(reason);
  }

  get outputState(): Run["outputState"] {
    return this.current.outputState;
  }

  abandon(): void {
    this.current.abandon?.();
  }
}

/** Returns the error of a set that is full with what a user can do. Returns any other error as it is. */
function withWaysOut(error: unknown, { options }: PreparedRun): unknown {
  if (!isSetFull(error)) return error;
  // Other runs go on with keys in temporary files.
  const reason = whyInMemory(options);
  const ways = `${reason === null ? "" : `leave that flag out (${reason}); or `}${waysOut(options.bits)}`;
  return new UrlmillError(
    "SET_FULL",
    `${error.message}. What is written ends with a whole line. To go on, ${ways}`,
  );
}
