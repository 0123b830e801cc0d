import { UrlmillError } from "../base/errors.ts";
import { ClosedPipe } from "../io/output.ts";
import { say } from "../io/say.ts";
import type { Normalizer } from "../normalizer/normalizer.ts";
import type { ResolvedOptions } from "../options/options.ts";
import { type SeenRequest, seenRequest } from "../seen/request.ts";
import { checkFiles, filesIn, totalBytes } from "./files.ts";
import { Interrupt, type Remains } from "./interrupt.ts";
import { waysOut } from "./keys/key-forecast.ts";
import { keyForm } from "./keys/key-form.ts";
import { KeySet } from "./keys/key-set.ts";
import type { CommandOptions } from "./options.ts";
import { Progress } from "./progress.ts";
import type { Tally } from "./tally.ts";

/** Does the work of `normalize` or `dedupe` on inputs of one kind. */
export interface Run {
  readonly tally: Tally;
  /** Does all the work. Throws any error that ends the run early, including the reason of a stop. */
  all(): Promise<void>;
  /** Ends the run soon with `reason`. `close` is called afterwards. */
  stop(reason: Error): void;
  /** Closes all files, also after an error. */
  close(): Promise<void>;
  /** Describes the outputs after a stop. */
  readonly remains: Remains;
  /** Removes unfinished files. The process ends directly after it. */
  abandon(): void;
  /** Prints the messages for the end of the run. */
  report(): void;
}

/**
 * Returns the size of all inputs in bytes, or 0 if it is unknown. Throws if a run would write a file that it reads.
 */
export async function checkedBytes(options: CommandOptions): Promise<number> {
  const { files, optionFiles, out = "-", errors, map, report, shadow, seen } = options;
  const kept = seen === undefined ? [] : await filesIn(seen);
  await checkFiles([...files, ...optionFiles, ...kept], [out, errors, map, report, shadow]);
  return totalBytes(files);
}

/**
 * Makes a request for the set of a run's keys, which may take `maxBytes`. Keys of another text than the URL have a
 * `profileId` of their own.
 */
export function keyRequest(
  normalizer: Normalizer,
  resolved: ResolvedOptions,
  { bits, form }: Pick<CommandOptions, "bits" | "form">,
  maxBytes: number,
): SeenRequest {
  const request = seenRequest(normalizer, resolved, { bits, maxBytes });
  if (keyForm(form)?.isKey !== true) return request;
  const options = { ...request.options, output: form };
  return { ...request, profileId: `${request.profileId}-${form}`, options };
}

/** Opens the keys of a `dedupe` run, with those of earlier runs if they are kept. Prints the notices of the journal. */
export async function openKeys(request: SeenRequest, seen: string | undefined): Promise<KeySet> {
  const keys = await KeySet.open(request, seen);
  for (const notice of keys.notices) say(`${seen}: ${notice}`);
  return keys;
}

/**
 * Carries out a run and shows its progress, until its end or a signal. `total`: bytes of all inputs, or 0 if unknown.
 */
export async function carryOut(
  run: Run,
  { progress: wanted, out = "-", format, bits }: CommandOptions,
  total: number,
): Promise<void> {
  const progress = Progress.start(wanted, run.tally, {
    total,
    record: format === "parquet" ? "row" : "line",
    out,
  });
  const interrupt = Interrupt.listen(run);
  try {
    try {
      await run.all();
    } finally {
      progress?.stop();
      await run.close();
    }
  } catch (error) {
    if (error instanceof ClosedPipe) return;
    throw withWaysOut(interrupt.explain(error), bits);
  } finally {
    interrupt.end();
  }
  run.report();
}

/** Returns the error of a set that is full with what a user can do. Returns any other error as it is. */
function withWaysOut(error: unknown, bits: CommandOptions["bits"]): unknown {
  if (!(error instanceof UrlmillError) || error.code !== "SET_FULL") return error;
  return new UrlmillError(
    "SET_FULL",
    `${error.message}. What is written ends with a whole line. To go on, ${waysOut(bits)}`,
  );
}
