import { shellWord } from "../../src/base/shell-word.ts";
import { compressionOf, MAGIC_LENGTH } from "../../src/io/compression/compression.ts";
import { FOREIGN_LENGTH, ForeignFormat } from "../../src/io/compression/foreign-format.ts";
import { utf16Of } from "../../src/io/compression/utf16.ts";

/** Counts the first bytes that tell an archive from a workbook. */
const START_BYTES = 1 << 16;

/** Bytes that are read and handled before the worker looks for messages. */
export const PIECE_BYTES = 1 << 20;

/** Names a list, and what is done with it. */
export interface NamedList {
  readonly name: string;
  readonly task: "dedupe" | "learn";
}

/**
 * Returns a source that can be read from anywhere: gzip is unpacked, and UTF-16 decoded. Throws an `Error` with a message for
 * people for the formats that the command line refuses, and for those that only the command line reads.
 */
export async function readableSource(source: Blob, list: NamedList): Promise<Blob> {
  const decoded = await decodedUtf16(source, list);
  if (decoded !== null) return decoded;
  if ((await checkReadable(source, list, null)) === null) return source;
  const content = await unpacked(source, list);
  const text = await decodedUtf16(content, list);
  if (text === null) await checkReadable(content, list, "gzip");
  return text ?? content;
}

/** Returns what gzip has packed. Browsers do not say why they cannot unpack it, and refuse a second member. */
async function unpacked(source: Blob, list: NamedList): Promise<Blob> {
  const stream = source.stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return await new Response(stream).blob();
  } catch (error) {
    throw new Error(
      `cannot read ${list.name}: its gzip is damaged, or has several members, which the command line reads: ${commandFor(list, "txt")}`,
      { cause: error },
    );
  }
}

/** Returns text in UTF-16 as UTF-8, or null for another source. */
async function decodedUtf16(source: Blob, { name }: NamedList): Promise<Blob | null> {
  const utf16 = utf16Of(await bytesOf(source, 0, MAGIC_LENGTH));
  if (utf16 === null) return null;
  const bytes = await source.arrayBuffer();
  try {
    return new Blob([new TextDecoder(utf16, { fatal: true }).decode(bytes)]);
  } catch (error) {
    throw new Error(
      `cannot read ${name}: it begins as text in UTF-16, and has half of a character`,
      { cause: error },
    );
  }
}

function commandFor({ name, task }: NamedList, end: string): string {
  const file = shellWord(name);
  return task === "learn"
    ? `npx urlmill learn ${file} -o rules.tsv`
    : `npx urlmill dedupe --preset crawl ${file} -o unique.${end}`;
}

/** Returns the compression of a source. `outer`: the compression that it was taken out of. */
async function checkReadable(source: Blob, list: NamedList, outer: "gzip" | null) {
  const { name, task } = list;
  const head = await bytesOf(source, 0, FOREIGN_LENGTH);
  const compression = compressionOf(head.subarray(0, MAGIC_LENGTH));
  // `urlmill learn` refuses Parquet.
  const isParquet = task === "dedupe" && new TextDecoder().decode(head.subarray(0, 4)) === "PAR1";
  if (compression === "zstd" || isParquet) {
    const [format, end] = isParquet ? ["Parquet", "parquet"] : ["zstd", "txt"];
    throw new Error(
      `this page does not read ${format}, and the command line does: ${commandFor(list, end)}`,
    );
  }
  try {
    if (outer !== null && compression !== null) throw ForeignFormat.twice(compression, outer);
    ForeignFormat.check(head, outer);
  } catch (error) {
    if (!(error instanceof ForeignFormat)) throw error;
    throw new Error(
      `cannot read ${name}: ${error.describe(name, await bytesOf(source, 0, START_BYTES))}`,
    );
  }
  return compression;
}

/** Returns the bytes of a part of a source. */
export async function bytesOf(
  source: Blob,
  from: number,
  to: number,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await source.slice(from, to).arrayBuffer());
}

/** Returns two pieces of bytes as one. */
export function joined(a: Uint8Array, b: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (a.length === 0) return b;
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
