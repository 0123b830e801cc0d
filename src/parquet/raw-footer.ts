/**
 * The footer of a Parquet file as its Thrift structs, field by field (parquet.thrift of apache/parquet-format). What is
 * not known here passes as it is.
 */

/** Holds a struct whose fields are not looked at. */
export type RawStruct = { [field: `field_${number}`]: unknown };

/** Holds `FileMetaData`. */
export interface RawFooter {
  /** Holds the version. */
  field_1: number;
  /** Holds the schema, depth first. */
  field_2: RawElement[];
  /** Counts the rows. */
  field_3: bigint;
  /** Holds the row groups. */
  field_4: RawGroup[];
  /** Holds keys and values of applications. */
  field_5?: { field_1: Uint8Array; field_2?: Uint8Array }[];
  /** Says what wrote the file. */
  field_6?: Uint8Array;
  /** Says how the values of each column are ordered. */
  field_7?: RawStruct[];
  /** Says how the footer is signed, if columns are encrypted. */
  field_8?: RawStruct;
}

/** Holds `SchemaElement`. */
export interface RawElement extends RawStruct {
  /** Says whether it is required, optional or repeated. */
  field_3?: number;
  /** Holds the name. */
  field_4: Uint8Array;
  /** Counts the children. */
  field_5?: number;
  /** Holds the logical type. */
  field_10?: RawStruct;
}

/** Holds `RowGroup`. */
export interface RawGroup {
  /** Holds the column chunks. */
  field_1: RawChunk[];
  /** Counts the bytes of all chunks, not compressed. */
  field_2: bigint;
  /** Counts the rows. */
  field_3: bigint;
  /** Says by which columns the rows are sorted. */
  field_4?: { field_1: number }[];
  /** Holds the offset at which it begins. */
  field_5?: bigint;
  /** Counts the bytes of all chunks in the file. */
  field_6?: bigint;
}

/** Holds `ColumnChunk`. */
export interface RawChunk {
  /** Names another file that holds the chunk. */
  field_1?: Uint8Array;
  /** Holds the offset of the metadata in the file. */
  field_2?: bigint;
  /** Holds the metadata; absent if they are encrypted with a key of the column. */
  field_3?: RawChunkMeta;
  /** Says with which key the chunk is encrypted. */
  field_8?: RawStruct;
}

/** Holds `ColumnMetaData`. */
export interface RawChunkMeta extends RawStruct {
  /** Holds the physical type. */
  field_1: number;
  /** Lists the encodings. */
  field_2: number[];
  /** Holds the path of the column. */
  field_3: Uint8Array[];
  /** Holds the codec. */
  field_4: number;
  /** Counts the values, nulls too. */
  field_5: bigint;
  /** Counts the bytes, not compressed. */
  field_6: bigint;
  /** Counts the bytes in the file. */
  field_7: bigint;
  /** Holds the offset of the first data page. */
  field_9: bigint;
  /** Holds the offset of the index page. */
  field_10?: bigint;
  /** Holds the offset of the dictionary page. */
  field_11?: bigint;
  /** Holds statistics: `field_3` counts nulls. */
  field_12?: RawStruct & { field_3?: bigint };
}

/** Returns a struct with its fields in ascending order, as Thrift writes them, without absent ones. */
export function inOrder<T extends object>(struct: T): T {
  const fields = Object.entries(struct).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.toSorted(([a], [b]) => idOf(a) - idOf(b))) as T;
}

function idOf(field: string): number {
  return Number(field.slice("field_".length));
}
