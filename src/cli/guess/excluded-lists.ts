import { isArchive } from "../../formats/index.ts";
import type { Heads } from "../../io/heads.ts";
import type { ExcludedList, FilterFlags } from "../../runs/call/options.ts";
import { isParquetFile } from "../../runs/parquet/detect.ts";
import { formatByName } from "./guess-format.ts";
import { type GuessedInput, guessInput } from "./guess-input.ts";

type Input = Omit<GuessedInput, "format"> & { readonly format: GuessedInput["format"] | "parquet" };

/**
 * Returns how the files of `--exclude` are read: one of the inputs' format as these are, any other one as if it was the only
 * input. With `--format` all have that format. Throws a CommandFailure if it is not clear, and an IoError.
 */
export async function excludedLists(
  { exclude, format }: FilterFlags,
  input: Input,
  heads: Heads,
): Promise<ExcludedList[]> {
  const lists: ExcludedList[] = [];
  for (const file of exclude) {
    const isAlike = format !== undefined || formatOfFile(file) === input.format;
    lists.push(listOf(file, isAlike ? input : await guessed(file, input, heads)));
  }
  return lists;
}

function formatOfFile(file: string): Input["format"] | null {
  return isParquetFile(file) ? "parquet" : formatByName(file);
}

async function guessed(file: string, input: Input, heads: Heads): Promise<Input> {
  const nothing = { format: undefined, field: undefined, header: undefined, delimiter: undefined };
  const given = { ...nothing, base: undefined, seen: undefined, flush: false };
  const guess = await guessInput([file], given, heads);
  return guess.format === input.format ? input : guess;
}

function listOf(file: string, { format, field }: Input): ExcludedList {
  if (format === "parquet") return { file, format, field, archive: null };
  return isArchive(format)
    ? { file, format: "lines", field, archive: format }
    : { file, format, field, archive: null };
}
