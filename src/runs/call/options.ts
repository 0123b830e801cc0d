import type { FingerprintBits } from "../../fingerprints/table.ts";
import {
  type ArchiveFormat,
  type FormatName,
  INPUT_FORMATS,
  type UrlField,
} from "../../formats/index.ts";
import type { InputPeek } from "../../io/input-peek.ts";
import type { NormalizerOptions } from "../../options/catalog.generated.ts";
import type { RowForm } from "../../plan/form.ts";
import { STORE_NAMES } from "../../seen/folder/store-names.ts";
import type { ComparableSet } from "../../seen/stored/compatibility.ts";
import type { DateOrder } from "../base/dates.ts";
import { CommandFailure } from "../base/failure.ts";
import type { Keep } from "../base/keep.ts";
import {
  checkedFlag,
  choiceFlag,
  listFlag,
  openSwitchFlag,
  switchFlag,
  textFlag,
  type ValuesOf,
  wholeNumberFlag,
} from "./flags/flag.ts";
import type { Emit, Form } from "./job.ts";

/** The most threads that a run may have. */
export const MAX_THREADS = 9999;
/** The most records of a key that can be asked for. */
const MAX_PER_KEY = 1_000_000;

/** Lists how a normalized URL can be written. */
export const FORMS = [
  "url",
  "surt",
  "urlkey",
  "urlkey-www",
  "template",
  "host",
  "crawlee",
] as const;

/** Flags for the sources and the destinations of records. */
export const RECORD_FLAGS = {
  format: choiceFlag({
    name: "format",
    choices: [...INPUT_FORMATS, "parquet"],
    default: undefined,
    text: "the format of the input; by default the name of the file tells it, or else the first line: a URL means lines. The rest of a record stays as it is. TabSeparated of ClickHouse has escapes after a backslash; TSVRaw is tsv, without escapes. Of a web archive only URLs are written, one per line: warc gives those of HTTP responses, wat the http and https links of pages, resolved. parquet keeps all columns and their types",
  }),
  recursive: switchFlag({
    name: "recursive",
    short: "r",
    text: "read the files in folders, and in their folders, in the order of their names. Names that begin with a dot are left out",
  }),
  field: textFlag({
    name: "field",
    value: "NAME|N",
    text: "where the URL is: a column of tsv and csv by its name in the header, or by its number; a column of cdx by its letter or number (a); a member of jsonl and cdxj, or a path to one: page.url, links.0.url; a column of parquet by its path. The default is url, or else, in tsv, csv, jsonl and parquet, the only field whose values are URLs",
  }),
  header: openSwitchFlag({
    name: "header",
    text: "the first line of tsv or csv names the columns: it is written once for all files. Default if it has no URL and --field is not a number; --no-header: the first line is a row",
  }),
  delimiter: checkedFlag(
    {
      name: "delimiter",
      value: "CHAR",
      text: "the character between the fields of csv, such as ';' or '|'; tab is a tab (default ,)",
    },
    checkDelimiter,
  ),
  escapeChar: checkedFlag(
    {
      name: "escape",
      value: "CHAR",
      text: "the character before a quote inside quotes of csv: a backslash, as MySQL and Spark write it. Give it as '\\'. A second quote works, too",
    },
    checkEscape,
  ),
  zero: switchFlag({
    name: "zero-terminated",
    short: "z",
    text: "lines end at NUL in input and output, as in sort -z, and may have line ends inside",
  }),
  base: textFlag({ name: "base", value: "URL", text: "resolve relative references against URL" }),
  output: checkedFlag(
    {
      name: "output",
      formerly: "out",
      short: "o",
      value: "FILE",
      text: "write FILE, whole or not at all: at the end it replaces an old one. If the input is a pipe, it is written as the run goes on. Compressed if FILE ends with .gz, or .zst (Node 22.15)",
    },
    checkOutput,
  ),
  append: textFlag({
    name: "append",
    value: "FILE",
    text: "add to the end of FILE; a last line without an end first gets one, and the header of tsv or csv is written once",
  }),
  form: choiceFlag({
    name: "form",
    choices: FORMS,
    default: "url",
    text: "how a URL is written; surt writes com,example)/path; urlkey the keys of CDX files, urlkey-www keeps their www.; template joins pages of one type (/item/<N>); host writes only the host; crawlee writes the keys of Crawlee 3, with its options in place of a preset",
  }),
  unicodeHosts: switchFlag({
    name: "unicode-hosts",
    text: "write xn-- labels in Unicode: for people to read, not to compare",
  }),
};

