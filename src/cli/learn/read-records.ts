import { MARK_LENGTH, mayBeginWithMark } from "../../base/byte-order-mark.ts";
import { counted } from "../../base/counted.ts";
import { listNames } from "../../formats/excerpt.ts";
import { fieldNames } from "../../formats/head/head.ts";
import { isArchive, urlField } from "../../formats/index.ts";
import { IoError, named, shownInput } from "../../io/io-error.ts";
import { openSource } from "../../io/open-source.ts";
import { say } from "../../io/say.ts";
import { SiteCollector } from "../../learn/collect/collector.ts";
import { OTHER_FIELDS } from "../../learn/records/named-record.ts";
import {
  detectFormat,
  type RecordFormat,
  type RecordOptions,
  RecordReader,
} from "../../learn/records/read-records.ts";
import type { LearnRecord } from "../../learn/records/record.ts";
import { quoted } from "../flags/command.ts";
import type { LearnArguments } from "./options.ts";
import { pageRecords } from "./page-records.ts";

const CHUNK = 1 << 18;
/** The number of bytes in which the first line must end, so that its format can be detected. */
const HEAD = 1 << 14;

/** Holds the options of reading records; an undefined format is detected. */
export interface ReadOptions extends RecordOptions {
  readonly format: RecordFormat | undefined;
  /**
   * Says whether pages are compared by what they show. Then those of WARC get fingerprints, unless `fp` says otherwise.
   *
   * @default false
   */
  readonly readsPages?: boolean;
}

/**
 * Reads the records of all files, several at a time, and reports unreadable lines on standard error. Returns which of
 * their fields were read. Throws an IoError if a file has lines, but not one is readable.
 */
export async function readRecords(
  files: readonly string[],
  options: ReadOptions,
  take: (records: LearnRecord[]) => void,
): Promise<FieldsRead> {
  const chunk = Buffer.alloc(CHUNK);
  const fields = new FieldsRead();
  for (const file of files) {
    const source = await openSource(file);
    try {
      const length = await fill(source, chunk);
      const head = chunk.toString("utf8", 0, Math.min(length, HEAD));
      const found = options.format ?? detectFormat(head, shownInput(file));
      if (found === "warc" && options.readsPages === true && options.fp === undefined) {
        await takePages(file, chunksFrom(source, chunk, length), fields, take);
        continue;
      }
      addNames(fields, chunk.subarray(0, length), found, options);
      const reader = new RecordReader(found, options);
      let read = 0;
      const push = (bytes: Uint8Array, isLast: boolean): void => {
        const records = named(shownInput(file), () => reader.push(bytes, isLast));
        read += records.length;
        take(records);
      };
      for await (const bytes of chunksFrom(source, chunk, length)) {
        push(bytes, false);
      }
      push(chunk.subarray(0, 0), true);
      report(file, reader, isArchive(found) ? "record" : "line");
      if (read === 0 && reader.failed > 0) throw unreadable(file, found, reader);
      for (const name of reader.fpNames) fields.fpNames.add(name);
    } finally {
      await source.close();
    }
  }
  return fields;
}

/** Reads the responses of a WARC file with fingerprints and statements of their pages, as `learn fingerprint` writes them. */
async function takePages(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  fields: FieldsRead,
  take: (records: LearnRecord[]) => void,
): Promise<void> {
  for await (const { record, ...prints } of pageRecords(file, chunks)) {
    const kind = (["sim", "raw"] as const).find((name) => prints[name] !== undefined);
    if (kind !== undefined) fields.fpNames.add(kind);
    take([kind === undefined ? record : { ...record, fp: `${kind}:${prints[kind]}` }]);
  }
}

/** Adds the names of the fields of a list, of which `bytes` are the first. */
function addNames(
  fields: FieldsRead,
  bytes: Buffer,
  format: RecordFormat,
  options: ReadOptions,
): void {
  const { field, hasHeader } = urlField(format, options);
  const text = bytes.toString("latin1", mayBeginWithMark(bytes) ? MARK_LENGTH : 0);
  const head = { text, isWhole: bytes.length < HEAD, isLast: true };
  const names = fieldNames(head, { format, hasHeader });
  fields.add(names, field.column === undefined ? field.name : (names[field.column] ?? ""));
}

function unreadable(file: string, format: RecordFormat, reader: RecordReader): IoError {
  const counts = counted(reader.failed, isArchive(format) ? "record" : "line");
  return new IoError(
    `cannot read ${shownInput(file)} as ${format}: not one of its ${counts} could be read; --format names another format`,
  );
}

