import { MARK_LENGTH, mayBeginWithMark } from "../../base/byte-order-mark.ts";
import { counted } from "../../base/counted.ts";
import { fieldNames } from "../../formats/head/head.ts";
import { isArchive, urlField } from "../../formats/index.ts";
import { IoError, named, shownInput } from "../../io/io-error.ts";
import { openSource } from "../../io/open-source.ts";
import { say } from "../../io/say.ts";
import {
  detectFormat,
  type RecordFormat,
  type RecordOptions,
  RecordReader,
} from "../../learn/records/read-records.ts";
import type { LearnRecord } from "../../learn/records/record.ts";
import { FieldsRead } from "./fields-read.ts";
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
