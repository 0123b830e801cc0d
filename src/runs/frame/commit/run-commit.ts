import { resolve } from "node:path";
import { hexOf, sha256 } from "../../../base/sha256.ts";
import { type FileState, inputState } from "../../../io/files/file-state.ts";
import { say } from "../../../io/say.ts";
import { runOf } from "../../../seen/pending/committed-run.ts";
import { PendingKeys } from "../../../seen/pending/pending-keys.ts";
import type { OutputState } from "../../base/failure.ts";
import type { CommandOptions } from "../../call/options.ts";
import type { PreparedRun } from "../prepare.ts";
import { RunOutputs } from "./run-outputs.ts";

/** What a run is told that does not change what it writes. Outputs and inputs are compared by their states. */
const NOT_COMPARED = new Set<string>([
  ...(["files", "exclude", "block", "allow", "optionFiles"] as const),
  ...(["out", "errors", "map", "shadow", "report", "outputHead"] as const),
  ...(["peek", "progress", "quiet", "stats", "threads", "memory", "tmp", "isGuessed"] as const),
  // A set that is there gives its own; the profileId says what they do.
  ...(["seen", "store", "keyOf", "bits", "normalizer"] as const),
] satisfies (keyof CommandOptions)[]);

/**
 * Makes a run one transaction: its files take their places when all of them are written, and its keys are added to the set of
 * `--seen` after that. A kill before leaves files and set as they were. A kill after the record of the run leaves keys that
 * whoever opens the set adds. A kill between leaves files without keys: the same run again writes the same files.
 */
export class RunCommit<Options extends CommandOptions> {
  /** The run, with the names of open files as outputs, and with keys that are held until the end. */
  readonly prepared: PreparedRun<Options>;
  readonly #given: PreparedRun<Options>;
  readonly #outputs: RunOutputs<Options>;
  /** Null if no keys are kept, or they are kept as lines are written. */
  readonly #keys: PendingKeys | null;
  /** A digest of the options and inputs, before anything is read. */
  readonly #call: string;
  #isDone = false;

  private constructor(
    given: PreparedRun<Options>,
    outputs: RunOutputs<Options>,
    pending: PendingKeys | null,
    call = "",
  ) {
    this.#call = call;
    const { keys } = given;
    const held = keys && pending && { ...keys, store: pending };
    this.#given = given;
    this.#outputs = outputs;
    this.#keys = pending;
    this.prepared = { ...given, options: outputs.options, keys: held ?? keys };
  }

  /**
   * Begins a run. Returns null, and says so, if the same run has written the same files already. Closes the set after an error.
   * Throws an IoError.
   */
  static async begin<Options extends CommandOptions>(
    given: PreparedRun<Options>,
  ): Promise<RunCommit<Options> | null> {
    const { options, keys } = given;
    let outputs: RunOutputs<Options> | null = null;
    try {
      // `normalize` writes about as much as it reads; nobody knows what `dedupe` leaves out.
      outputs = await RunOutputs.open(options, keys === null ? given.total / 2 : 0);
      if (keys === null || keys.store === null || !outputs.areBeside) {
        return new RunCommit(given, outputs, null);
      }
      const call = callOf(given);
      if (!(await wasDone(given, call, outputs.statesNow()))) {
        const pending = await PendingKeys.begin(options.seen as string, keys.identity);
        return new RunCommit(given, outputs, pending, call);
      }
      if (!options.quiet) say(`${options.out} is what the same run has written: nothing is done`);
    } catch (error) {
      await outputs?.discard();
      await keys?.close();
      throw error;
    }
    await outputs.discard();
    await keys.close();
    return null;
  }

  /** The name of the main output, as the user wrote it. */
  get out(): string {
    return this.#given.options.out ?? "-";
  }

  /** Describes the outputs if the run ends now; null if they are in their places from the beginning. */
  get outputState(): OutputState | null {
    if (!this.#outputs.areBeside) return null;
    return this.#isDone ? "done" : "nothing";
  }

  /** Gives the files their places, and adds the keys to the set. */
  async end(): Promise<void> {
    const states = await this.#outputs.states();
    await this.#keys?.sync();
    await this.#outputs.commit(this.#keys !== null);
    this.#isDone = true;
    if (this.#keys !== null) await this.#addKeys(this.#keys, states);
  }

  async #addKeys(pending: PendingKeys, outputs: readonly FileState[]): Promise<void> {
    await pending.commit({ call: this.#call, outputs });
    const store = this.#given.keys?.store;
    for await (const piece of pending.pieces()) await store?.append(piece);
    await this.#closeSet(); // makes them durable
    await pending.remove();
  }

  readonly #closeSet = once(async () => {
    await this.#given.keys?.close();
  });

  /** Closes the set, and removes what is left of a run that has not reached its end. */
  readonly leave = once(async () => {
    try {
      await this.#outputs.discard();
      if (!this.#isDone) await this.#keys?.remove();
      else await this.#keys?.close();
    } finally {
      await this.#closeSet();
    }
  });

  /** Does the same in a process that ends. Keys that nobody locks are removed when the set is opened. */
  discardSync(): void {
    this.#outputs.discardSync();
  }
}

/** Returns a digest of what a run reads and how. */
function callOf({ options, facts, keys }: PreparedRun): string {
  const { files, exclude, block, allow } = options;
  const compared = Object.entries(options).filter(([name]) => !NOT_COMPARED.has(name));
  const stateOf = (name: string) => inputState(name) ?? [name];
  const lists = exclude.map(({ file, ...how }) => [stateOf(file), how]);
  const inputs = [files.map(stateOf), lists, block.map(stateOf), allow.map(stateOf)];
  return hexOf(sha256(JSON.stringify([compared, facts.profileId, keys !== null, inputs])));
}

/** Returns whether the same run has been done, and its files are as it wrote them. `outputs`: the states of its files now. */
async function wasDone(
  { options: { out = "-", seen } }: PreparedRun,
  call: string,
  outputs: readonly FileState[],
): Promise<boolean> {
  const run = await runOf(seen as string, resolve(out));
  return run?.call === call && JSON.stringify(run.outputs) === JSON.stringify(outputs);
}

/** Returns a function that does its work once. Later calls wait for the same end. */
function once(work: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | null = null;
  return () => {
    ended ??= work();
    return ended;
  };
}
