import { ByteBuilder } from "../engine/byte-builder.ts";
import type { Column } from "../engine/engine.ts";
import { badColumn } from "./vector-types.ts";

/**
 * Bytes of a view: the length, then either the text, or its first bytes, the number of its buffer and its
 * offset there.
 */
const VIEW = 16;
/** Bytes of the longest text that a view holds itself. */
const INLINE = 12;
const PREFIX = 4;

/** Yields rows that are views of buffers, as columns of at most `size` bytes. A longer row is cut there. */
export function* readViews(
  views: Uint8Array,
  buffers: readonly Uint8Array[] | undefined,
  rows: number,
  size: number,
): Generator<Column> {
  if (views.length < VIEW * rows)
    throw badColumn(`${views.length} bytes are too few for ${rows} views`);
  const view = new DataView(views.buffer, views.byteOffset, views.byteLength);
  let bytes = ByteBuilder.withRoom(32 * rows);
  let offsets = [0];
  for (let row = 0; row < rows; row++) {
    const text = textAt(view, views, buffers ?? [], row).subarray(0, size);
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
export function viewsOf(bytes: Uint8Array, offsets: ArrayLike<number>): Uint8Array {
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
