import type { Data } from "apache-arrow";
import { ByteBuilder } from "../engine/byte-builder.ts";
import { cutColumn } from "../engine/cut-column.ts";
import type { Column } from "../engine/engine.ts";
import { checkColumnSize, isView } from "../normalizer/check-calls.ts";
import { nullBitmapOf, nullsOf } from "./nulls.ts";
import { badColumn, makeChunk, type TextType, TYPE_ID } from "./vector-types.ts";

/** Bytes of a piece that is cut from a larger column. No row of a URL is longer. */
const PIECE = 1 << 30;

/** Holds normalized rows: row `i` is `bytes[offsets[i] .. offsets[i + 1])`, and empty if its status is an error. */
export interface TextRows {
  readonly bytes: Uint8Array;
  readonly offsets: ArrayLike<number>;
  readonly status: Uint8Array;
}

/**
 * Yields the rows of a chunk as columns with Int32 offsets. If the type allows larger chunks, each column has
 * at most `size` bytes. Throws `BAD_COLUMN` for buffers that do not fit the type.
 */
export function* columnsOf(data: Data<TextType>, size = PIECE): Generator<Column> {
  const { length } = data;
  const values: unknown = data.values ?? new Uint8Array(0);
  if (!isView(values, "Uint8Array")) throw badColumn("the values must be a Uint8Array");
  const bytes = values as Uint8Array;
  if (length === 0) return;
  if (data.typeId === TYPE_ID.UTF8_VIEW) {
    yield* readViews(bytes, data, size);
    return;
  }
  const isLarge = data.typeId === TYPE_ID.LARGE_UTF8;
  const type = isLarge ? "BigInt64Array" : "Int32Array";
  const given = data.valueOffsets as Int32Array | BigInt64Array | undefined;
  if (!isView(given, type)) throw badColumn(`the offsets must be of type ${type}`);
  const offsets = (given as Int32Array | BigInt64Array).subarray(0, length + 1);
  if (offsets.length <= length) {
    throw badColumn(`there are ${offsets.length} offsets for ${length} rows, not one more`);
  }
  if (isLarge) yield* cutLarge(bytes, offsets as BigInt64Array, size);
  else yield { data: bytes, offsets: offsets as Int32Array };
}

/** Yields rows with 64-bit offsets as columns of at most `size` bytes; a longer row is cut there. */
function* cutLarge(bytes: Uint8Array, offsets: BigInt64Array, size: number): Generator<Column> {
  const positions = positionsOf(offsets, bytes.length);
  for (const { first, end } of cutColumn({ offsets: positions }, size, positions.length)) {
    const start = positions[first] as number;
    const piece = new Int32Array(end - first + 1);
    for (let row = first; row <= end; row++) {
      piece[row - first] = Math.min((positions[row] as number) - start, size);
    }
    yield { data: bytes.subarray(start, start + (piece[end - first] as number)), offsets: piece };
  }
}

/**
 * Returns 64-bit offsets as numbers. Throws `BAD_COLUMN` unless they ascend and are within `length` bytes.
 */
function positionsOf(offsets: BigInt64Array, length: number): Float64Array {
  const positions = new Float64Array(offsets.length);
  let before = 0;
  for (let row = 0; row < offsets.length; row++) {
    const position = Number(offsets[row]);
    if (position < before) throw badColumn(`offset ${row} is ${position}, after ${before}`);
    positions[row] = before = position;
  }
  if (before > length) throw badColumn(`the last offset is ${before}, there are ${length} bytes`);
  return positions;
}

/** Makes a chunk with the type and the library of `like`. A row with an error is null. */
export function textChunk(like: Data<TextType>, { bytes, offsets, status }: TextRows): Data {
  const { length } = status;
  const chunk = { ...nullBitmapOf(status), length };
  if (like.typeId === TYPE_ID.UTF8_VIEW) {
    checkColumnSize(bytes.length);
    const values = viewsOf(bytes, offsets);
    return makeChunk(like, like.type, { ...chunk, values, variadicBuffers: [bytes] });
  }
  const valueOffsets = like.typeId === TYPE_ID.UTF8 ? smallOffsets(offsets) : largeOffsets(offsets);
  return makeChunk(like, like.type, { ...chunk, valueOffsets, values: bytes });
}

function smallOffsets(offsets: ArrayLike<number>): Int32Array {
  return offsets instanceof Int32Array ? offsets : Int32Array.from(offsets);
}

function largeOffsets(offsets: ArrayLike<number>): BigInt64Array {
  const large = new BigInt64Array(offsets.length);
  for (let row = 0; row < offsets.length; row++) large[row] = BigInt(offsets[row] as number);
  return large;
}

/**
 * Bytes of a view: the length, then either the text, or its first bytes, the number of its buffer and its
 * offset there.
 */
const VIEW = 16;
/** Bytes of the longest text that a view holds itself. */
const INLINE = 12;
const PREFIX = 4;
const NOTHING = new Uint8Array(0);

/**
 * Yields rows that are views of buffers, as columns of at most `size` bytes. A longer row is cut there. The view of a null may be
 * anything; its row is empty.
 */
function* readViews(views: Uint8Array, data: Data<TextType>, size: number): Generator<Column> {
  const { length: rows, variadicBuffers = [] } = data;
  if (views.length < VIEW * rows)
    throw badColumn(`${views.length} bytes are too few for ${rows} views`);
  const isNull = nullsOf(data);
  const view = new DataView(views.buffer, views.byteOffset, views.byteLength);
  let bytes = ByteBuilder.withRoom(32 * rows);
  let offsets = [0];
  for (let row = 0; row < rows; row++) {
    const text = isNull?.(row)
      ? NOTHING
      : textAt(view, views, variadicBuffers, row).subarray(0, size);
    if (bytes.length > 0 && bytes.length + text.length > size) {
      yield { data: bytes.bytes(), offsets: Int32Array.from(offsets) };
      bytes = ByteBuilder.withRoom(bytes.length);
      offsets = [0];
    }
    bytes.append(text);
    offsets.push(bytes.length);
  }
  yield { data: bytes.bytes(), offsets: Int32Array.from(offsets) };
}

function textAt(
  view: DataView,
  views: Uint8Array,
  buffers: readonly Uint8Array[],
  row: number,
): Uint8Array {
  const at = VIEW * row;
  const length = view.getInt32(at, true);
  if (length < 0) throw badColumn(`view ${row} has the length ${length}`);
  if (length <= INLINE) return views.subarray(at + 4, at + 4 + length);
  const number = view.getInt32(at + 8, true);
  const start = view.getInt32(at + 12, true);
  const buffer = buffers[number];
  if (buffer === undefined) throw badColumn(`view ${row} is of buffer ${number}, which is missing`);
  if (start < 0 || start + length > buffer.length) {
    throw badColumn(`view ${row} ends at ${start + length}, its buffer at ${buffer.length}`);
  }
  return buffer.subarray(start, start + length);
}

/** Returns views of the rows in the first buffer. */
function viewsOf(bytes: Uint8Array, offsets: ArrayLike<number>): Uint8Array {
  const rows = offsets.length - 1;
  const views = new Uint8Array(VIEW * rows);
  const view = new DataView(views.buffer);
  for (let row = 0; row < rows; row++) {
    const start = offsets[row] as number;
    const end = offsets[row + 1] as number;
    const at = VIEW * row;
    view.setInt32(at, end - start, true);
    const inView = end - start <= INLINE ? end : start + PREFIX;
    views.set(bytes.subarray(start, inView), at + 4);
    if (inView < end) view.setInt32(at + 12, start, true);
  }
  return views;
}
