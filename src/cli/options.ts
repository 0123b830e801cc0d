import { crawleeOptions } from "../crawlee/key-options.ts";
import {
  type ArchiveFormat,
  type FormatName,
  hasColumnNames,
  isArchive,
  type UrlField,
  urlField,
} from "../formats/index.ts";
import type { NormalizerOptions } from "../options/catalog.generated.ts";

import { CommandFailure } from "../runs/failure.ts";
import { readFlags, textsOf, type Values } from "../runs/flags/flag.ts";
import type { Emit, Form } from "../runs/job.ts";
import { type CommandOptions, FILTER_FLAGS, type FilterFlags } from "../runs/options.ts";
import { isParquetFile } from "../runs/parquet/detect.ts";
import { HELP_FLAG } from "./flags/command.ts";
import { DEDUPE, DEDUPE_EMIT, NORMALIZE, NORMALIZE_EMIT } from "./flags/filter-commands.ts";
import { PAGE_ALIASES_FLAG, RULES_FLAG } from "./flags/option-flags.ts";
import { parseFlags } from "./flags/parse-flags.ts";
import { normalizerOptions, optionFiles } from "./normalizer-options.ts";

const COMMANDS = {
  normalize: { command: NORMALIZE, emitFlag: NORMALIZE_EMIT },
  dedupe: { command: DEDUPE, emitFlag: DEDUPE_EMIT },
} as const;

/** The bits of a key, by the texts of `--bits`. */
const BITS = { 128: 128, 64: 64 } as const;

/** Reads the arguments after a filter's name; throws a CommandFailure that names the wrong one. */
export function readOptions(name: "normalize" | "dedupe", args: string[]): CommandOptions {
  const { command, emitFlag } = COMMANDS[name];
  const { values, positionals } = parseFlags(command, args);
  const flags = readFlags(FILTER_FLAGS, values);
  const input = flags.format ?? (isParquetFile(positionals[0]) ? "parquet" : "lines");
  const archive = input !== "parquet" && isArchive(input) ? input : null;
  const format = archive === null ? (input as FormatName | "parquet") : "lines";
  const emit = emitFlag.read(values);
  const form = formOf(flags);
  if (format === "sitemap" && emit === "both") {
    throw new CommandFailure("--emit both has no place for a key in a sitemap", 2);
  }
  return {
    ...flags,
    files: positionals.length === 0 ? ["-"] : positionals,
    normalizer: optionsFor(form, normalizerOptions(values)),
    optionFiles: optionFiles(values),
    format,
    archive,
    field: fieldOf(input, flags),
    emit,
    form,
    out: flags.output,
    shadow: shadowOf(flags, values, format, emit),
    bits: flags.bits === undefined ? undefined : BITS[flags.bits],
    flush: flushOf(flags, format),
    help: HELP_FLAG.read(values),
  };
}

/** Returns how keys are written. */
function formOf({ form, unicodeHosts }: FilterFlags): Form {
  if (!unicodeHosts) return form;
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
    throw new CommandFailure("--shadow works with --format lines and --emit original", 2);
  }
  if (form === "crawlee") {
    throw new CommandFailure("--shadow and --form crawlee contradict each other", 2);
  }
  return shadow;
}

/** Uses the first column for the URL of a table, if no column is given. */
function fieldOf(
  format: FormatName | ArchiveFormat | "parquet",
  { field, header }: FilterFlags,
): UrlField {
  if (format === "parquet") {
    if (header !== undefined) {
      throw new CommandFailure("--header is for tsv, csv: parquet names its columns itself", 2);
    }
    return { field: { name: field ?? "url", isNeeded: true }, hasHeader: false };
  }
  const isFirst = hasColumnNames(format) && field === undefined && header !== true;
  return urlField(format, { field: isFirst ? "1" : field, header });
}
