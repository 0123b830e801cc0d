import { ByteBuilder } from "../engine/byte-builder.ts";
import type { Column, Fingerprints, NormalizedColumn } from "../engine/engine.ts";
import type { Normalizer } from "../normalizer/normalizer.ts";
import type { Slot } from "../threads/slots.ts";
import type { BatchTask } from "./batch-task.ts";

/**
 * Describes one chunk for a worker. The input of its slot holds lines, or a column: `rows + 1`
 * Int32 offsets and then the data.
 */
export interface Task extends Slot {
  readonly kind: "lines" | "column" | "fingerprints" | "fingerprints of lines";
  /** Counts the bytes of input. */
  readonly length: number;
  /** Counts the rows of a column. */
  readonly rows: number;
  readonly base: string | undefined;
  /** Holds the key of fingerprints, 16 bytes. */
  readonly key: Uint8Array | undefined;
  readonly bits: 128 | 64;
}

/**
 * Describes the result of a chunk. It is in the output of its slot, which may be new memory.
 *
 * For lines, the output holds `bytes` of lines and then a status byte for each. For a column, it holds
 * `rows + 1` Int32 offsets, status, and `bytes` of data. For fingerprints, it holds `bytes` of them, then
 * status.
 */
export interface TaskResult {
  readonly output: SharedArrayBuffer;
  readonly rows: number;
  readonly bytes: number;
}

/** Describes the work that a worker of a pool can get. */
export type PoolTask = Task | BatchTask;
/** Holds the answer of a worker: the result of a chunk, or whether nothing is left of a batch. */
export type PoolResult = TaskResult | boolean;

/** Does the task of a worker. */
export function runTask(normalizer: Normalizer, task: Task): TaskResult {
  const out = ByteBuilder.over(task.output);
  const options = task.base === undefined ? {} : { base: task.base };
  switch (task.kind) {
    case "lines": {
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
    case "column": {
      const { data, offsets, status } = normalizer.normalizeColumn(columnOf(task), options);
      out.append(new Uint8Array(offsets.buffer, offsets.byteOffset, offsets.byteLength));
      out.append(status);
      out.append(data);
      return { output: out.memory, rows: task.rows, bytes: data.length };
    }
    case "fingerprints":
    case "fingerprints of lines": {
      const keyed = { ...options, bits: task.bits, ...(task.key && { key: task.key }) };
      const urls =
        task.kind === "fingerprints" ? columnOf(task) : new Uint8Array(task.input, 0, task.length);
      const { fingerprints, status } = normalizer.fingerprintBatch(urls, keyed);
      out.append(fingerprints);
      out.append(status);
      return { output: out.memory, rows: status.length, bytes: fingerprints.length };
    }
  }
}

/** Returns where the data of a column with `rows` rows begins, after its offsets. */
export function columnStart(rows: number): number {
  return 4 * (rows + 1);
}

function columnOf({ input, length, rows }: Task): Column {
  const start = columnStart(rows);
  return {
    data: new Uint8Array(input, start, length - start),
    offsets: new Int32Array(input, 0, rows + 1),
  };
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

/** Returns the parts of a result of fingerprints, as views of the slot. */
export function fingerprintsResult({
  output,
  rows,
  bytes,
}: TaskResult): Fingerprints<SharedArrayBuffer> {
  return {
    fingerprints: new Uint8Array(output, 0, bytes),
    status: new Uint8Array(output, bytes, rows),
  };
}
