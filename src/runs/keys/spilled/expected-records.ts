import { readSync, statSync } from "node:fs";
import { formatOf } from "../../../formats/index.ts";
import { type PlainFile, withPlainFile } from "../../../io/files/plain-file.ts";
import { openSource } from "../../../io/open-source.ts";
import { LF } from "../../../url/chars.ts";
import type { CommandOptions } from "../../call/options.ts";

/** The places of a file where its records are counted, and the bytes at each. */
const SAMPLES = 8;
const SAMPLE_BYTES = 1 << 15;
/** The bytes of the content of a compressed file in which its records are counted. */
const CONTENT_BYTES = 1 << 22;

/** How many times the records that samples tell must have room, for keys to be kept in memory: files are not even. */
const MARGIN = 1.5;
/** The same if only the beginning of a compressed file was seen. */
const ROUGH_MARGIN = 3;

/** Says about how many records the inputs have. */
export interface ExpectedRecords {
  readonly records: number;
  /** How many times as many must have room, for keys to be kept in memory. */
  readonly margin: number;
}

/**
 * Returns about how many records the inputs have, by samples of them. Returns null if that is not known: for pipes, archives,
 * and documents, whose records have no ends to count.
 */
export async function expectedRecords({
  files,
  format: name,
  field,
  archive,
  isArray = false,
  peek,
}: Pick<
  CommandOptions,
  "files" | "format" | "field" | "archive" | "isArray" | "peek"
>): Promise<ExpectedRecords | null> {
  if (archive !== null || isArray || name === "parquet") return null;
  const { lastByte = LF, hasPlainLines, lastEnd } = formatOf(name, field);
  if (lastByte === null || (hasPlainLines !== true && lastEnd === undefined)) return null;
  let records = 0;
  let isRough = false;
  for (const file of files) {
    const plain = peek.plainFile(file);
    if (plain === null && !isFile(file)) return null;
    isRough ||= plain === null;
    records += plain === null ? await inCompressed(file, lastByte) : recordsIn(plain, lastByte);
  }
  return { records: Math.ceil(records), margin: isRough ? ROUGH_MARGIN : MARGIN };
}

function isFile(name: string): boolean {
  return name !== "-" && statSync(name, { throwIfNoEntry: false })?.isFile() === true;
}

function recordsIn({ name, begin, end }: PlainFile, lastByte: number): number {
  const size = end - begin;
  const step = Math.max(SAMPLE_BYTES, Math.floor(size / SAMPLES));
  let [ends, bytes] = [0, 0];
  withPlainFile(name, (fd) => {
    const sample = Buffer.alloc(SAMPLE_BYTES);
    for (let at = begin; at < end; at += step) {
      const length = readSync(fd, sample, 0, Math.min(SAMPLE_BYTES, end - at), at);
      bytes += length;
      ends += countOf(sample.subarray(0, length), lastByte);
    }
  });
  // The last record may have no end.
  return bytes === 0 ? 0 : (size * (ends + 1)) / bytes;
}

/** Counts the records at the beginning of a compressed file, as many as it has if they are in each part of it. */
async function inCompressed(name: string, lastByte: number): Promise<number> {
  const source = await openSource(name);
  const piece = Buffer.alloc(SAMPLE_BYTES);
  let [ends, bytes] = [0, 0];
  try {
    while (bytes < CONTENT_BYTES) {
      const length = await source.read(piece);
      if (length === 0) return ends + 1;
      bytes += length;
      ends += countOf(piece.subarray(0, length), lastByte);
    }
    return ((ends + 1) * statSync(name).size) / source.taken;
  } finally {
    await source.close();
  }
}

function countOf(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}
