import { type FileHandle, open } from "node:fs/promises";
import { beginsAsUrl } from "../../formats/detect-format.ts";
import { listNames } from "../../formats/excerpt.ts";
import { decompressorsOf } from "../../parquet/codecs.ts";
import { ParquetFile } from "../../parquet/input-file.ts";
import { holdsTexts, type Leaf } from "../../parquet/leaf.ts";
import { loadParquetPeers, type ParquetPeers } from "../../parquet/peers.ts";
import { CommandFailure } from "../base/failure.ts";

/** The column whose name says that it holds the URL. */
const URL_COLUMN = "url";
/** The most rows to look at. */
const SAMPLE = 1000;

/**
 * Returns the column `url` of a Parquet file, or else the only column of texts whose values are URLs: in a struct by its path.
 * Throws a CommandFailure if several have URLs, and an IoError for what is not a Parquet file. Returns `url` if no column has
 * URLs: the run lists the columns then.
 */
export async function guessColumn(name: string): Promise<string> {
  const peers = await loadParquetPeers();
  const file = await ParquetFile.open(name, peers);
  await file.close();
  if (file.leaves.some((leaf) => leaf.name === URL_COLUMN)) return URL_COLUMN;
  const texts = file.leaves.filter(isTextColumn);
  const rows = texts.length === 0 ? [] : await firstRows(file, texts, peers);
  const found = texts.filter((leaf) => rows.some((row) => isUrl(valueIn(row, leaf)))).map(nameOf);
  const [column = URL_COLUMN, another] = found;
  if (another === undefined) return column;
  throw new CommandFailure(`URLs are in ${listNames(found)} of ${name}: give --field`, 2);
}

/** Returns whether a column holds one text a row: it is not in a list. It may be in a struct. */
function isTextColumn(leaf: Leaf): boolean {
  return holdsTexts(leaf) && leaf.maxRepetitionLevel === 0;
}

function nameOf({ name }: Leaf): string {
  return name;
}

/** Returns the value of a column, which may be in structs of its row. */
function valueIn(row: unknown, { path }: Leaf): unknown {
  let value = row;
  for (const { element } of path.slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[element.name];
  }
  return value;
}

async function firstRows(
  file: ParquetFile,
  texts: readonly Leaf[],
  peers: ParquetPeers,
): Promise<Record<string, unknown>[]> {
  const handle = await open(file.name);
  try {
    const { size } = await handle.stat();
    // A struct is read as a whole.
    const columns = [...new Set(texts.map(({ path }) => path[1]?.element.name as string))];
    return await peers.parquetReadObjects({
      file: { byteLength: size, slice: (from, to = size) => bytesOf(handle, from, to) },
      compressors: decompressorsOf(peers),
      columns,
      rowEnd: SAMPLE,
    });
  } catch {
    return []; // the run reads the same pages, and reports the same damage
  } finally {
    await handle.close();
  }
}

async function bytesOf(handle: FileHandle, from: number, to: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(to - from);
  await handle.read(bytes, 0, bytes.length, from);
  return bytes.buffer;
}

function isUrl(value: unknown): boolean {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value;
  return typeof text === "string" && beginsAsUrl(text);
}
