import { counted } from "../../base/counted.ts";
import { cellsIn } from "../../formats/head/head.ts";
import type { FormatName, UrlField } from "../../formats/index.ts";
import { say } from "../../io/say.ts";
import { isWatched } from "../../io/standard.ts";
import { keptNormalizer } from "../../normalizers.ts";
import { toByteString } from "../../url/bytes.ts";
import { isYearLast } from "../base/dates.ts";
import { valueFieldOf } from "../base/keep.ts";
import { isAlone } from "../call/job.ts";
import { ValueReader } from "../rows/value-reader.ts";
import { FIRST_BYTES, headOf } from "./first-records.ts";
import type { PreparedRun } from "./prepare.ts";

/**
 * Says what the first records show that a flag would read, compare or write in another way. `first`: the first bytes of the
 * input.
 */
export function sayHints(prepared: PreparedRun, first: () => Buffer): void {
  const { quiet, stats } = prepared.options;
  if (quiet || stats) return;
  const hints = [sayEscape, sayTabs, sayDocuments, sayDates, sayScheme, sayPreset];
  for (const hint of hints) hint(prepared, first);
}

/** Says how quotes after a backslash are read, if rows of CSV could not be read and the first ones have them. */
function sayEscape({ options, tally }: PreparedRun, first: () => Buffer): void {
  const { format, field } = options;
  if (format !== "csv" || field.escapeChar !== undefined) return;
  if (tally.errors === 0 && tally.openQuotes === 0) return;
  const head = headOf(first());
  const { delimiter } = field;
  const rowsBy = (escapeChar?: string): number =>
    cellsIn(head, "csv", FIRST_BYTES, { delimiter, escapeChar }).length;
  if (/\\"/.test(head.text) && rowsBy("\\") > rowsBy()) {
    say(`rows have \\" in quotes: add --escape '\\'`);
  }
}

/** Says how many lines have a tab inside: they may be rows of a table. */
function sayTabs({ options, tally: { tabbed, lines } }: PreparedRun): void {
  if (tabbed === 0 || options.archive !== null) return;
  say(
    `${tabbed} of ${counted(lines, "line")} have a tab inside, which is removed from URLs; a table is read with --format tsv --no-header`,
  );
}

/** Says that several documents of XML were written after each other. */
function sayDocuments({ options: { format, emit, files } }: PreparedRun): void {
  if (format !== "sitemap" || isAlone(emit) || files.length < 2) return;
  say(
    `the output has ${files.length} XML documents, which is not one document; --emit url writes only their URLs`,
  );
}

/** Says how dates are compared that end with the year, if records are chosen by such values as by texts. */
function sayDates({ options }: PreparedRun, first: () => Buffer): void {
  const { keep, format } = options;
  const field = valueFieldOf(keep);
  if (format === "parquet" || field === null || field.dates !== undefined) return;
  const date = valuesOf(format, field, first()).find(isYearLast);
  if (date === undefined) return;
  const flag = `--keep ${keep.which}:${field.field.name}`;
  say(
    `${flag}: values such as ${date} compare as text; give ${flag}:dmy if the day comes first, or ${flag}:mdy`,
  );
}

/** Matches what is a URL but for its scheme. */
const WITHOUT_SCHEME = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/;

/** Says which flag reads URLs without a scheme, if most of the first ones have none, and some are errors. */
function sayScheme({ options, tally }: PreparedRun, first: () => Buffer): void {
  const { format, field, archive, base, normalizer } = options;
  if (tally.errors === tally.blocked || format === "parquet" || archive !== null) return;
  if (base !== undefined || normalizer.defaultScheme !== undefined) return;
  const urls = valuesOf(format, field, first());
  if (2 * urls.filter((url) => WITHOUT_SCHEME.test(url)).length > urls.length)
    say("most URLs have no scheme: add --default-scheme https");
}

/** Tells a person which preset merges more of the first URLs. */
function sayPreset({ options, keys }: PreparedRun, first: () => Buffer): void {
  const { format, field, archive, normalizer, form, out = "-" } = options;
  if (!isWatched(out) || format === "parquet" || archive !== null || keys === null) return;
  if (form !== "url" || Object.keys(normalizer).some((name) => name !== "engine")) return;
  const urls = valuesOf(format, field, first());
  const merged = (preset: "crawl" | "safe"): number => {
    const { urls: keysOf } = keptNormalizer({ preset, engine: "js" }).normalizeBatch(urls);
    return urls.length - new Set(keysOf.map((url, at) => url ?? urls[at])).size;
  };
  const more = merged("crawl") - merged("safe");
  if (more > 0)
    say(`--preset crawl would merge ${more} more of the first ${counted(urls.length, "URL")}`);
}

/** Returns what the first records have in a field, without those that have nothing. */
function valuesOf(format: FormatName, field: UrlField, bytes: Buffer): string[] {
  const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
  const place = { header: null, isStart: true };
  const { data, offsets } = new ValueReader(format, field, false).read(whole, place);
  const text = toByteString(data);
  return [...offsets.subarray(1)].flatMap((end, row) =>
    end === offsets[row] ? [] : [text.slice(offsets[row], end)],
  );
}
