import { copyBytes, isShared } from "../base/copy-bytes.ts";
import { isError } from "../base/status.ts";
import type {
  Column,
  Fingerprints,
  NormalizedColumn,
  NormalizedStrings,
} from "../engine/engine.ts";
import { stringMemory, textsToJoin, writeUtf8 } from "../engine/strings.ts";
import type { NormalizedLines } from "../normalizer/calls.ts";
import type { TurnCounts, Turns } from "../threads/turns.ts";
import { LF } from "../url/codes.ts";
import { BatchMemories, type BatchMemory, copied, copiedInto } from "./batch-memory.ts";
import type { BatchTask } from "./batch-task.ts";
import type { CallOptions } from "./chunked-batches.ts";
import type { SharedBatches } from "./shared-batches.ts";

/** Bytes of the largest batch, because positions are Int32. */
const LARGEST = 1 << 30;
/** Bytes that are written before the threads may read them. */
const PIECE = 1 << 18;

/** The input of a batch: bytes of lines, or of a column with the offsets of its rows. */
interface BatchInput {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array | null;
}

/** The room for the result of a batch. */
interface BatchRoom {
  readonly output: number;
  readonly rows: number;
  readonly places: number;
}

/** The result of a batch, in shared memory. */
interface BatchOutcome {
  readonly totals: TurnCounts;
  readonly output: Uint8Array;
  readonly status: Uint8Array;
  readonly places: Int32Array;
}

/**
 * Does whole batches on all threads at once. Each thread takes the next chunk of the input. Input in shared
 * memory is read in place, and its result stays in shared memory. Other input is copied while the threads
 * work on the part that is already copied. A method returns null for a batch that must be done chunk by
 * chunk.
 */
export class ParallelBatches {
  readonly #batches: SharedBatches;
  readonly #memories = new BatchMemories();

  constructor(batches: SharedBatches) {
    this.#batches = batches;
  }

  /** Normalizes lines. */
  lines(bytes: Uint8Array, options: CallOptions): Promise<NormalizedLines<ArrayBufferLike> | null> {
    const room = { output: roomFor(bytes.length), rows: bytes.length + 1, places: 0 };
    return this.#run("lines", { bytes, offsets: null }, room, options, (outcome, keep) => ({
      bytes: outcome.output,
      status: keep(outcome.status),
      lines: outcome.totals.rows,
    }));
  }

  /** Normalizes the rows of a column. */
  column(column: Column, options: CallOptions): Promise<NormalizedColumn<ArrayBufferLike> | null> {
    const input = inputOf(column);
    const rows = column.offsets.length - 1;
    const room = { output: roomFor(input.bytes.length), rows, places: rows + 1 };
    return this.#run("lines", input, room, options, ({ output, status, places }, keep) => {
      places[0] = 0;
      const offsets = isShared(column.data) ? places : new Int32Array(places);
      return { data: output, offsets, status: keep(status) };
    });
  }

  /** Returns the fingerprints of lines, or of the rows of a column. */
  fingerprints(
    urls: Column | Uint8Array,
    options: CallOptions,
  ): Promise<Fingerprints<ArrayBufferLike> | null> {
    const isLines = urls instanceof Uint8Array;
    const input = isLines ? { bytes: urls, offsets: null } : inputOf(urls);
    const rows = isLines ? urls.length + 1 : urls.offsets.length - 1;
    const width = (options.bits ?? 128) / 8;
    const room = { output: isLines ? roomFor(urls.length) : width * rows, rows, places: 0 };
    return this.#run("fingerprints", input, room, options, ({ output, status }, keep) => ({
      fingerprints: output,
      status: keep(status),
    }));
  }

  /** Normalizes strings of `units` UTF-16 units in all. */
  strings(
    urls: readonly string[],
    units: number,
    options: CallOptions,
  ): Promise<NormalizedStrings | null> {
    const room = { output: roomFor(3 * units), rows: urls.length, places: 2 * urls.length };
    return this.#runStrings("changes", urls, units, room, options, (outcome) =>
      patched(urls, outcome),
    );
  }

  /** Returns the fingerprints of strings of `units` UTF-16 units in all. */
  fingerprintsOfStrings(
    urls: readonly string[],
    units: number,
    options: CallOptions,
  ): Promise<Fingerprints<ArrayBufferLike> | null> {
    const width = (options.bits ?? 128) / 8;
    const room = { output: width * urls.length, rows: urls.length, places: 0 };
    return this.#runStrings("fingerprints", urls, units, room, options, ({ output, status }) => ({
      fingerprints: copiedInto(output, options.into),
      status: copied(status),
    }));
  }

  /** Runs strings as lines. */
  async #runStrings<R>(
    kind: BatchTask["kind"],
    urls: readonly string[],
    units: number,
    room: BatchRoom,
    options: CallOptions,
    read: (outcome: BatchOutcome) => R,
  ): Promise<R | null> {
    const length = 3 * units + urls.length;
    if (length > LARGEST || tellsOfProgress(options)) return null;
    const memory = this.#memories.take({ input: length, ...bytesOf(room) });
    const input = new Uint8Array(memory.input, 0, length);
    const output = new Uint8Array(memory.output, 0, room.output);
    const work = this.#work(kind, input, null, room, { ...memory, output }, options);
    return this.#batches.run(
      {
        work,
        feed: (turns) => feedStrings(urls, input, turns),
        // A string with a line end makes more rows than there are strings.
        read: (totals) =>
          totals.rows === urls.length ? read(viewed(work, totals, 2 * totals.changes)) : null,
        release: () => this.#memories.release(memory),
      },
      options.signal,
    );
  }

  /** `read` gets the output where the caller wants it. It copies the rest with `keep`, unless that may stay. */
  async #run<R>(
    kind: BatchTask["kind"],
    { bytes, offsets }: BatchInput,
    wanted: BatchRoom,
    options: CallOptions,
    read: (outcome: BatchOutcome, keep: (view: Uint8Array) => Uint8Array) => R,
  ): Promise<R | null> {
    const { into, signal } = options;
    const { length } = bytes;
    const shared = into !== undefined && isShared(into) ? into.subarray(0, LARGEST) : null;
    if (Math.max(length, wanted.output) > LARGEST || tellsOfProgress(options)) return null;
    const stays = isShared(bytes);
    const memories = stays ? new BatchMemories() : this.#memories;
    const sizes = { ...bytesOf(wanted), input: stays ? 0 : length };
    const memory = memories.take(shared === null ? sizes : { ...sizes, output: 0 });
    const input = stays ? bytes : new Uint8Array(memory.input, 0, length);
    const output = shared ?? new Uint8Array(memory.output, 0, wanted.output);
    const work = this.#work(kind, input, offsets, wanted, { ...memory, output }, options);
    const keep = (view: Uint8Array): Uint8Array => (stays ? view : copied(view));
    return this.#batches.run(
      {
        work,
        feed: (turns) => {
          if (stays) turns.publish(length, true);
          else feedBytes(bytes, input, turns);
          return true;
        },
        read: (totals) => {
          const outcome = viewed(work, totals, wanted.places);
          if (shared !== null) return read(outcome, keep);
          const { output: written } = outcome;
          const own = into === undefined ? keep(written) : copiedInto(written, into);
          return read({ ...outcome, output: own }, keep);
        },
        release: () => memories.release(memory),
      },
      signal,
    );
  }

  #work(
    kind: BatchTask["kind"],
    input: Uint8Array,
    offsets: Int32Array | null,
    room: BatchRoom,
    memory: Omit<BatchMemory, "output"> & { readonly output: Uint8Array },
    { base, key, bits }: CallOptions,
  ): Omit<BatchTask, "task" | "turns"> {
    return {
      kind,
      input,
      offsets,
      output: memory.output,
      status: new Uint8Array(memory.status, 0, room.rows),
      places: new Int32Array(memory.places, 0, room.places),
      base: base?.toString(),
      key,
      bits: bits ?? 128,
    };
  }
}

