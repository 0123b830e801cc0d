import { firstLine, firstRecords, type Head, isTable } from "../../formats/head/head.ts";
import { isArchive, type UrlField, urlField } from "../../formats/index.ts";
import type { InputPeek } from "../../io/input-peek.ts";
import { shownInput } from "../../io/io-error.ts";
import { CommandFailure } from "../../runs/base/failure.ts";
import type { ExcludedList, FilterFlags } from "../../runs/call/options.ts";
import { isParquetFile } from "../../runs/parquet/detect.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { guessField } from "./guess-field.ts";
import {
  excelDelimiter,
  formatByName,
  guessFormat,
  type InputFormat,
  isJsonArray,
  isTextArray,
  lineBeforeRows,
  linesOfArray,
  semicolonOf,
} from "./guess-format.ts";

type Given = Pick<
  FilterFlags,
  "field" | "header" | "delimiter" | "escapeChar" | "base" | "seen" | "flush"
> & {
  readonly format: InputFormat | undefined;
};

/** Says how the inputs of a run are read. */
export interface GuessedInput {
  readonly format: InputFormat;
  readonly field: UrlField;
  /** Says whether the format or the field was not given. */
  readonly isGuessed: boolean;
  /** Says that the list is a JSON array, which is read as JSON lines, or as lines if its elements are texts. */
  readonly isArray?: true | undefined;
  /** The first line of the list, if it is for Excel. */
  readonly excelLine?: string;
}

/**
 * Returns the format of the inputs and the field of their URLs. What a call does not give is taken from the files' names,
 * or else from the beginning of the first input that is not empty. Throws a CommandFailure if it is not clear.
 */
export async function guessInput(
  files: readonly string[],
  given: Given,
  peek: InputPeek,
): Promise<GuessedInput> {
  const { delimiter, escapeChar } = given;
  const dialect = dialectOf(delimiter, escapeChar);
  const flags = Object.entries({ delimiter, escape: escapeChar });
  const [flag] = flags.find(([, value]) => value !== undefined) ?? [];
  const told = given.format ?? (flag === undefined ? formatByNames(files) : "csv");
  if (flag !== undefined && told !== "csv") {
    throw new CommandFailure(`--${flag} is for csv: the fields of ${told} have theirs`, 2);
  }
  if (delimiter !== undefined && delimiter === escapeChar) {
    throw new CommandFailure("--delimiter and --escape are one character", 2);
  }
  const mayHaveExcelLine = told === "csv" && delimiter === undefined;
  if (told !== null && !hasOpenField(told, given) && !mayHaveExcelLine) {
    const field = { ...urlField(told, given), ...dialect, base: given.base };
    return { format: told, field, isGuessed: given.format === undefined };
  }
  const guess = await untilInterrupted(() => guessByHead(files, told, given, peek));
  if (given.format === undefined) checkNames(files, guess.format);
  return guess;
}

/** Returns the dialect of a table. The default is written in one way: a run that spells it out is the same run. */
function dialectOf(delimiter: string | undefined, escapeChar: string | undefined) {
  return { delimiter: delimiter === "," ? undefined : delimiter, escapeChar };
}

/** Returns whether the field of the URL is to be found in the input. */
function hasOpenField(format: InputFormat, { field }: Given): boolean {
  return field === undefined && (isTable(format) || format === "jsonl");
}

async function guessByHead(
  files: readonly string[],
  told: InputFormat | null,
  given: Given,
  peek: InputPeek,
): Promise<GuessedInput> {
  for (const [at, file] of files.entries()) {
    const answer = (head: Head) => {
      if (isEmpty(head) && at + 1 < files.length) return "empty";
      const format = told ?? guessFormat(head, file, given.flush);
      return format && describe(head, format, given);
    };
    const guess = await peek.ask(file, given.flush, (bytes, isWhole, isLast) =>
      answer(headOf(bytes.toString("latin1"), isWhole, isLast, given)),
    );
    if (guess !== "empty") return guess;
  }
  throw new Error("unreachable: the last input answers");
}

/** Returns the beginning of a list. With --flush its first line decides, because the next one may wait for the answer. */
function headOf(text: string, isWhole: boolean, isLast: boolean, { flush }: Given): Head {
  const hasLine = firstLine({ text, isWhole, isLast }) !== null;
  return { text, isWhole, isLast: isLast || (flush && hasLine) };
}