/** Yields the bytes of a file, in memory that is used again. `length`: how many the chunk has already. */
export async function* chunksFrom(
  source: ReadSource,
  chunk = Buffer.alloc(CHUNK),
  length = 0,
): AsyncGenerator<Uint8Array> {
  if (length > 0) yield chunk.subarray(0, length);
  for (let read = await source.read(chunk); read > 0; read = await source.read(chunk)) {
    yield chunk.subarray(0, read);
  }
}

interface ReadSource {
  read(into: Uint8Array): Promise<number>;
}

async function fill(source: ReadSource, chunk: Buffer): Promise<number> {
  let length = 0;
  while (length < HEAD) {
    const read = await source.read(chunk.subarray(length));
    if (read === 0) break;
    length += read;
  }
  return length;
}

function report(file: string, { errors, failed }: RecordReader, unit: "line" | "record"): void {
  const [first] = errors;
  if (first === undefined) return;
  say(
    `${shownInput(file)}: ${counted(failed, unit)} could not be read; ${unit} ${first.line}: ${first.reason}`,
  );
}

/** Matches the name of a field that may hold a fingerprint of pages, and one that is of their bytes. */
const MAY_BE_FINGERPRINT =
  /^(?!.*(?:ur[il]|link)).*(?:finger|hash|digest|checksum|cluster|md5|sha\d)/i;
const HASH = /(?<!sim_?)hash|digest|checksum|md5|sha\d/i;

/** Says which fields of lists were read, by the names that their first records have. */
export class FieldsRead {
  /** The columns or members that fingerprints were taken from. */
  readonly fpNames = new Set<string>();
  readonly #present = new Set<string>();
  readonly #urls = new Set<string>();

  /** Takes the names of a list's fields. `url`: the name or the path of the field with the URL. */
  add(names: readonly string[], url: string): void {
    for (const name of names) this.#present.add(name);
    this.#urls.add(url).add(url.split(".")[0] as string);
  }

  /** The fields that were read besides those of URLs and fingerprints. */
  get others(): string[] {
    return OTHER_FIELDS.filter((name) => this.#present.has(name) && !this.fpNames.has(name));
  }

  /**
   * Returns a sentence on the fields that were not read. Returns null if a fingerprint was read, and no other field may hold
   * one.
   */
  unread(): string | null {
    const isRead = new Set([...this.#urls, ...this.fpNames, ...OTHER_FIELDS]);
    const unread = [...this.#present].filter((name) => !isRead.has(name));
    const likely = unread.find((name) => MAY_BE_FINGERPRINT.test(name));
    if (unread.length === 0 || (likely === undefined && this.fpNames.size > 0)) return null;
    const isHash = likely !== undefined && HASH.test(likely);
    const value = `${isHash ? "raw" : "KIND"}:${likely ?? "NAME"}`;
    const flag = `--fp ${/^[\w.:-]+$/.test(value) ? value : quoted(value)}`;
    const only = isHash ? ", if it is a hash of the page, not of its URL" : "";
    return `fields that were not read: ${listNames(unread)}; ${flag} takes one as the fingerprint of pages${only}`;
  }
}

interface Collected {
  readonly collector: SiteCollector;
  /** The fields that were read. It has no `fpNames` if no fingerprint is compared. */
  readonly fields: FieldsRead;
}

/**
 * Reads the records of all files into a collector. Throws an IoError if there are records but learning cannot use any
 * of them.
 */
export async function collect(args: LearnArguments): Promise<Collected> {
  const collector = new SiteCollector();
  const { by } = args;
  const fields = await readRecords(args.files, { ...args, readsPages: by === "pages" }, (records) =>
    collector.add(by === "pages" ? records : records.map((record) => without(record, by))),
  );
  if (by !== "pages") fields.fpNames.clear();
  const { records, skipped } = collector;
  if (records > 0 && skipped === records) {
    throw new IoError(
      `no rule can be learned: not one of ${counted(records, "record")} has an http or https URL of at most 2047 bytes after its host; check --format and --field`,
    );
  }
  return { collector, fields };
}

/** Returns a record without its fingerprint. Also removes its size if only URLs are compared. */
function without(
  { fp: _, size, ...record }: LearnRecord,
  by: Exclude<LearnArguments["by"], "pages">,
): LearnRecord {
  return by === "sizes" && size !== undefined ? { ...record, size } : record;
}
