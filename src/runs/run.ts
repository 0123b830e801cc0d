import { leavesOut, readsTwice } from "./base/keep.ts";
import { passesInBulk } from "./call/job.ts";
import type { LineOptions } from "./call/options.ts";
import { DirectRun, type SpillInstead, type TakeChunkedMode } from "./direct/direct-run.ts";
import { execute, type Run } from "./frame/execute.ts";
import { type PreparedRun, prepareRun } from "./frame/prepare.ts";
import { memoryForLines } from "./frame/run-memory.ts";
import { whyInMemory } from "./frame/spill.ts";
import type { RunKeys } from "./keys/run-keys.ts";
import { deciderFor } from "./keys/stored-keys.ts";
import { chooseMode, plainInputs } from "./mode.ts";
import { ChunkedRun } from "./stream/chunked-run.ts";
import { Shadow } from "./stream/shadow.ts";

/**
 * Runs `normalize` or `dedupe`: reads all files, and writes the results of their records in order. Returns what the run
 * was, with its counts.
 */
export async function run(options: LineOptions, dedupes: boolean): Promise<PreparedRun> {
  const prepared = await prepareRun(options, dedupes, {
    divideMemory: (engine) => memoryForLines(options, dedupes, engine),
  });
  await execute(prepared, chooseRun);
  return prepared;
}

/** Makes the run in the mode for its options and files. */
async function chooseRun(prepared: PreparedRun<LineOptions>): Promise<Run> {
  const { options, job, facts, setup, keys, spill } = prepared;
  const { module } = setup;
  const shadow = await openShadow(prepared);
  const severalTimes = readsTwice(options) || options.exclude.length > 0 || spill !== null;
  if (keys !== null && severalTimes) return runTwice(prepared, shadow, keys);
  const takeChunkedMode: TakeChunkedMode = (written = prepared.written) =>
    new ChunkedRun({ ...prepared, written }, shadow, keys && deciderFor(keys));
  const mode = chooseMode(options, passesInBulk(job, keys !== null), facts.engine);
  if ("chunked" in mode || module === null) return takeChunkedMode();
  const { files, places } = mode;
  const records = places && { job, places };
  const spilled: SpillInstead | null =
    keys && whyInMemory(options) === null
      ? (written, known) => runTwice({ ...prepared, written, spill: known }, null, keys)
      : null;
  return new DirectRun(prepared, { files, records, module }, takeChunkedMode, spilled);
}

/** Makes the run that reads its inputs several times. */
async function runTwice(
  prepared: PreparedRun<LineOptions>,
  shadow: Shadow | null,
  keys: RunKeys,
): Promise<Run> {
  const { ReadingsRun } = await import("./twice/readings-run.ts");
  const readTwice = (): Run => new ReadingsRun(prepared, shadow, keys);
  const lines = prepared.spill === null ? null : plainLines(prepared);
  if (lines === null) return readTwice();
  const { SpilledLinesRun } = await import("./twice/lines-run.ts");
  return new SpilledLinesRun(prepared, keys, lines, readTwice);
}

/** Returns the inputs of a run whose lines are only copied in a second reading. Otherwise null. */
function plainLines({ options, job, facts, setup }: PreparedRun<LineOptions>) {
  const { module } = setup;
  const isPlain = passesInBulk(job, true) && options.errors === undefined;
  if (!isPlain || module === null || readsTwice(options) || leavesOut(options)) return null;
  const inputs = plainInputs(options, true, facts.engine);
  return "files" in inputs && inputs.places === null ? { files: inputs.files, module } : null;
}

/** Opens the list of `--shadow`, or returns null if no rules are tried in shadow. */
async function openShadow({
  options: { normalizer, base, shadow },
  normalizer: plain,
}: PreparedRun<LineOptions>): Promise<Shadow | null> {
  return shadow === undefined ? null : Shadow.open(normalizer, plain, base, shadow);
}
