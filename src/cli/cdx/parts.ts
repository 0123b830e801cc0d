import { counted } from "../../base/counted.ts";
import { writeWholeBytes, writeWholeFiles } from "../../io/files/whole-file.ts";
import { say } from "../../io/say.ts";
import { toSurt } from "../../normalizer/surt.ts";
import { fromSetup, prepare } from "../../normalizers.ts";
import { planOfForm } from "../../plan/form.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import { checkFiles } from "../../runs/base/files.ts";
import type { Values, ValuesOf } from "../../runs/call/flags/flag.ts";
import { fileInputs } from "../../runs/cdx/line-input.ts";
import { MergedFiles } from "../../runs/cdx/merged-files.ts";
import { Rekeying } from "../../runs/cdx/rekeyed-input.ts";
import type { NewKeys } from "../../runs/cdx/rekeyed-lines.ts";
import { SortedLines } from "../../runs/cdx/sorted-lines.ts";
import { ZipNum } from "../../runs/cdx/zip-num.ts";
import { sayUnappliedRules } from "../../runs/frame/unapplied.ts";
import { processMemory } from "../../threads/process-memory.ts";
import { normalizerOptions, optionFiles, withFileNames } from "../normalizer-options.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import type { CDX_FLAGS } from "./commands.ts";

export interface CdxArguments extends ValuesOf<typeof CDX_FLAGS> {
  readonly files: readonly string[];
  /** What the call gives for its flags, also for those of options. */
  readonly values: Values;
}

/** The most memory that lines take by default, and the least. */
const MOST = 2 ** 27;
const LEAST = 2 ** 20;
/** The most that WebAssembly of 32 bits can give to lines. */
const LIMIT = 2 ** 32 - 2 ** 26;

/** Returns the bytes that lines may take in memory. */
export function memoryOf({ memory }: Pick<CdxArguments, "memory">): number {
  if (memory !== undefined) return Math.min(LIMIT, memory);
  return Math.max(LEAST, Math.min(MOST, processMemory().free >>> 2));
}

/** Says how many lines were written, and how many of them are damaged. */
export function sayLines(
  what: string,
  { lines, damaged }: { readonly lines: number; readonly damaged: number },
): void {
  say(`${counted(lines, "line")} ${what}${damaged === 0 ? "" : `, ${damaged} of them damaged`}`);
}

/** Runs `urlmill cdx sort [FILE…]`. */
export async function runSort(args: CdxArguments): Promise<void> {
  const { output = "-", tmp, quiet } = args;
  const files = args.files.length === 0 ? ["-"] : args.files;
  await checkFiles(files, [output]);
  const memory = memoryOf(args);
  await untilInterrupted(async (signal) => {
    const sorted = new SortedLines({ memory, tmp, signal });
    try {
      await sorted.take(fileInputs(files));
      await writeWholeBytes(output, sorted.pieces());
      if (!quiet) sayLines("sorted", sorted);
    } finally {
      sorted.close();
    }
  });
}

/** Runs `urlmill cdx merge FILE…`. */
export async function runMerge(args: CdxArguments): Promise<void> {
  const { files, output = "-", quiet } = args;
  if (files.length === 0) {
    throw new CommandFailure("merge which files? see urlmill cdx merge --help", 2);
  }
  await checkFiles(files, [output]);
  const memory = memoryOf(args);
  await untilInterrupted(async (signal) => {
    const merged = new MergedFiles(fileInputs(files), { memory, signal });
    await writeWholeBytes(output, merged.pieces());
    if (!quiet) sayLines("merged", merged);
  });
}

/** Runs `urlmill cdx zipnum [FILE…] -o NAME`. */
export async function runZipnum(args: CdxArguments): Promise<void> {
  const { output, quiet } = args;
  if (output === undefined || output === "-") {
    throw new CommandFailure("-o NAME is missing; see urlmill cdx zipnum --help", 2);
  }
  const files = args.files.length === 0 ? ["-"] : args.files;
  const [members, index, locations] = [".gz", ".idx", ".loc"].map((end) => output + end) as [
    string,
    string,
    string,
  ];
  await checkFiles(files, [members, index, locations]);
  const memory = memoryOf(args);
  await untilInterrupted(async (signal) => {
    const merged = new MergedFiles(fileInputs(files), { memory, signal });
    const zipped = new ZipNum(members);
    await writeWholeFiles([
      { out: members, pieces: zipped.members(merged.records(), () => merged.headerLine) },
      { out: index, pieces: zipped.index() },
      { out: locations, pieces: zipped.locations() },
    ]);
    if (quiet) return;
    say(
      `${members}: ${counted(merged.lines, "line")} in ${counted(zipped.count, "member")}; ${index} has their keys`,
    );
  });
}

/** Runs `urlmill cdx rekey [FILE…]`. */
export async function runRekey(args: CdxArguments): Promise<void> {
  const { output = "-", tmp, quiet } = args;
  const files = args.files.length === 0 ? ["-"] : args.files;
  await checkFiles([...files, ...optionFiles(args.values)], [output]);
  const keys = await withFileNames(args.values, () => newKeys(args));
  const memory = memoryOf(args);
  await untilInterrupted(async (signal) => {
    const rekeying = new Rekeying(keys);
    const sorted = new SortedLines({ memory, tmp, signal });
    try {
      await sorted.take(fileInputs(files).map((input) => rekeying.input(input)));
      rekeying.sayRest();
      await writeWholeBytes(output, sorted.pieces());
    } finally {
      sorted.close();
    }
    if (quiet) return;
    const kept = rekeying.kept === 0 ? "" : `, ${rekeying.kept} of them with the key as it was`;
    say(`${counted(sorted.lines, "line")} keyed and sorted${kept}`);
  });
}

/** Returns how keys are made. Throws `BAD_OPTION` for options that are not known. */
function newKeys({ form, values }: CdxArguments): NewKeys {
  const options = normalizerOptions(values);
  const { normalizer, setup } = prepare(options);
  sayUnappliedRules(options);
  if (form === "url") return { normalizer, write: null };
  if (form === "surt") return { normalizer, write: toSurt };
  return {
    normalizer: fromSetup({ ...setup, plan: planOfForm(setup.plan, form) }),
    write: null,
  };
}
