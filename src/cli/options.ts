import { existsSync, statSync } from "node:fs";
import { crawleeOptions } from "../crawlee/key-options.ts";
import { isTable } from "../formats/head/head.ts";
import { isArchive, type UrlField, urlField } from "../formats/index.ts";
import type { InputPeek } from "../io/input-peek.ts";
import type { NormalizerOptions } from "../options/catalog.generated.ts";
import { FORM, type RowForm } from "../plan/form.ts";
import { CommandFailure } from "../runs/base/failure.ts";
import { expanded, filesBelow } from "../runs/base/files.ts";
import { readFlags, textsOf, type Values } from "../runs/call/flags/flag.ts";
import type { Emit, Form } from "../runs/call/job.ts";
import { type CommandOptions, FILTER_FLAGS, type FilterFlags } from "../runs/call/options.ts";
import { whyInMemory } from "../runs/frame/spill.ts";
import { isParquetFile } from "../runs/parquet/detect.ts";
import { DEDUPE_EMIT, NORMALIZE_EMIT } from "./flags/filter-commands.ts";
import { PAGE_ALIASES_FLAG, RULES_FLAG } from "./flags/option-flags.ts";
import type { ParsedFlags } from "./flags/parse-flags.ts";
import { formatByName } from "./guess/guess-format.ts";
import { excludedLists, type GuessedInput, guessInput } from "./guess/guess-input.ts";
import { byOf, keepOf } from "./keep-options.ts";
import { normalizerOptions, optionFiles } from "./normalizer-options.ts";
import { firstExcluded, keyOfSet, optionsOfSet } from "./options-of-set.ts";

const EMIT_FLAGS = { normalize: NORMALIZE_EMIT, dedupe: DEDUPE_EMIT } as const;

/** The bits of a key, by the texts of `--bits`. */
const BITS = { 128: 128, 64: 64 } as const;

/**
 * Reads the arguments after a filter's name, and the beginning of an input if they do not say how it is read. Throws a
 * CommandFailure that names the wrong argument, and an IoError.
 */
export async function readOptions(
  name: "normalize" | "dedupe",
  { values, positionals }: ParsedFlags,
  peek: InputPeek,
): Promise<CommandOptions> {
  const flags = readFlags(FILTER_FLAGS, values);
  const files = await inputFiles(positionals, flags.recursive);
  if (flags.seen === "") throw new CommandFailure("--seen has no folder: its value is empty", 2);
  const form = formOf(flags);
  const given = optionsFor(form, normalizerOptions(values));
  const keyOf = await keyOfSet(flags);
  const excludedSets = flags.exclude.filter(isFolder);
  const excludedFiles = flags.exclude.filter((file) => !excludedSets.includes(file));
  const excluded = await firstExcluded(excludedSets, flags);
  const hasSet = (flags.seen ?? excluded) !== undefined;
  const isOfSet = hasSet && form !== "crawlee" && !isRowForm(flags.form);
  const normalizer = isOfSet ? await optionsOfSet(given, flags.seen, keyOf ?? excluded) : given;
  const input = await inputOf(files, flags, peek);
  const archive = isArchive(input.format) ? input.format : null;
  const format = isArchive(input.format) ? "lines" : input.format;
  checkAppend(flags, format);
  checkOutputName(flags.output ?? flags.append, format);
  if (flags.tmp !== undefined && !isFolder(flags.tmp)) {
    throw new CommandFailure(`--tmp ${flags.tmp}: there is no such folder`, 2);
  }
  const emit = emitOf(EMIT_FLAGS[name].read(values), format, flags);
  // These are in other options, in the form that tells two runs apart.
  const { recursive, delimiter, escapeChar, zero, header, output, unicodeHosts, ...others } = flags;
  return withMemoryChecked({
    ...others,
    ...input,
    files,
    normalizer,
    optionFiles: optionFiles(values),
    format,
    archive,
    keep: keepOf(flags, { ...input, emit }),
    by: byOf(flags, input),
    keyOf,
    exclude: await excludedLists({ ...flags, exclude: excludedFiles }, input, peek),
    excludedSets,
    excludedKey: excluded?.identity.key,
    emit,
    form,
    rowForm: isRowForm(flags.form) ? flags.form : "url",
    out: output,
    outputHead: null,
    shadow: shadowOf(flags, values, format, emit),
    bits: flags.bits === undefined ? undefined : BITS[flags.bits],
    flush: flushOf(flags, format),
    peek,
  });
}

