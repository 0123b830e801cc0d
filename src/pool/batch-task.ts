import { copyBytes } from "../base/copy-bytes.ts";
import { UrlmillError } from "../base/errors.ts";
import { Status } from "../base/status.ts";
import { ByteBuilder } from "../engine/byte-builder.ts";
import type { LineWindow } from "../engine/engine.ts";
import type { Normalizer } from "../normalizer/normalizer.ts";
import { type TurnCounts, Turns } from "../threads/turns.ts";
import { LF } from "../url/chars.ts";

/** Bytes of input that a thread takes at a time: few enough to stay in its cache. */
export const CHUNK = 1 << 18;
/** The most bytes of output of a batch, because positions are Int32. */
export const LONGEST = 2 ** 31 - 1;

/**
 * Describes a batch in shared memory on which several threads work at once. Each thread gets a task of it.
 * Rows are lines, or the rows of a column if `offsets` is not null.
 */
export interface BatchTask {
  readonly kind: "lines" | "changes" | "fingerprints";
  /** Gives the number of the task in its batch, from 0 on. */
  readonly task: number;
  /** Says after how many chunks the task ends and is sent again, so that other work gets a turn. */
  readonly chunks: number;
  readonly turns: SharedArrayBuffer;
  readonly input: Uint8Array;
  readonly offsets: Int32Array | null;
  /** Gets the bytes of the result: lines, rows, changed rows or fingerprints. */
  readonly output: Uint8Array;
  readonly status: Uint8Array;
  /**
   * Gets the ends of rows in the output for a column, after `start`. For changes, gets the row number and the bytes of
   * each.
   */
  readonly places: Int32Array;
  readonly start: number;
  readonly base: string | undefined;
  readonly key: Uint8Array | undefined;
  readonly bits: 128 | 64;
}

/** The result of a chunk, in memory of the thread. */
interface ChunkOutcome extends Omit<TurnCounts, "input"> {
  readonly output: Uint8Array;
  readonly status: Uint8Array;
  /** Holds what `places` of the task will, counted from the first row and byte of the chunk. */
  readonly places: Int32Array;
}

/**
 * Does chunks of a batch until all are done, or until other calls must get a turn. Returns whether all are
 * done.
 */
export function runBatchTask(normalizer: Normalizer, task: BatchTask): boolean {
  const turns = new Turns(task.turns);
  try {
    const work = new ChunkWorker(normalizer, task);
    for (let count = 0; count < task.chunks; count++) {
      const chunk = turns.take();
      const range = rangeOf(task, turns, chunk);
      if (range === null) return true;
      const outcome = work.run(range);
      checkLength(outcome);
      if (!turns.waitForTurn(chunk)) return true;
      const { place } = turns;
      if (!hasRoom(task, place, outcome)) {
        turns.stopWithoutRoom(outcome.bytes);
        return true;
      }
      turns.pass(task.task, { ...outcome, input: range.to - range.from });
      put(task, place, outcome);
      turns.end(task.task);
    }
    return turns.isStopped;
  } catch (error) {
    turns.stop();
    throw error;
  }
}

/** A run of bytes of the input, or of rows of a column. */
interface ChunkRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the chunk with this number, which may be empty. Returns null after the last chunk, or if the batch
 * has stopped.
 */
function rangeOf({ input, offsets }: BatchTask, turns: Turns, number: number): ChunkRange | null {
  const bound = (at: number): number => (offsets === null ? lineAt(input, at) : rowAt(offsets, at));
  const from = bound(number * CHUNK);
  const end = offsets === null ? input.length : offsets.length - 1;
  return from === end || turns.isStopped ? null : { from, to: bound((number + 1) * CHUNK) };
}

/** Returns where the first line begins at `at` or later, or the end of the input. */
function lineAt(input: Uint8Array, at: number): number {
  if (at === 0) return 0;
  const newline = input.subarray(at - 1).indexOf(LF);
  return newline < 0 ? input.length : at + newline;
}

