import { counted, noun } from "../../base/counted.ts";
import { megabytes } from "../../io/files/temporary-file.ts";
import { shownInput, shownOutput } from "../../io/io-error.ts";
import { Output } from "../../io/output.ts";
import { say, tell } from "../../io/say.ts";
import { isWatched } from "../../io/standard.ts";
import { visibleJson } from "../../io/text/visible.ts";
import { expectedFalseSeen } from "../../seen/contract/identity.ts";
import type { CommandOptions } from "../call/options.ts";
import type { Tally } from "../call/tally.ts";
import type { RunKeys } from "../keys/run-keys.ts";
import type { PreparedRun } from "./prepare.ts";

/** Writes the page of `--report`, if it was requested. */
export async function writeReport({
  options: { files, report = "-" },
  facts,
  keys,
  tally,
  collector,
}: PreparedRun): Promise<void> {
  if (collector === null) return;
  const { renderReport } = await import("../report/page.ts");
  const command = keys === null ? "normalize" : "dedupe";
  const page = renderReport({ command, files, ...facts }, tally, collector);
  const output = await Output.toFile(report);
  await output.write(Buffer.from(page));
  await output.finish();
}

/** Counts keys that are kept after the run or may collide. Reports them if no statistics are written. */
export function countKeys(
  { options: { stats, quiet }, tally }: PreparedRun,
  { store, sizeBefore, bits }: RunKeys,
  size: number,
): void {
  const expected = expectedFalseSeen(size, bits);
  tally.expectedFalseMerges = expected;
  if (store !== null) tally.keysBefore = sizeBefore;
  if (bits === 64 && !stats && !quiet) {
    const lost = expected === 0 ? "0" : expected.toPrecision(2);
    say(`keys of 64 bits: ${size}; lines that can be expected to be lost to chance: ${lost}`);
  }
}

/** Says how the inputs are read, to a person, if the call left that open. */
export function sayInput({
  options: { files, out = "-", isGuessed, quiet, excelLine },
  facts: { format, field },
}: PreparedRun): void {
  if (!isGuessed || quiet || format === "lines" || !isWatched(out)) return;
  const [first = "-"] = files;
  const place = field === null ? "" : `, the URL is in ${field}`;
  const how = excelLine === undefined ? "" : ` by its first line ${excelLine}`;
  say(
    `${shownInput(first)} is read as ${format}${how}${place} (--format and --field say otherwise)`,
  );
}

/**
 * Writes the counts of `--stats`; or says to a person what was done, and how many records have no URL. `named`: the name of
 * the output as the user wrote it.
 */
export function sayCounts(prepared: PreparedRun, record: "line" | "row", named: string): void {
  const {
    options: { stats, quiet, out = "-" },
    facts,
    tally,
  } = prepared;
  if (stats) {
    const { expectedFalseMerges, ...counts } = tally.toJSON();
    const chances = expectedFalseMerges === undefined ? {} : { expectedFalseMerges };
    tell(`${visibleJson({ ...counts, ...facts, ...chances })}\n`);
  } else if (!quiet) {
    sayErrors(prepared, record);
    sayBlocked(prepared, record);
    const isEmpty = writesNone(prepared);
    if (isEmpty || isWatched(out)) {
      say(
        `${isEmpty ? `no ${record} is written: ` : ""}${doneOf(prepared, record)}${named === "-" ? "" : ` → ${shownOutput(named)}`}`,
      );
    }
  }
}

/** Returns whether a run had input and wrote no record. Who reads the output next should not take that for an empty list. */
function writesNone({ options, total, keys, tally }: PreparedRun): boolean {
  const leftOut = keys === null ? 0 : leftOutOf(options, tally);
  return Math.max(total, tally.bytesIn) > 0 && tally.lines === leftOut;
}

/** Counts the records that `dedupe` does not write. */
function leftOutOf(
  { onError }: Pick<CommandOptions, "onError">,
  { duplicates, unrepeated, blocked, errors }: Tally,
): number {
  return duplicates + unrepeated + (onError === "keep" ? blocked : errors);
}

/** Returns a closing line such as `5,000,000 lines, 28,996 merged (1 %), 4,971,004 kept, preset crawl, 1.2 s`. */
export function doneOf(
  { options, facts, keys, tally }: PreparedRun,
  record: "line" | "row",
): string {
  const { blocked, seconds, duplicates } = tally;
  const { field, files, excelLine } = options;
  const errors = tally.errors - blocked;
  const headers =
    field.hasHeader && files.length < 2
      ? Math.min(excelLine === undefined ? 1 : 2, tally.lines)
      : 0;
  const records = tally.lines - headers;
  const parts = [`${withCommas(records)} ${noun(headers > 0 ? "row" : record, records)}`];
  if (duplicates > 0) {
    const share = (100 * duplicates) / records;
    // A set has keys of earlier runs, too.
    const how = keys !== null && keys.store !== null ? "left out" : "merged";
    parts.push(`${withCommas(duplicates)} ${how} (${share.toFixed(share < 1 ? 1 : 0)} %)`);
  }
  if (keys !== null) parts.push(`${withCommas(records - leftOutOf(options, tally))} kept`);
  if (blocked > 0) parts.push(`${withCommas(blocked)} blocked`);
  if (errors > 0) parts.push(errors === 1 ? "1 not a URL" : `${withCommas(errors)} not URLs`);
  if (keys !== null && keys.store !== null) {
    parts.push(
      keys.sizeBefore === 0 ? "a new set" : `${withCommas(keys.sizeBefore)} in the set before`,
    );
  }
  if (tally.temporaryBytes > 0) parts.push(`${megabytes(tally.temporaryBytes)} in temporary files`);
  parts.push(`preset ${facts.preset}`, `${seconds.toFixed(1)} s`);
  return parts.join(", ");
}

function withCommas(count: number): string {
  return count.toLocaleString("en-US");
}

function sayErrors(
  { options: { errors, onError, format, base }, tally }: PreparedRun,
  record: "line" | "row",
): void {
  const count = tally.errors - tally.blocked;
  if (count === 0 || errors !== undefined) return;
  const are = count === 1 ? "is not a URL" : "are not URLs";
  const kept = count === 1 ? "kept as it was" : "kept as they were";
  const compared = record === "line" ? "compared byte by byte" : "compared as a whole";
  const isDeduped = tally.expectedFalseMerges !== null;
  const done = onError === "keep" ? (isDeduped ? compared : kept) : written(onError, isDeduped);
  const lacksSite = format === "access-log" && base === undefined;
  const way = lacksSite ? "; --base URL names the site of an access log" : "";
  say(
    `${counted(count, record)} ${are}, ${done}; --errors FILE lists them, --stats counts them${way}`,
  );
}

/** Says what becomes of records without a key. */
function written(onError: CommandOptions["onError"], isDeduped: boolean): string {
  return onError === "empty" && !isDeduped ? "written with an empty key" : "not written";
}

/** Reports how many records lists leave out. */
function sayBlocked(
  { options: { onError }, keys, tally }: PreparedRun,
  record: "line" | "row",
): void {
  const { blocked } = tally;
  if (blocked === 0) return;
  const kept = blocked === 1 ? "kept as it was" : "kept as they were";
  const done = keys !== null ? "left out" : onError === "keep" ? kept : written(onError, false);
  say(`${counted(blocked, record)} ${blocked === 1 ? "is" : "are"} blocked, ${done}`);
}
