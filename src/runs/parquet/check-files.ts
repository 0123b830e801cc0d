import { isDeepStrictEqual } from "node:util";
import { standardStreams } from "../../io/standard.ts";
import { findValueLeaf } from "../../parquet/comparable.ts";
import { ParquetFile } from "../../parquet/input-file.ts";
import { findTextLeaf } from "../../parquet/leaf.ts";
import type { ParquetPeers } from "../../parquet/peers.ts";
import { CommandFailure } from "../base/failure.ts";
import { valueFieldOf } from "../base/keep.ts";
import { refuseNames } from "../call/added-columns.ts";
import { isAlone } from "../call/job.ts";
import type { CommandOptions } from "../call/options.ts";
import type { GroupSizes } from "../frame/run-memory.ts";

/** Throws if an option is not supported for Parquet. */
export function refuseWhatCannotBe(options: CommandOptions): void {
  const { files, exclude, emit, out = "-" } = options;
  const other = exclude.find(({ format }) => format !== "parquet");
  if (other !== undefined) {
    throw new CommandFailure(
      `--exclude ${other.file} is ${other.format}, and the input is Parquet: give its URLs as Parquet, too`,
      2,
    );
  }
  if (files.includes("-")) {
    throw new CommandFailure(
      "Parquet is read from its end, which standard input does not give: save it to a file and name that",
      2,
    );
  }
  if (isAlone(emit)) return;
  if (/\.(?:gz|zst)$/.test(out)) {
    throw new CommandFailure(
      `Parquet is compressed within, and nothing reads it as ${out}; name a file without .gz or .zst`,
      2,
    );
  }
  if (out === "-" && standardStreams().stdout.isTTY === true) {
    throw new CommandFailure("Parquet is not text for a terminal; name a file with -o", 2);
  }
}

/**
 * Throws if a file is unreadable or its columns differ from those of the first. Call it before any output is opened.
 * Returns the sizes of all row groups that have rows.
 */
export async function checkColumns(
  options: CommandOptions,
  peers: ParquetPeers,
): Promise<GroupSizes> {
  const { files, field, keep } = options;
  let first: ParquetFile | null = null;
  const value = valueFieldOf(keep);
  const sizes = { groups: 0, largest: 0, rows: 0 };
  for (const name of files) {
    const file = await ParquetFile.open(name, peers);
    await file.close();
    file.checkPlain();
    findTextLeaf(file.leaves, field.field.name, name);
    if (value !== null) findValueLeaf(file.leaves, value.field.name, name);
    const names = file.leaves.flatMap(({ path }) => path[1]?.element.name ?? []);
    refuseNames(options, name, names);
    first ??= file;
    if (!isDeepStrictEqual(file.raw.field_2, first.raw.field_2)) {
      throw new CommandFailure(
        `${name} and ${first.name} have other columns or types, and one output has one kind; run them one by one`,
        2,
      );
    }
    addSizes(sizes, file);
  }
  return sizes;
}

function addSizes(
  sizes: { -readonly [Name in keyof GroupSizes]: number },
  { raw }: ParquetFile,
): void {
  for (const { field_2: bytes, field_3: rows } of raw.field_4) {
    if (rows === 0n) continue;
    sizes.groups++;
    sizes.rows += Number(rows);
    sizes.largest = Math.max(sizes.largest, Number(bytes));
  }
}