/** Flags for what `dedupe` compares by. */
export const KEY_FLAGS = {
  by: checkedFlag(
    {
      name: "by",
      value: "url,COLUMN",
      text: "compare the values of COLUMN, too, byte for byte: url,digest keeps each version of a page (default url). COLUMN is named as in --field. Records without a value are repeats only if the whole record is the same",
    },
    checkBy,
  ),
  seen: textFlag({
    name: "seen",
    value: "DIR",
    text: "write only URLs that are new: leave out what earlier runs with DIR wrote, as for a list of each day. DIR is a directory of fingerprints; it is made if it is missing. With -o FILE a run that is killed has done nothing or all. A stream may repeat a line after a crash, but does not lose one. One run at a time. Without options, a run takes those that DIR was made with; other options are refused",
  }),
  store: choiceFlag({
    name: "store",
    choices: STORE_NAMES,
    default: undefined,
    text: "the kind of a new DIR of --seen: a journal has all fingerprints in memory during a run (default); LMDB (npm install lmdb) and a set on disk only those of the run. An old DIR stays what it is",
  }),
  keyOf: textFlag({
    name: "key-of",
    value: "DIR",
    text: "make a new DIR of --seen with the key, the bits and the options of this set, or of a file that urlmill seen export wrote: sets of one key can be merged",
  }),
  bits: choiceFlag({
    name: "bits",
    choices: ["128", "64"],
    default: undefined,
    text: "bits of each fingerprint; 64 takes half the memory, and the run says how many lines can be expected to be lost to chance (default: what DIR has, otherwise 128)",
  }),
  map: textFlag({
    name: "map",
    value: "FILE",
    text: "write each line that was merged: its normalized URL, tab, line. For a text that is not a URL, the text stands in place of the URL",
  }),
  shadow: textFlag({
    name: "shadow",
    value: "FILE",
    text: "show what the rules of --rules and --page-aliases would do, without applying them: list each line that they would merge: normalized URL, line, normalized URL without rules, and each rule that changed it (3 columns), with tabs between",
  }),
};

/** Flags for which record of each key is written. */
export const KEEP_FLAGS = {
  keep: checkedFlag(
    {
      name: "keep",
      value: "WHICH",
      text: "which record of each URL is written, such as the newest: first (default), last, max:COLUMN or min:COLUMN. The order of records stays. max: and min: keep the record with the greatest or least value: numbers compare as numbers, other values as bytes, and with max:COLUMN:dmy or :mdy as dates such as 31.1.2023 or 1/31/2023. The first of equals stays; a missing value loses. COLUMN is named as in --field. All but first read the input twice; a pipe is copied to a temporary file",
    },
    checkKeep,
  ),
  count: switchFlag({
    name: "count",
    short: "c",
    text: "write the number of records of each URL: before a line, as uniq -c does; in tables and JSON as the last column or member, count",
  }),
  repeated: switchFlag({
    name: "repeated",
    short: "d",
    text: "write only URLs that several records have",
  }),
  perKey: wholeNumberFlag({
    name: "per-key",
    value: "N",
    default: 1,
    max: MAX_PER_KEY,
    text: "write the first N records of each URL: with --form template, N pages of each template; with --form host, N pages of each host. Not with --keep, --count and --repeated, which need all records of a URL",
  }),
  exclude: listFlag({
    name: "exclude",
    value: "FILE",
    text: "leave out the URLs that FILE has, normalized with the same options; the format of FILE is found like that of the input, and --format is for both. FILE does not change. It may be the directory of a set that --seen made: a new --seen gets its key. Repeat the flag for more",
  }),
};

/** Flags for lists of URLs to leave out or to keep. */
export const LIST_FLAGS = {
  block: listFlag(
    {
      name: "block",
      value: "LIST",
      text: "leave out the URLs that LIST names, one entry per line: example.org is the host and all below it, =example.org only the host, example.org/a/ or https://example.org/a/ all URLs that begin with it, /*.png all URLs whose path ends with .png. LIST may be compressed; repeat the flag for more lists",
    },
    checkList,
  ),
  allow: listFlag(
    {
      name: "allow",
      value: "LIST",
      text: "leave out all URLs but those that LIST names, in the same way; --block wins",
    },
    checkList,
  ),
  skipNoindex: switchFlag({
    name: "skip-noindex",
    text: "leave out the URLs that lines with noindex in the file of --rules mean: learn found that their pages keep themselves out of indexes",
  }),
  skipExhausted: switchFlag({
    name: "skip-exhausted",
    text: "leave out the URLs that lines with exhausted in the file of --rules mean: learn --exhausted found that they bring next to no new page. One in twenty stays",
  }),
  days: wholeNumberFlag({
    name: "days",
    value: "N",
    default: undefined,
    text: "with --skip-exhausted: how many days a line counts (default 7)",
  }),
};

