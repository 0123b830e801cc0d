import { crawleeOptions } from "../crawlee/key-options.ts";
import {
  type ArchiveFormat,
  type FormatName,
  hasColumnNames,
  INPUT_FORMATS,
  isArchive,
  type UrlField,
  urlField,
} from "../formats/index.ts";
import type { NormalizerOptions } from "../options/catalog.generated.ts";

import { CommandFailure } from "../runs/failure.ts";
import type { Emit, Form } from "../runs/job.ts";
import { type CommandOptions, MAX_THREADS } from "../runs/options.ts";
import { isParquetFile } from "../runs/parquet/detect.ts";
import type { FingerprintBits } from "../seen/memory/table.ts";
import { DEDUPE, FORMS, NORMALIZE } from "./flags/filter-commands.ts";
import { choose, parseFlags, type Values, wholeNumber } from "./flags/parse-flags.ts";
import { normalizerOptions, optionFiles } from "./normalizer-options.ts";

const COMMANDS = { normalize: NORMALIZE, dedupe: DEDUPE } as const;

/** Reads the arguments after a filter's name; throws a CommandFailure that names the wrong one. */
export function readOptions(command: "normalize" | "dedupe", args: string[]): CommandOptions {
  const { values, positionals } = parseFlags(COMMANDS[command], args);
  const isParquet = values["format"] === undefined && isParquetFile(positionals[0]);
  const input = isParquet ? "parquet" : choose("format", values, [...INPUT_FORMATS, "parquet"]);
  const archive = input !== "parquet" && isArchive(input) ? input : null;
  const format = archive === null ? (input as FormatName | "parquet") : "lines";
  const isNormalize = command === "normalize";
  const emit = isNormalize
    ? choose("emit", values, ["normalized", "both"])
    : choose("emit", values, ["original", "normalized", "both"]);
  const form = formOf(values);
  if (format === "sitemap" && emit === "both") {
    throw new CommandFailure("--emit both has no place for a key in a sitemap", 2);
  }
  return {
    files: positionals.length === 0 ? ["-"] : positionals,
    normalizer: optionsFor(form, normalizerOptions(values as Record<string, string[]>)),
    optionFiles: optionFiles(values as Record<string, string[]>),
    base: values["base"] as string | undefined,
    onError: choose("on-error", values, ["keep", "empty", "fail"]),
    errors: values["errors"] as string | undefined,
    format,
    archive,
    field: fieldOf(input, values),
    emit,
    form,
    out: outputOf(values),
    map: values["map"] as string | undefined,
    shadow: shadowOf(values, format, emit, form),
    seen: values["seen"] as string | undefined,
    bits:
      values["bits"] === undefined
        ? undefined
        : (Number(choose("bits", values, ["128", "64"])) as FingerprintBits),
    threads: wholeNumber("threads", values, undefined, MAX_THREADS),
    flush: flushOf(values, format),
    stats: values["stats"] === true,
    report: values["report"] as string | undefined,
    progress: values["progress"] as boolean | undefined,
    help: values["help"] === true,
  };
}

/** Returns how keys are written. */
function formOf(values: Values): Form {
  const form = choose("form", values, FORMS);
  if (values["unicode-hosts"] !== true) return form;
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

/** Returns the file to write. Throws for a form of URLs, which `--output` named before. */
function outputOf(values: Values): string | undefined {
  const file = values["output"] as string | undefined;
  if (!FORMS.some((form) => form === file)) return file;
  throw new CommandFailure(
    `--output names the file to write; write --form ${file} (or --output ./${file} for a file of that name)`,
    2,
  );
}

/** Returns the value of `--flush`. Throws for compressed output and for Parquet, which hold lines back. */
function flushOf(values: Values, format: string): boolean {
  if (values["flush"] !== true) return false;
  if (format === "parquet") {
    throw new CommandFailure("--flush is for lines: Parquet is written row group by row group", 2);
  }
  const out = values["output"] as string | undefined;
  if (out?.endsWith(".gz") === true || out?.endsWith(".zst") === true) {
    throw new CommandFailure(
      `--flush has no effect on ${out}, because a compressor holds lines back; write another file`,
      2,
    );
  }
  return true;
}

/** Returns the file of `--shadow`. Throws unless rules are tried on the original lines. */
function shadowOf(values: Values, format: string, emit: Emit, form: Form): string | undefined {
  const shadow = values["shadow"] as string | undefined;
  if (shadow === undefined) return undefined;
  if (values["rules"] === undefined && values["page-aliases"] === undefined) {
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
function fieldOf(format: FormatName | ArchiveFormat | "parquet", values: Values): UrlField {
  const field = values["field"] as string | undefined;
  const header = values["header"] as boolean | undefined;
  if (format === "parquet") {
    if (header !== undefined) {
      throw new CommandFailure("--header is for tsv, csv: parquet names its columns itself", 2);
    }
    return { field: { name: field ?? "url", isNeeded: true }, hasHeader: false };
  }
  const isFirst = hasColumnNames(format) && field === undefined && header !== true;
  return urlField(format, { field: isFirst ? "1" : field, header });
}