/** Returns the first row that begins `bytes` after the first one or later, or the number of rows. */
export function rowAt(offsets: Int32Array, bytes: number): number {
  const wanted = (offsets[0] as number) + bytes;
  let from = 0;
  let to = offsets.length - 1;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((offsets[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Normalizes chunks, in memory that it reuses. */
class ChunkWorker {
  readonly #normalizer: Normalizer;
  readonly #task: BatchTask;
  readonly #options: { readonly base?: string };
  readonly #output = ByteBuilder.withRoom(CHUNK + (CHUNK >> 3));
  readonly #status = ByteBuilder.withRoom(CHUNK >> 4);
  #places = new Int32Array(0);

  constructor(normalizer: Normalizer, task: BatchTask) {
    this.#normalizer = normalizer;
    this.#task = task;
    this.#options = task.base === undefined ? {} : { base: task.base };
  }

  run(chunk: ChunkRange): ChunkOutcome {
    if (this.#task.kind === "fingerprints") return this.#fingerprint(chunk);
    return this.#task.offsets === null ? this.#normalizeLines(chunk) : this.#normalizeRows(chunk);
  }

  #normalizeLines({ from, to }: ChunkRange): ChunkOutcome {
    const output = this.#output;
    const status = this.#status;
    output.length = 0;
    status.length = 0;
    const lines = this.#task.input.subarray(from, to);
    let changes = 0;
    this.#normalizer.normalizeWindows(lines, true, this.#options, (window) => {
      if (this.#task.kind === "lines") output.append(window.output);
      else if (window.changed > 0) changes = this.#appendChanges(window, 1, status.length, changes);
      status.append(window.status);
    });
    return {
      output: output.bytes(),
      status: status.bytes(),
      places: this.#places,
      bytes: output.length,
      rows: status.length,
      changes,
    };
  }

  /**
   * Appends the changed rows of a window to `changes` earlier ones; `row` is the number of its first row, and `ending` the
   * bytes after each row. Returns the new number of changes.
   */
  #appendChanges(
    { status, output, outputOffsets }: Pick<LineWindow, "status" | "output" | "outputOffsets">,
    ending: 0 | 1,
    row: number,
    changes: number,
  ): number {
    let count = changes;
    if (this.#places.length < 2 * (changes + status.length)) {
      const places = new Int32Array(4 * (changes + status.length));
      places.set(this.#places);
      this.#places = places;
    }
    for (let at = 0; at < status.length; at++) {
      if (status[at] !== Status.CHANGED) continue;
      const start = outputOffsets[at] as number;
      const end = (outputOffsets[at + 1] as number) - ending;
      this.#output.append(output.subarray(start, end));
      this.#places[2 * count] = row + at;
      this.#places[2 * count + 1] = end - start;
      count++;
    }
    return count;
  }

  #normalizeRows({ from, to }: ChunkRange): ChunkOutcome {
    const { input, offsets, kind } = this.#task;
    const column = { data: input, offsets: (offsets as Int32Array).subarray(from, to + 1) };
    const done = this.#normalizer.normalizeColumn(column, this.#options);
    const { data, offsets: outputOffsets, status } = done;
    const rows = to - from;
    if (kind === "lines") {
      return { output: data, status, places: outputOffsets, bytes: data.length, rows, changes: 0 };
    }
    const output = this.#output;
    output.length = 0;
    const changes = this.#appendChanges({ status, output: data, outputOffsets }, 0, 0, 0);
    const { length: bytes } = output;
    return { output: output.bytes(), status, places: this.#places, bytes, rows, changes };
  }

  #fingerprint({ from, to }: ChunkRange): ChunkOutcome {
    const { input, offsets, key, bits } = this.#task;
    const urls =
      offsets === null
        ? input.subarray(from, to)
        : { data: input, offsets: offsets.subarray(from, to + 1) };
    const options = { ...this.#options, bits, ...(key && { key }) };
    const { fingerprints, status } = this.#normalizer.fingerprintBatch(urls, options);
    return {
      output: fingerprints,
      status,
      places: this.#places,
      bytes: fingerprints.length,
      rows: status.length,
      changes: 0,
    };
  }
}

/** Throws `BATCH_TOO_LARGE` for the outcome of a chunk that no batch has room for. */
function checkLength({ bytes }: ChunkOutcome): void {
  if (bytes <= LONGEST) return;
  const message = `no room for ${bytes} bytes that some URLs become: use a shorter base, or smaller batches`;
  throw new UrlmillError("BATCH_TOO_LARGE", message);
}

function hasRoom(task: BatchTask, place: TurnCounts, outcome: ChunkOutcome): boolean {
  const { output, status, kind, places } = task;
  if (place.bytes + outcome.bytes > Math.min(output.length, LONGEST)) return false;
  if (place.rows + outcome.rows > status.length) return false;
  return kind !== "changes" || 2 * (place.changes + outcome.changes) <= places.length;
}

/** Copies the result of a chunk to its place in the result of the batch. */
function put(
  { kind, offsets, output, status, places, start }: BatchTask,
  place: TurnCounts,
  outcome: ChunkOutcome,
): void {
  copyBytes(output, outcome.output, place.bytes);
  copyBytes(status, outcome.status, place.rows);
  if (kind === "changes") {
    const from = 2 * place.changes;
    for (let at = 0; at < 2 * outcome.changes; at += 2) {
      places[from + at] = place.rows + (outcome.places[at] as number);
      places[from + at + 1] = outcome.places[at + 1] as number;
    }
  } else if (kind === "lines" && offsets !== null) {
    for (let row = 0; row < outcome.rows; row++) {
      places[place.rows + row] = start + place.bytes + (outcome.places[row + 1] as number);
    }
  }
}
