import { copyBytes } from "../base/copy-bytes.ts";
import { ByteBuilder } from "../engine/byte-builder.ts";
import type { NormalizedColumn } from "../engine/engine.ts";
import { type StringMemory, stringMemory, writeUtf8 } from "../engine/strings.ts";
import type { Normalizer } from "../normalizer/normalizer.ts";
import { makeRoom, type Slot } from "../threads/slots.ts";
import { runBatchTask } from "./batch-task.ts";
import { received, type SentTask } from "./sent-task.ts";

/**
 * Describes one chunk of a stream for a worker. The input of its slot holds lines, or a column: `rows + 1`
 * Int32 offsets and then the data.
 */
export interface Task extends Slot {
  readonly kind: "lines" | "column";
  /** Counts the bytes of input. */
  readonly length: number;
  /** Counts the rows of a column. */
  readonly rows: number;
  readonly base: string | undefined;
}

/** Describes the input that was written to a slot. */
export interface Filled extends Pick<Task, "kind" | "length" | "rows"> {
  /** Gives the size of the input as `PoolProgress.bytes` counts it. */
  readonly size: number;
}

/**
 * Describes the result of a chunk. It is in the output of its slot, which may be new memory.
 *
 * For lines, the output holds `bytes` of lines and then a status byte for each. For a column, it holds
 * `rows + 1` Int32 offsets, status, and `bytes` of data.
 */
export interface TaskResult {
  readonly output: SharedArrayBuffer;
  readonly rows: number;
  readonly bytes: number;
}

/** Describes the work that a worker of a pool can get. */
export type PoolTask = Task | SentTask;
/** Holds the answer of a worker: the result of a chunk, or whether nothing is left of a batch. */
export type PoolResult = TaskResult | boolean;

/** Does the task of a worker. */
export function runTask(normalizer: Normalizer, task: PoolTask): PoolResult {
  if ("turns" in task) return runBatchTask(normalizer, received(task));
  const out = ByteBuilder.over(task.output);
  const options = task.base === undefined ? {} : { base: task.base };
  if (task.kind === "lines") {
    const status = ByteBuilder.withRoom(1 + (task.length >> 4));
    const lines = new Uint8Array(task.input, 0, task.length);
    normalizer.normalizeWindows(lines, true, options, (window) => {
      out.append(window.output);
      status.append(window.status);
    });
    const bytes = out.length;
    out.append(status.bytes());
    return { output: out.memory, rows: status.length, bytes };
  }
  const start = columnStart(task.rows);
  const column = {
    data: new Uint8Array(task.input, start, task.length - start),
    offsets: new Int32Array(task.input, 0, task.rows + 1),
  };
  const { data, offsets, status } = normalizer.normalizeColumn(column, options);
  out.append(new Uint8Array(offsets.buffer, offsets.byteOffset, offsets.byteLength));
  out.append(status);
  out.append(data);
  return { output: out.memory, rows: task.rows, bytes: data.length };
}

/** Copies lines to the input of a slot. */
export function fillLines(lines: Uint8Array, slot: Slot): Filled {
  makeRoom(slot, lines.length);
  copyBytes(new Uint8Array(slot.input), lines, 0);
  return { kind: "lines", length: lines.length, rows: 0, size: lines.length };
}

/** Writes strings to the input of a slot as a column. */
export function fillStrings(urls: readonly string[], slot: Slot): Filled {
  const { length: rows } = urls;
  const size = urls.reduce((sum, { length }) => sum + length, 0);
  const start = columnStart(rows);
  // A UTF-16 unit takes at most 3 bytes of UTF-8.
  makeRoom(slot, start + 3 * size);
  const offsets = new Int32Array(slot.input, 0, rows + 1);
  const length = writeRows(urls, stringMemory(new Uint8Array(slot.input)), start, offsets);
  return { kind: "column", length, rows, size };
}

/**
 * Writes strings as rows of a column: their bytes as UTF-8 from `start` on, and their offsets, from 0 on. Returns where
 * the bytes end.
 */
export function writeRows(
  urls: readonly string[],
  memory: StringMemory,
  start: number,
  offsets: Int32Array,
): number {
  let at = start;
  for (let row = 0; row < urls.length; row++) {
    offsets[row] = at - start;
    at += writeUtf8(memory, urls[row] as string, at);
  }
  offsets[urls.length] = at - start;
  return at;
}

/** Returns where the data of a column with `rows` rows begins, after its offsets. */
function columnStart(rows: number): number {
  return 4 * (rows + 1);
}

/** Returns the parts of a result of lines, as views of the slot. */
export function linesResult({ output, rows, bytes }: TaskResult): {
  bytes: Uint8Array;
  status: Uint8Array;
} {
  return { bytes: new Uint8Array(output, 0, bytes), status: new Uint8Array(output, bytes, rows) };
}

/** Returns the parts of a result of a column, as views of the slot. */
export function columnResult({
  output,
  rows,
  bytes,
}: TaskResult): NormalizedColumn<SharedArrayBuffer> {
  const statusAt = columnStart(rows);
  return {
    offsets: new Int32Array(output, 0, rows + 1),
    status: new Uint8Array(output, statusAt, rows),
    data: new Uint8Array(output, statusAt + rows, bytes),
  };
}