/** Flags for keys that do not fit in memory. */
export const MEMORY_FLAGS = {
  memory: checkedFlag(
    {
      name: "memory",
      value: "SIZE",
      text: "the most memory for keys: bytes, or a number with K, M or G, at least 1M (default: what the process may have). Keys that do not fit go to temporary files, 19 bytes a line. Then the input is read twice, or the rest of a pipe is copied. The output is the same",
    },
    checkMemory,
  ),
  tmp: textFlag({
    name: "tmp",
    value: "DIR",
    text: "the folder for temporary files (default TMPDIR, else that of the system)",
  }),
};

/** Flags for lines that are not URLs. */
export const ERROR_FLAGS = {
  onError: choiceFlag({
    name: "on-error",
    choices: ["keep", "empty", "fail"],
    default: "keep",
    text: "keep leaves the line as it is",
  }),
  errors: textFlag({
    name: "errors",
    value: "FILE",
    text: "list each line that is not a URL: line number, code, text, with tabs between. There, in --map and in --shadow, \\\\ is a backslash, and \\xHH is a byte of a hidden character, of a line end, or of text that is not UTF-8",
  }),
};

/** Flags that say how a run goes and what it tells. */
export const RUN_FLAGS = {
  threads: wholeNumberFlag({
    name: "threads",
    short: "j",
    value: "N",
    default: undefined,
    max: MAX_THREADS,
    text: `run on N threads, 1 to ${MAX_THREADS} (default: as many as the machine has, if the input is large enough)`,
  }),
  flush: switchFlag({
    name: "flush",
    text: "answer the lines of a pipe as soon as they are read: for a program that writes a line and waits for its answer. Without it, a run waits 10 ms for more lines",
  }),
  stats: switchFlag({
    name: "stats",
    text: "write counts as JSON on standard error at the end: by code and by step, with the format and the field",
  }),
  quiet: switchFlag({
    name: "quiet",
    short: "q",
    text: "write only errors on standard error: no progress, no counts, no notes",
  }),
  report: textFlag({
    name: "report",
    value: "FILE.html",
    text: "write a page with examples of what changed by step, of merges and of errors",
  }),
  progress: openSwitchFlag({
    name: "progress",
    text: "show progress on standard error (default on a terminal); --no-progress never does",
  }),
};

/** Holds all flags of `normalize` and `dedupe` but `--emit`, options of URLs and `--help`. */
export const FILTER_FLAGS = {
  ...RECORD_FLAGS,
  ...KEY_FLAGS,
  ...KEEP_FLAGS,
  ...MEMORY_FLAGS,
  ...LIST_FLAGS,
  ...ERROR_FLAGS,
  ...RUN_FLAGS,
};

/** Holds what a call gives for the flags of `normalize` and `dedupe`. */
export type FilterFlags = ValuesOf<typeof FILTER_FLAGS>;

/** Flags that a run gets in another form, because they depend on each other. */
type Joined =
  | "recursive"
  | "delimiter"
  | "escapeChar"
  | "zero"
  | "format"
  | "field"
  | "header"
  | "output"
  | "form"
  | "unicodeHosts"
  | "bits"
  | "keep"
  | "by"
  | "keyOf"
  | "exclude";

/** Names a file whose URLs are left out, and says how it is read. */
export interface ExcludedList
  extends Pick<CommandOptions, "format" | "archive" | "field" | "isArray"> {
  readonly file: string;
}

