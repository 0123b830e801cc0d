import { writeFileSync } from "node:fs";
import {
  asyncBufferFromFile,
  type CompressionCodec,
  type FileMetaData,
  parquetMetadata,
  parquetMetadataAsync,
  parquetReadObjects,
  type SchemaElement,
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { readPlain } from "hyparquet/src/plain.js";
import { compressors } from "hyparquet-compressors";
import { ByteWriter, ParquetWriter, parquetWriteBuffer } from "hyparquet-writer";

/** A column of a file that tests write. */
export interface TestColumn {
  readonly name: string;
  readonly data: readonly unknown[];
  readonly type?: "STRING" | "INT32" | "INT64" | "DOUBLE" | "TIMESTAMP" | "BYTE_ARRAY";
  readonly encoding?: "PLAIN" | "RLE_DICTIONARY" | "DELTA_BYTE_ARRAY";
  readonly nullable?: boolean;
}

/** Writes columns with the package's own writer; `rowGroupSize` rows a group. */
export function writeColumns(
  path: string,
  columns: readonly TestColumn[],
  rowGroupSize = 1000,
  codec: CompressionCodec = "SNAPPY",
): string {
  const columnData = columns as Parameters<typeof parquetWriteBuffer>[0]["columnData"];
  const kvMetadata = [{ key: "made", value: "for a test" }];
  const bytes = parquetWriteBuffer({ columnData, rowGroupSize, codec, kvMetadata });
  writeFileSync(path, new Uint8Array(bytes));
  return path;
}

/** Writes a column of URLs in so many pages of one row group. */
export function writeSmallPages(path: string, pages: number): string {
  const data = Array.from({ length: 10 * pages }, (_, row) => `http://a/${1000 + row}`);
  const columnData = [{ name: "url", data, type: "STRING" as const, encoding: "PLAIN" as const }];
  // A page ends before the value that would fill it.
  const pageSize = 11 * "http://a/1000".length;
  writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData, pageSize })));
  return path;
}

/** Writes columns of a given schema, all rows in one group. */
export function writeSchema(
  path: string,
  schema: SchemaElement[],
  columns: Readonly<Record<string, readonly unknown[]>>,
): string {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema });
  const columnData = Object.entries(columns).map(([name, data]) => ({ name, data: [...data] }));
  file.write({ columnData, rowGroupSize: 1_000_000 });
  file.finish();
  writeFileSync(path, writer.getBytes());
  return path;
}

/** Holds the content of a file as an independent reader sees it. */
export interface ReadFile {
  readonly rows: Record<string, unknown>[];
  readonly metadata: FileMetaData;
  /** Rows of each row group. */
  readonly groups: number[];
}

/** Reads a file, or some of its columns, with the package's own reader. */
export async function readParquet(path: string, columns?: string[]): Promise<ReadFile> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const rows = await parquetReadObjects({
    file,
    metadata,
    compressors,
    ...(columns && { columns }),
  });
  const groups = metadata.row_groups.map(({ num_rows }) => Number(num_rows));
  return { rows, metadata, groups };
}

/** Returns the texts of the dictionary of a chunk that is compressed with Snappy or not at all. */
export function dictionaryOf(bytes: Uint8Array, group: number, column: string): string[] {
  const file = new Uint8Array(bytes).buffer;
  const meta = parquetMetadata(file)
    .row_groups[group]?.columns.map((chunk) => chunk.meta_data)
    .find((chunk) => chunk?.path_in_schema.join(".") === column);
  if (meta?.dictionary_page_offset === undefined) return [];
  const view = new DataView(file, Number(meta.dictionary_page_offset));
  const reader = { view, offset: 0 };
  const header = parquetHeader(reader);
  const stored = new Uint8Array(file, view.byteOffset + reader.offset, header.compressed_page_size);
  const page = decompressPage(stored, header.uncompressed_page_size, meta.codec, compressors);
  const count = header.dictionary_page_header?.num_values ?? 0;
  const texts = { view: new DataView(page.buffer, page.byteOffset, page.length), offset: 0 };
  return [...readPlain(texts, "BYTE_ARRAY", count, undefined)].map((text) =>
    Buffer.from(text as Uint8Array).toString(),
  );
}