/** Returns whether the caller wants to know the progress of the batch. */
function tellsOfProgress({ onProgress }: CallOptions): boolean {
  return onProgress !== undefined;
}

/**
 * Returns enough room for the result of this many bytes in nearly all cases. Memory that is not written to
 * costs nothing.
 */
function roomFor(bytes: number): number {
  return bytes + (bytes >> 2) + PIECE;
}

function bytesOf({ output, rows, places }: BatchRoom): {
  output: number;
  status: number;
  places: number;
} {
  return { output, status: rows, places: 4 * places };
}

/** Returns the bytes of a column's rows, and their offsets from 0 on in shared memory. */
function inputOf({ data, offsets }: Column): BatchInput {
  const first = offsets[0] as number;
  const bytes = data.subarray(first, offsets.at(-1));
  if (first === 0 && isShared(offsets)) return { bytes, offsets };
  const shifted = new Int32Array(new SharedArrayBuffer(offsets.byteLength));
  if (first === 0) shifted.set(offsets);
  else
    for (let row = 0; row < offsets.length; row++) shifted[row] = (offsets[row] as number) - first;
  return { bytes, offsets: shifted };
}

function viewed(
  { output, status, places }: Omit<BatchTask, "task" | "turns">,
  totals: TurnCounts,
  placeCount: number,
): BatchOutcome {
  return {
    totals,
    output: output.subarray(0, totals.bytes),
    status: status.subarray(0, totals.rows),
    places: places.subarray(0, placeCount),
  };
}

/** Copies bytes to shared memory, piece by piece. */
function feedBytes(bytes: Uint8Array, input: Uint8Array, turns: Turns): void {
  let at = 0;
  do {
    const end = Math.min(at + PIECE, bytes.length);
    copyBytes(input, bytes.subarray(at, end), at);
    turns.publish(end, end === bytes.length);
    at = end;
  } while (at < bytes.length);
}

/** Writes strings to shared memory, one on each line. Returns false if a line cannot hold one of them. */
function feedStrings(urls: readonly string[], input: Uint8Array, turns: Turns): boolean {
  const memory = stringMemory(input);
  const joined = textsToJoin(memory);
  if (joined === 0) return false;
  let published = 0;
  let at = 0;
  for (let from = 0; from < urls.length; from += joined) {
    const text = urls.slice(from, from + joined).join("\n");
    if (text.includes("\r")) return false;
    at += writeUtf8(memory, text, at);
    input[at++] = LF;
    if (at - published < PIECE) continue;
    turns.publish(at, false);
    published = at;
  }
  turns.publish(at, true);
  return true;
}

/** Returns the strings with their results. */
function patched(
  urls: readonly string[],
  { output, status, places }: BatchOutcome,
): NormalizedStrings {
  const normalized = urls.slice() as (string | null)[];
  const text = Buffer.from(output.buffer, output.byteOffset, output.length);
  let at = 0;
  for (let change = 0; change < places.length; change += 2) {
    const end = at + (places[change + 1] as number);
    normalized[places[change] as number] = text.toString("latin1", at, end);
    at = end;
  }
  for (let row = 0; row < status.length; row++) {
    if (isError(status[row] as number)) normalized[row] = null;
  }
  return { urls: normalized, status: copied(status) };
}
