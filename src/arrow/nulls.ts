import type { Data } from "apache-arrow";
import { isError } from "../base/status.ts";
import { ByteBuilder } from "../engine/byte-builder.ts";
import type { Column } from "../engine/engine.ts";
import { badColumn } from "./vector-types.ts";

export type IsNull = (row: number) => boolean;

/**
 * Returns a function that tells which rows of a chunk are null, or null for a chunk without nulls. Throws
 * `BAD_COLUMN` for a bitmap with fewer bits than rows.
 */
export function nullsOf(data: Data): IsNull | null {
  const { nullBitmap, offset, length } = data;
  if (nullBitmap === undefined || nullBitmap.length === 0 || data.nullCount <= 0) return null;
  if (8 * nullBitmap.length < offset + length) {
    throw badColumn(`the null bitmap has ${nullBitmap.length} bytes for ${offset + length} rows`);
  }
  return (row) => {
    const at = offset + row;
    return ((nullBitmap[at >> 3] as number) & (1 << (at & 7))) === 0;
  };
}

/** Returns the column without the bytes of nulls, or the same column if nulls have no bytes. */
export function withoutNullBytes(column: Column, isNull: IsNull): Column {
  const { data, offsets } = column;
  const rows = offsets.length - 1;
  const lengthOf = (row: number): number => (offsets[row + 1] as number) - (offsets[row] as number);
  let row = 0;
  while (row < rows && !(isNull(row) && lengthOf(row) > 0)) row++;
  if (row === rows) return column;
  const kept = ByteBuilder.withRoom((offsets[rows] as number) - (offsets[0] as number));
  const ends = new Int32Array(rows + 1);
  for (row = 0; row < rows; row++) {
    if (!isNull(row)) kept.append(data.subarray(offsets[row], offsets[row + 1]));
    ends[row + 1] = kept.length;
  }
  return { data: kept.bytes(), offsets: ends };
}

/** Returns the bitmap in which rows whose status is an error are null. It is empty if no row has an error. */
export function nullBitmapOf(status: Uint8Array): { nullBitmap: Uint8Array; nullCount: number } {
  const nullBitmap = new Uint8Array((status.length + 7) >> 3);
  let nullCount = 0;
  for (let row = 0; row < status.length; row++) {
    if (isError(status[row] as number)) nullCount++;
    else nullBitmap[row >> 3] = (nullBitmap[row >> 3] as number) | (1 << (row & 7));
  }
  return { nullBitmap: nullCount === 0 ? new Uint8Array(0) : nullBitmap, nullCount };
}