/** Returns what is written of records. Throws a CommandFailure where the format has no place for it. */
function emitOf(emit: Emit, format: string, { count, append }: FilterFlags): Emit {
  if (format === "sitemap" && emit === "both") {
    throw new CommandFailure("--emit both has no place for a key in a sitemap", 2);
  }
  if (emit !== "url" && emit !== "normalized-url") return emit;
  // Lines pass in bulk so.
  if (format === "lines" && emit === "normalized-url") return "normalized";
  if (count || append !== undefined) {
    throw new CommandFailure(
      `--emit ${emit} writes lines without their records, which have no place for --count and --append; take the lines first: urlmill normalize --emit url … | urlmill dedupe -c`,
      2,
    );
  }
  return emit;
}

/** Returns options as they are. Throws if `--memory` is given to a run whose keys must be in memory. */
function withMemoryChecked(options: CommandOptions): CommandOptions {
  const reason = options.memory === undefined ? null : whyInMemory(options);
  if (reason === null) return options;
  throw new CommandFailure(`--memory puts keys in a temporary file, and ${reason}`, 2);
}

/** Returns the files to read, with those in folders if `recursive` is given. */
async function inputFiles(operands: readonly string[], recursive: boolean): Promise<string[]> {
  if (operands.length === 0) return ["-"];
  const named = (await Promise.all(operands.map((name) => expanded(name)))).flat();
  if (!recursive) {
    const folder = named.find(isFolder);
    if (folder === undefined) return named;
    throw new CommandFailure(`cannot read ${folder}: it is a folder; -r reads the files in it`, 1);
  }
  const files = (await Promise.all(named.map(filesBelow))).flat();
  if (files.length === 0) throw new CommandFailure("the folders have no files", 2);
  return files;
}

type Input = Omit<GuessedInput, "format"> & { readonly format: GuessedInput["format"] | "parquet" };

function isFolder(name: string): boolean {
  try {
    return name !== "-" && statSync(name).isDirectory();
  } catch {
    return false; // opening it reports the same error
  }
}

/** Says how the inputs are read. */
async function inputOf(
  files: readonly string[],
  flags: FilterFlags,
  peek: InputPeek,
): Promise<Input> {
  if (flags.zero) return linesToNul(flags);
  const { format = isParquetFile(files[0]) ? "parquet" : undefined } = flags;
  if (format !== "parquet") return guessInput(files, { ...flags, format }, peek);
  const field = await parquetField(files, flags);
  return { format, field, isGuessed: flags.format === undefined || flags.field === undefined };
}

/** Throws if a file cannot be written after what it has. */
function checkAppend({ append: file, output }: FilterFlags, format: string): void {
  if (file === undefined) return;
  if (output !== undefined) {
    throw new CommandFailure("--output and --append contradict each other: give one", 2);
  }
  const isCompressed = file.endsWith(".gz") || file.endsWith(".zst");
  if (isCompressed || format === "parquet" || file === "-") {
    throw new CommandFailure(
      `--append ${file} writes lines after those of a file, not to standard output, a compressed file or Parquet: write --output FILE`,
      2,
    );
  }
  if (existsSync(file) && !statSync(file).isFile()) {
    throw new CommandFailure(`--append ${file} is not a file: write --output ${file}`, 2);
  }
}

/** Throws if the name of the output tells another format of records: no format is converted. */
function checkOutputName(out: string | undefined, format: string): void {
  if (out === undefined) return;
  const told = out.endsWith(".parquet") ? "parquet" : formatByName(out);
  const isLines = format === "lines" || format === "lines0";
  if (told === null || told === format || (isLines && told !== "parquet")) return;
  if (isTable(told) && isTable(format)) return; // a table with tabs may be called .csv
  throw new CommandFailure(
    `the name of ${out} tells ${told}, and the records stay ${isLines ? "lines" : format}: give it another name`,
    2,
  );
}

