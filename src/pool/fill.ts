import { copyBytes } from "../base/copy-bytes.ts";
import type { Rows } from "../engine/cut-column.ts";
import type { Column } from "../engine/engine.ts";
import { stringMemory, writeUtf8 } from "../engine/strings.ts";
import { makeRoom, type Slot } from "../threads/slots.ts";
import { columnStart, type Task } from "./tasks.ts";

/** Describes the input that was written to a slot. */
export interface Filled extends Pick<Task, "kind" | "length" | "rows"> {
  /** Gives the size of the input as `PoolProgress.bytes` counts it. */
  readonly size: number;
}

/** Copies lines to the input of a slot. */
export function fillLines(
  kind: "lines" | "fingerprints of lines",
  lines: Uint8Array,
  slot: Slot,
): Filled {
  makeRoom(slot, lines.length);
  copyBytes(new Uint8Array(slot.input), lines, 0);
  return { kind, length: lines.length, rows: 0, size: lines.length };
}

/** Copies rows of a column to the input of a slot: their offsets, from 0 on, then their bytes. */
export function fillColumn(
  kind: "column" | "fingerprints",
  { data, offsets }: Column,
  { first, end }: Rows,
  slot: Slot,
): Filled {
  const rows = end - first;
  const start = offsets[first] as number;
  const stop = offsets[end] as number;
  const dataStart = columnStart(rows);
  const length = dataStart + stop - start;
  makeRoom(slot, length);
  const copied = new Int32Array(slot.input, 0, rows + 1);
  for (let row = 0; row <= rows; row++) copied[row] = (offsets[first + row] as number) - start;
  copyBytes(new Uint8Array(slot.input), data.subarray(start, stop), dataStart);
  return { kind, length, rows, size: stop - start };
}

/**
 * Writes strings to the input of a slot as a column: their offsets, from 0 on, then their bytes as
 * UTF-8.
 */
export function fillStrings(
  kind: "column" | "fingerprints",
  urls: readonly string[],
  { first, end }: Rows,
  slot: Slot,
): Filled {
  const rows = end - first;
  let at = columnStart(rows);
  let size = 0;
  for (let row = first; row < end; row++) size += (urls[row] as string).length;
  // A UTF-16 unit takes at most 3 bytes of UTF-8.
  makeRoom(slot, at + 3 * size);
  const dataStart = at;
  const offsets = new Int32Array(slot.input, 0, rows + 1);
  const memory = stringMemory(new Uint8Array(slot.input));
  for (let row = 0; row < rows; row++) {
    offsets[row] = at - dataStart;
    at += writeUtf8(memory, urls[first + row] as string, at);
  }
  offsets[rows] = at - dataStart;
  return { kind, length: at, rows, size };
}
