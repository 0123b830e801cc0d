import { hasFields } from "../../formats/index.ts";
import { InputStates } from "../../io/files/input-states.ts";
import type { Normalizer } from "../../normalizer/normalizer.ts";
import { fromSetup, type NormalizerSetup, type Prepared, prepare } from "../../normalizers.ts";
import type { ResolvedOptions } from "../../options/options.ts";
import { planOfForm, type RowForm } from "../../plan/form.ts";
import { checkIdentity, type SeenRequest, seenRequest } from "../../seen/contract/identity.ts";
import { CommandFailure } from "../base/failure.ts";
import { checkFiles, filesIn, totalBytes } from "../base/files.ts";
import type { Job } from "../call/job.ts";
import { keyForm } from "../call/key-form.ts";
import type { CommandOptions } from "../call/options.ts";
import { Tally } from "../call/tally.ts";
import type { FilterMemory } from "../filter/url-filter.ts";
import { openKeys, type RunKeys } from "../keys/run-keys.ts";
import { ReportCollector } from "../report/collector.ts";
import { limitTo, type RunMemory, shareForKeep } from "./run-memory.ts";
import { skipsFor } from "./skipped.ts";
import { type Spill, spillOf } from "./spill.ts";
import { sayUnappliedRules } from "./unapplied.ts";

/** Describes how a run reads and normalizes. */
export interface RunFacts {
  readonly format: string;
  /** Names the field of the URL, or is null if a record is its URL. */
  readonly field: string | null;
  readonly engine: "wasm" | "js";
  readonly threads: number;
  readonly preset: string;
  readonly profileId: string;
}

/** Holds what a run works with, whatever its inputs are and whichever mode it takes. */
export interface PreparedRun<Options extends CommandOptions = CommandOptions> {
  readonly options: Options;
  /** The size of all inputs in bytes, or 0 if it is unknown. */
  readonly total: number;
  /** What the inputs were before the run. */
  readonly states: InputStates;
  readonly normalizer: Normalizer;
  /** The parts to create the normalizer from on another thread. */
  readonly setup: NormalizerSetup;
  /** The limit of a URL, in bytes. */
  readonly maxLength: number;
  readonly memory: RunMemory;
  /** Null if the run does not dedupe. */
  readonly keys: RunKeys | null;
  /** Says what is known of keys that do not fit in memory; null if they are to fit. */
  readonly spill: Spill | null;
  /** The bytes that outputs have already from a run that this one goes on with, by their names. */
  readonly written: ReadonlyMap<string, number>;
  readonly job: Job<Options["format"]>;
  readonly facts: RunFacts;
  readonly tally: Tally;
  /** Null if no report was requested. */
  readonly collector: ReportCollector | null;
}

/** Describes what runs on inputs of one kind have of their own. */
export interface InputKind {
  /** Checks the inputs. Called before anything is written. */
  readonly check?: () => Promise<void>;
  /** Divides the memory of the process. `total`: the size of all inputs in bytes, or 0 if it is unknown. */
  readonly divideMemory: (engine: "wasm" | "js", total: number) => RunMemory;
  /** Returns the number of records, if the inputs say it. */
  readonly records?: () => number;
}

/** Prepares a run of `normalize` or `dedupe`. Throws if its options or inputs cannot be used. */
export async function prepareRun<Options extends CommandOptions>(
  options: Options,
  dedupes: boolean,
  { check, divideMemory, records }: InputKind,
): Promise<PreparedRun<Options>> {
  const states = new InputStates(options.files);
  const total = await checkedBytes(options);
  const { normalizer, resolved, setup } = prepareNormalizer(options);
  await check?.();
  // Before memory is divided, because it takes some.
  const filter = await openFilter(options, normalizer);
  const { engine } = normalizer;
  const divided = limitTo(options.memory, shareForKeep(options, divideMemory(engine, total)));
  const request = keyRequest(normalizer, resolved, options, divided.keyBytes);
  checkKeyOf(options, request);
  const keys = dedupes ? await openKeys(request, options) : null;
  await checkPlaces(options, keys);
  const memory = keys === null ? divided : { ...divided, keyBytes: keys.maxBytes };
  const spill =
    keys &&
    (await spillOf(options, keys, memory, records?.()).catch(async (error: unknown) => {
      await keys.close();
      throw error;
    }));
  return {
    options,
    total,
    states,
    normalizer,
    setup,
    maxLength: resolved.maxLength,
    memory,
    keys,
    spill,
    written: new Map(),
    job: jobOf(options, keys, filter),
    facts: {
      ...inputFacts(options),
      engine,
      threads: memory.threads,
      preset: presetOf(options),
      profileId: request.profileId,
    },
    tally: new Tally(filter !== null),
    collector: options.report === undefined ? null : new ReportCollector(),
  };
}

/** Names the preset of a run. */
function presetOf({ form, normalizer }: Pick<CommandOptions, "form" | "normalizer">): string {
  return form === "crawlee" ? "none: keys of Crawlee" : (normalizer.preset ?? "safe");
}