/** Returns whether the normalizer makes a form. */
function isRowForm(form: FilterFlags["form"]): form is Exclude<RowForm, "url"> {
  return form !== "url" && form in FORM;
}

/** Returns how normalized URLs are written. */
function formOf(flags: FilterFlags): Form {
  const { form, unicodeHosts, block, allow, skipNoindex, skipExhausted } = flags;
  if (isRowForm(form) && (skipNoindex || skipExhausted || block.length + allow.length > 0)) {
    throw new CommandFailure(
      `--block, --allow, --skip-noindex and --skip-exhausted compare URLs, and --form ${form} writes something else`,
      2,
    );
  }
  if (!unicodeHosts) return isRowForm(form) ? "url" : form;
  if (form === "url") return "unicode";
  throw new CommandFailure(`--form ${form} and --unicode-hosts contradict each other`, 2);
}

/** Returns the options of the URLs that keys are made from. */
function optionsFor(form: Form, options: NormalizerOptions): NormalizerOptions {
  if (form !== "crawlee") return options;
  if (options.preset === undefined) return crawleeOptions(options);
  throw new CommandFailure(
    "--form crawlee takes no preset: it has the options of Crawlee's keys, and single options can be added",
    2,
  );
}

/** Returns the value of `--flush`. Throws for compressed output and for Parquet, which hold lines back. */
function flushOf({ flush, output: out }: FilterFlags, format: string): boolean {
  if (!flush) return false;
  if (format === "parquet") {
    throw new CommandFailure("--flush is for lines: Parquet is written row group by row group", 2);
  }
  if (out?.endsWith(".gz") === true || out?.endsWith(".zst") === true) {
    throw new CommandFailure(
      `--flush has no effect on ${out}, because a compressor holds lines back; write another file`,
      2,
    );
  }
  return true;
}

/** Returns the file of `--shadow`. Throws unless rules are tried on the original lines. */
function shadowOf(
  { shadow, form }: FilterFlags,
  values: Values,
  format: string,
  emit: Emit,
): string | undefined {
  if (shadow === undefined) return undefined;
  if ([RULES_FLAG, PAGE_ALIASES_FLAG].every((flag) => textsOf(flag, values).length === 0)) {
    throw new CommandFailure(
      "--shadow tries rules or aliases: add --rules FILE or --page-aliases FILE",
      2,
    );
  }
  if (format !== "lines" || emit !== "original") {
    throw new CommandFailure(
      "--shadow reads lines (--format lines --emit original): give it a list of URLs, one per line",
      2,
    );
  }
  if (form === "crawlee" || isRowForm(form)) {
    throw new CommandFailure(`--shadow and --form ${form} contradict each other`, 2);
  }
  return shadow;
}

/** Returns how the input of -z is read. */
function linesToNul({
  format = "lines",
  field,
  header,
  delimiter,
  escapeChar,
}: FilterFlags): Input {
  if (format !== "lines") throw new CommandFailure(`-z is for lines, not for ${format}`, 2);
  if (delimiter !== undefined || escapeChar !== undefined)
    throw new CommandFailure("-z is for lines: they have no delimiter and no quotes", 2);
  return { format: "lines0", field: urlField("lines", { field, header }), isGuessed: false };
}

/** Returns the column of the URL in Parquet, by its path. With --seen, only the column `url` is taken unasked. */
async function parquetField(
  [file = "-"]: readonly string[],
  { field, header, seen }: FilterFlags,
): Promise<UrlField> {
  if (header === undefined) {
    const isOpen = field === undefined && seen === undefined && file !== "-";
    const name = isOpen
      ? await (await import("../runs/parquet/guess-column.ts")).guessColumn(file)
      : (field ?? "url");
    return { field: { name, isNeeded: true }, hasHeader: false };
  }
  throw new CommandFailure(
    "--header needs --format tsv or csv: parquet names its columns itself",
    2,
  );
}