/** Holds what a run is told: the values of its flags, and what follows from several of them. */
export interface CommandOptions extends Omit<FilterFlags, Joined> {
  /** FILE…, `-` for standard input. */
  readonly files: readonly string[];
  readonly normalizer: NormalizerOptions;
  /** The files that options were read from. */
  readonly optionFiles: readonly string[];
  /** The format of records. It is "lines" for a web archive, because URLs are written. */
  readonly format: FormatName | "parquet";
  /** Says that inputs may be JSON arrays, which are read as JSON lines, or as lines if `format` is that of lines. */
  readonly isArray?: boolean | undefined;
  /** The first line of a table, if it is for Excel, such as `sep=;`. */
  readonly excelLine?: string | undefined;
  /** The format of web archives to take URLs from. It is null if the inputs have `format`. */
  readonly archive: ArchiveFormat | null;
  /** The position of the URL in a record. */
  readonly field: UrlField;
  readonly emit: Emit;
  readonly form: Form;
  /** What the normalizer makes: keys of web archives, or URLs, which have `form`. */
  readonly rowForm: RowForm;
  /** The record of each key that is written. */
  readonly keep: Keep;
  /** The field that is compared besides the URL; null if there is none. */
  readonly by: UrlField | null;
  /** The lists whose URLs are left out. */
  readonly exclude: readonly ExcludedList[];
  /** The directories of sets whose keys are left out. */
  readonly excludedSets: readonly string[];
  /** The key of the first of them. The run takes the same one. It is undefined if there are none. */
  readonly excludedKey: Uint8Array | undefined;
  /** The file to write instead of standard output. */
  readonly out: string | undefined;
  /** The first bytes that the file of `--append` had, with its header. It is null for an empty file, and without that flag. */
  readonly outputHead: Uint8Array | null;
  /** The set whose key and bits a new set gets; undefined if not given. */
  readonly keyOf: ComparableSet | undefined;
  /** The bits of a fingerprint; undefined if not given. */
  readonly bits: FingerprintBits | undefined;
  /** Holds the inputs of which a part was read that cannot be read again. */
  readonly peek: Pick<InputPeek, "take" | "plainFile">;
  /** Says whether the format or the field was not given, and was found in the input. */
  readonly isGuessed: boolean;
}

/** Holds the options for text input. */
export interface LineOptions extends CommandOptions {
  readonly format: FormatName;
}

/** Returns the column that is compared besides the URL; undefined if none is. */
function checkBy(text: string): string | undefined {
  if (text === "url") return undefined;
  const column = /^url,(.+)$/s.exec(text)?.[1];
  if (column !== undefined) return column;
  throw new CommandFailure(`--by is url or url,COLUMN, not "${text}"`, 2);
}

/** Holds what `--keep` says: which record, and the column of a value. */
export interface KeepFlag {
  readonly which: Keep["which"];
  readonly column: string;
  /** What comes first in the dates of the column, if they end with the year. */
  readonly dates?: DateOrder | undefined;
}

function checkKeep(text: string): KeepFlag {
  if (text === "first" || text === "last") return { which: text, column: "" };
  const [, which, column, dates] = /^(max|min):(.+?)(?::(dmy|mdy))?$/s.exec(text) ?? [];
  if (which === undefined || column === undefined) {
    throw new CommandFailure(`--keep is first, last, max:COLUMN or min:COLUMN, not "${text}"`, 2);
  }
  return { which: which as "max" | "min", column, dates: dates as DateOrder | undefined };
}

/** The units of `--memory`, in bytes. */
const UNITS = { "": 1, K: 1 << 10, M: 1 << 20, G: 1 << 30 } as const;
/** The least memory that `--memory` gives. */
const LEAST_MEMORY = 1 << 20;

/** Returns the bytes that a size such as 256M means. */
function checkMemory(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,15})([KMG]?)$/i.exec(text) ?? [];
  const bytes = Number(number) * UNITS[unit.toUpperCase() as keyof typeof UNITS];
  if (bytes >= LEAST_MEMORY) return bytes;
  throw new CommandFailure(`--memory is a size from 1M on, such as 256M or 2G, not "${text}"`, 2);
}

/** Returns a delimiter of CSV. Throws for a quote, a line end, and anything else than one ASCII character. */
function checkDelimiter(text: string): string {
  const character = text === "tab" || text === "\\t" ? "\t" : text;
  if (/^[\t -!#-~]$/.test(character)) return character;
  throw new CommandFailure(
    `--delimiter is one ASCII character or tab, not ${JSON.stringify(text)}`,
    2,
  );
}

/** Returns the escape character of CSV. Throws for another one than the backslash. */
function checkEscape(text: string): string {
  if (text === "\\") return text;
  const message = `--escape is a backslash, given as --escape '\\', not ${JSON.stringify(text)}`;
  throw new CommandFailure(`${message}; doubled quotes need no flag`, 2);
}

/** Returns the file of a list. Throws for standard input, which has the records. */
function checkList(file: string): string {
  if (file !== "-") return file;
  throw new CommandFailure("a list is read from a file, not from standard input: name one", 2);
}

/** Returns the file to write. Throws for a form of URLs, which `--output` named before. */
function checkOutput(file: string): string {
  if (!FORMS.some((form) => form === file)) return file;
  throw new CommandFailure(
    `--output names the file to write; write --form ${file} (or --output ./${file} for a file of that name)`,
    2,
  );
}