/** Returns how a list of a format is read, or null if more of it must be read. */
function describe(head: Head, format: InputFormat, given: Given): GuessedInput | null {
  if (given.format === undefined && format === "jsonl" && isJsonArray(head)) {
    const found = describe(linesOfArray(head), format, given);
    return found && { ...found, isArray: true };
  }
  if (given.format === undefined && format === "lines" && isTextArray(head)) {
    return { format, field: urlField(format, given), isGuessed: true, isArray: true };
  }
  const isOpen = hasOpenField(format, given);
  const { header, escapeChar } = given;
  const isCsv = format === "csv" && given.delimiter === undefined;
  const forExcel = isCsv ? excelDelimiter(head) : null;
  const hasName = isCsv && (isOpen || urlField(format, given).field.column === undefined);
  const found = forExcel ?? (hasName ? semicolonOf(head, isOpen ? undefined : given.field) : null);
  if (found === "open") return null;
  const dialect = dialectOf(found ?? given.delimiter, escapeChar);
  const wishes = { header, onlyByName: onlyByName(given), ...dialect };
  const field = isOpen ? guessField(head, format, wishes) : given;
  if (field === null) return null;
  const url = { ...urlField(format, field), ...dialect };
  const isGuessed = isOpen || given.format === undefined || forExcel !== null;
  if (forExcel === null) return { format, field: url, isGuessed };
  if (!url.hasHeader) throw lineBeforeRows(forExcel);
  return {
    format,
    field: url,
    isGuessed,
    excelLine: `sep=${forExcel === "\t" ? "<TAB>" : forExcel}`,
  };
}

/** Returns the flag for which only a column with the name `url` is taken, or null. */
function onlyByName({ base, seen, flush }: Given): string | null {
  if (seen !== undefined) return "--seen";
  if (base !== undefined) return "--base";
  return flush ? "--flush" : null;
}

function isEmpty(head: Head): boolean {
  return head.isWhole && firstRecords(head, 1).length === 0;
}

/** Returns the format that the first file's name tells, or null. Throws if another name tells another one. */
function formatByNames(files: readonly string[]): InputFormat | null {
  const format = formatByName(files[0] as string);
  if (format !== null) checkNames(files, format);
  return format;
}

/** Throws if the name of a file tells another format. */
function checkNames(files: readonly string[], format: InputFormat): void {
  for (const file of files) {
    const other = formatByName(file) ?? format;
    if (other !== format) {
      const [first = "-"] = files;
      throw new CommandFailure(
        `${shownInput(first)} is ${format}, and ${shownInput(file)} is ${other}: give --format, or one at a time`,
        2,
      );
    }
  }
}

type Input = Omit<GuessedInput, "format"> & { readonly format: GuessedInput["format"] | "parquet" };

/**
 * Returns how the files of `--exclude` are read: one of the inputs' format as these are, any other one as if it was the only
 * input. With `--format` all have that format. Throws a CommandFailure if it is not clear, and an IoError.
 */
export async function excludedLists(
  { exclude, format }: FilterFlags,
  input: Input,
  peek: InputPeek,
): Promise<ExcludedList[]> {
  const lists: ExcludedList[] = [];
  for (const file of exclude) {
    const isAlike = format !== undefined || formatOfFile(file) === input.format;
    lists.push(listOf(file, isAlike ? input : await guessed(file, input, peek)));
  }
  return lists;
}

function formatOfFile(file: string): Input["format"] | null {
  return isParquetFile(file) ? "parquet" : formatByName(file);
}

async function guessed(file: string, input: Input, peek: InputPeek): Promise<Input> {
  const nothing = { format: undefined, field: undefined, header: undefined };
  const dialect = { delimiter: undefined, escapeChar: undefined };
  const given = { ...nothing, ...dialect, base: undefined, seen: undefined, flush: false };
  const guess = await guessInput([file], given, peek);
  return guess.format === input.format ? { ...input, isArray: guess.isArray } : guess;
}

function listOf(file: string, { format, field, isArray }: Input): ExcludedList {
  if (format === "parquet") return { file, format, field, archive: null };
  return isArchive(format)
    ? { file, format: "lines", field, archive: format }
    : { file, format, field, archive: null, isArray };
}