/** Says how the inputs are read, for people and for `--stats`. */
function inputFacts({
  archive,
  format,
  field,
}: CommandOptions): Pick<RunFacts, "format" | "field"> {
  const shown = archive ?? format;
  return { format: shown, field: hasFields(shown) ? field.field.name : null };
}

/**
 * Returns the size of all inputs in bytes, or 0 if it is unknown. Throws if a run would write a file that it reads.
 */
async function checkedBytes(options: CommandOptions): Promise<number> {
  const { files, optionFiles, exclude, excludedSets, block, allow, seen } = options;
  const { out = "-", errors, map, report, shadow } = options;
  const excluded = exclude.map(({ file }) => file);
  const sets = [...excludedSets, ...(seen === undefined ? [] : [seen])];
  const kept = (await Promise.all(sets.map(filesIn))).flat();
  await checkFiles(
    [...files, ...optionFiles, ...excluded, ...block, ...allow],
    [out, errors, map, report, shadow],
    kept,
  );
  return totalBytes(files);
}

/** Reads what to leave out; returns null if that is nothing. Most runs need no code for them. */
async function openFilter(
  options: CommandOptions,
  normalizer: Normalizer,
): Promise<FilterMemory | null> {
  const skips = skipsFor(options);
  if (options.block.length + options.allow.length + skips.size === 0) return null;
  const { readLists } = await import("../filter/read-lists.ts");
  return readLists({ ...options, skips }, normalizer);
}

/** Makes the normalizer of a run, without rules that are only tried in shadow. Throws if it cannot take the base. */
function prepareNormalizer({ normalizer: wanted, shadow, base, rowForm }: CommandOptions) {
  const { rules: _, pageAliases: __, accept: ___, ...withoutRules } = wanted;
  const made = prepare(shadow === undefined ? wanted : withoutRules);
  const prepared = rowForm === "url" ? made : preparedFor(rowForm, made);
  sayUnappliedRules(wanted);
  if (base !== undefined) prepared.normalizer.normalizeBatch([], { base });
  return prepared;
}

/** Returns a normalizer of the same options whose results have another form. */
function preparedFor(form: RowForm, { resolved, setup: made }: Prepared): Prepared {
  const setup = { ...made, plan: planOfForm(made.plan, form) };
  return { normalizer: fromSetup(setup), resolved, setup };
}

/**
 * Makes a request for the set of a run's keys, which may take `maxBytes`. Keys of another text than the URL have a
 * `profileId` of their own.
 */
function keyRequest(
  normalizer: Normalizer,
  resolved: ResolvedOptions,
  options: Pick<CommandOptions, "bits" | "by" | "form" | "rowForm" | "keyOf" | "excludedKey">,
  maxBytes: number,
): SeenRequest {
  const { bits, by, keyOf, excludedKey } = options;
  const key = keyOf?.identity.key ?? excludedKey;
  const wishes = { bits: bits ?? keyOf?.identity.bits, key, maxBytes };
  const request = ofForm(seenRequest(normalizer, resolved, wishes), options);
  if (by === null) return request;
  const compared = `url,${by.field.name}`;
  const profileId = `${request.profileId}-${compared}`;
  return { ...request, profileId, options: { ...request.options, by: compared } };
}

/** Returns a request for a set of keys that are written in a form. */
function ofForm(
  request: SeenRequest,
  { form, rowForm }: Pick<CommandOptions, "form" | "rowForm">,
): SeenRequest {
  if (rowForm !== "url") return { ...request, options: { ...request.options, output: rowForm } };
  if (keyForm(form)?.isKey !== true) return request;
  const options = { ...request.options, output: form };
  return { ...request, profileId: `${request.profileId}-${form}`, options };
}

/** Throws `SEEN_MISMATCH` if a run has other options than the set whose key it is to use. */
function checkKeyOf({ keyOf }: CommandOptions, request: SeenRequest): void {
  if (keyOf === undefined) return;
  checkIdentity(keyOf.identity, { ...request, bits: undefined }, keyOf.where);
}

/** Closes a set that has no room for several records of a key, and throws. */
async function checkPlaces({ perKey }: CommandOptions, keys: RunKeys | null): Promise<void> {
  if (perKey === 1 || keys?.identity.bits !== 64) return;
  await keys.close();
  throw new CommandFailure(
    "--per-key needs keys of 128 bits, and the set of --seen has 64: take another set",
    2,
  );
}

/** Describes what a run does with its records. */
function jobOf<Options extends CommandOptions>(
  { format, field, base, by, onError, emit, form, map, errors, stats, report }: Options,
  keys: RunKeys | null,
  filter: FilterMemory | null,
): Job<Options["format"]> {
  const isReported = report !== undefined;
  return {
    format,
    field,
    base,
    onError,
    emit,
    form,
    filter,
    fingerprintKey: keys?.identity.key ?? null,
    value: null,
    also: by,
    maps: keys !== null && (map !== undefined || isReported),
    lists: errors !== undefined || isReported,
    counts: stats || isReported,
    shows: isReported,
  };
}
