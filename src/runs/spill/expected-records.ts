import { readSync } from "node:fs";
import { formatOf } from "../../formats/index.ts";
import { type PlainFile, plainFile, withPlainFile } from "../../io/files/plain-file.ts";
import { LF } from "../../url/chars.ts";
import type { CommandOptions } from "../options.ts";

/** The places of a file where its records are counted, and the bytes at each. */
const SAMPLES = 8;
const SAMPLE_BYTES = 1 << 15;

/**
 * Returns about how many records the inputs have, by samples of them. Returns null if that is not known: for pipes,
 * compressed files, archives, and documents, whose records have no ends to count.
 */
export function expectedRecords({
  files,
  format: name,
  field,
  archive,
}: Pick<CommandOptions, "files" | "format" | "field" | "archive">): number | null {
  if (archive !== null || name === "parquet") return null;
  const { lastByte = LF, hasPlainLines, lastEnd } = formatOf(name, field);
  if (lastByte === null || (hasPlainLines !== true && lastEnd === undefined)) return null;
  let records = 0;
  for (const file of files) {
    const plain = plainFile(file);
    if (plain === null) return null;
    records += recordsIn(plain, lastByte);
  }
  return Math.ceil(records);
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

function countOf(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}
