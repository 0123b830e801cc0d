import { isShared } from "../base/copy-bytes.ts";
import { isError } from "../base/status.ts";
import { ByteBuilder } from "../engine/byte-builder.ts";
import type {
  Column,
  Fingerprints,
  NormalizedColumn,
  NormalizedStrings,
} from "../engine/engine.ts";
import type { FingerprintOptions, NormalizedLines } from "../normalizer/calls.ts";
import { checkColumnSize } from "../normalizer/check-calls.ts";
import type { TurnCounts } from "../threads/turns.ts";
import {
  type BatchInput,
  type BatchPart,
  ColumnInput,
  LineInput,
  StringInput,
} from "./batch-inputs.ts";
import { type BatchCounts, BatchMemories } from "./batch-memory.ts";
import { type BatchTask, LONGEST } from "./batch-task.ts";
import type { PoolRunOptions } from "./chunk-runs.ts";
import type { SharedBatches } from "./shared-batches.ts";

/** Bytes of a part whose input or result is copied: few enough that its memory is kept for the next part. */
const COPIED = 1 << 24;
/** Bytes of a part whose input and result stay where they are. */
const IN_PLACE = 1 << 27;

/** So many chunks have room for their results after one of that size had none. */
const CHUNKS_WITH_ROOM = 4;
/** Bytes of a word, the unit in which memory is copied fast. */
const WORD = 8;

/** Holds the options of a call, and the key and bits of fingerprints. */
type CallOptions = FingerprintOptions<ArrayBufferLike> & PoolRunOptions;

/** Collects bytes of a result. If its memory is shared, threads write there. */
type Result = ByteBuilder<ArrayBufferLike>;

/** Takes the results of the rows that are done, which are in memory of the threads. */
type TakeResults = (
  results: Pick<BatchTask, "output" | "status" | "places">,
  done: TurnCounts,
) => void;

/**
 * Does batches on all threads at once, part by part. Each thread takes the next chunk of a part. Input in shared memory
 * is read in place, and its result stays in shared memory. Other input is copied first.
 */
export class ParallelBatches {
  readonly #batches: SharedBatches;
  readonly #memories = new BatchMemories();

  constructor(batches: SharedBatches) {
    this.#batches = batches;
  }

  /** Normalizes lines. */
  async lines(bytes: Uint8Array, options: CallOptions): Promise<NormalizedLines<ArrayBufferLike>> {
    const input = new LineInput(bytes);
    const out = resultFor(input, roomFor(bytes.length), options.into);
    const status = resultFor(input, input.rows);
    await this.#run("lines", input, out, options, (results, { rows }) =>
      status.append(results.status.subarray(0, rows)),
    );
    return { bytes: out.bytes(), status: status.bytes(), lines: status.length };
  }

  /** Normalizes the rows of a column that has `bytes` bytes. */
  async column(
    column: Column,
    bytes: number,
    options: CallOptions,
  ): Promise<NormalizedColumn<ArrayBufferLike>> {
    const input = new ColumnInput(column);
    const out = resultFor(input, roomFor(bytes), options.into);
    const status = resultFor(input, input.rows);
    // Threads write the ends of rows where they stay: V8 copies words of shared memory slowly to an odd place.
    const ends = new Int32Array(new SharedArrayBuffer(column.offsets.byteLength));
    const take: TakeResults = (results, { rows }) => {
      checkColumnSize(out.length);
      status.append(results.status.subarray(0, rows));
    };
    await this.#run("lines", input, out, options, take, ends);
    const offsets = isShared(column.data) ? ends : new Int32Array(ends);
    return { data: out.bytes(), offsets, status: status.bytes() };
  }

  /** Normalizes strings of `units` UTF-16 units in all. */
  async strings(
    urls: readonly string[],
    units: number,
    options: CallOptions,
  ): Promise<NormalizedStrings> {
    const normalized = urls.slice() as (string | null)[];
    const allStatus = new Uint8Array(urls.length);
    const input = new StringInput(urls, units);
    let first = 0;
    await this.#run("changes", input, null, options, (results, { rows, bytes, changes }) => {
      const { output, status, places } = results;
      const text = Buffer.from(output.buffer, output.byteOffset, bytes);
      let at = 0;
      for (let change = 0; change < 2 * changes; change += 2) {
        const end = at + (places[change + 1] as number);
        normalized[first + (places[change] as number)] = text.toString("latin1", at, end);
        at = end;
      }
      for (let row = 0; row < rows; row++) {
        if (isError(status[row] as number)) normalized[first + row] = null;
      }
      allStatus.set(status.subarray(0, rows), first);
      first += rows;
    });
    return { urls: normalized, status: allStatus };
  }

  /** Returns the fingerprints of URLs of `size` bytes, or UTF-16 units of strings, in all. */
  async fingerprints(
    urls: readonly string[] | Column | Uint8Array,
    size: number,
    options: CallOptions,
  ): Promise<Fingerprints<ArrayBufferLike>> {
    const input = inputOf(urls, size);
    const out = resultFor(input, input.rows * ((options.bits ?? 128) / 8), options.into);
    const status = resultFor(input, input.rows);
    await this.#run("fingerprints", input, out, options, (results, { rows }) =>
      status.append(results.status.subarray(0, rows)),
    );
    return { fingerprints: out.bytes(), status: status.bytes() };
  }

  /**
   * Calls `take` with the results of some rows after the other. Appends their output to `out` before, if that is not null.
   * `ends`: gets the ends of the rows of a column in the output, after a first offset.
   */
  async #run(
    kind: BatchTask["kind"],
    input: BatchInput,
    out: Result | null,
    options: CallOptions,
    take: TakeResults,
    ends: Int32Array | null = null,
  ): Promise<void> {
    const { base, key, bits = 128, signal, onProgress } = options;
    // The href of a URL object may change before a later part.
    const call = { kind, base: base?.toString(), key, bits };
    const name = (): string => `a batch after ${input.doneRows} URLs were done`;
    let reported = 0;
    const report =
      onProgress &&
      ((chunks: Pick<TurnCounts, "rows" | "input">): void => {
        const done = input.progress(chunks);
        if (done.rows <= reported) return;
        reported = done.rows;
        onProgress(done);
        signal?.throwIfAborted();
      });
    let least = 0;
    for (;;) {
      const target = out !== null && isShared(out.free) ? out.free.subarray(0, LONGEST) : null;
      input.checkMemory();
      const part = input.next(target !== null && sharedOf(input) !== null ? IN_PLACE : COPIED);
      if (part === null) return;
      const room = Math.min(Math.max(roomFor(part.bytes), least), LONGEST);
      const memory = this.#memories.take(countsOf(kind, part, target === null ? room : 0));
      const bytes = sharedOf(part) ?? alignedLike(memory.input, part.data);
      const offsets = part.offsets === "to write" ? memory.offsets : part.offsets;
      try {
        const length = input.write(bytes, offsets, part);
        if (length === null) continue;
        const work = {
          ...call,
          ...memory,
          input: bytes.subarray(0, length),
          offsets,
          output: target ?? alignedLike(memory.output, out?.free ?? null),
          places: ends?.subarray(input.doneRows + 1) ?? memory.places,
          start: out?.length ?? 0,
        };
        const done = await this.#batches.run({ work, name, report }, signal);
        if (!input.add(done)) continue;
        if (out !== null) append(out, work.output.subarray(0, done.bytes), input.share);
        take(work, done);
        least = Math.max(least, CHUNKS_WITH_ROOM * done.lackingBytes);
        if (done.lackingBytes > 0 && target !== null) out?.reserve(Math.max(room, least));
      } finally {
        this.#memories.release(memory);
      }
      report?.({ rows: 0, input: 0 });
    }
  }
}

function inputOf(urls: readonly string[] | Column | Uint8Array, size: number): BatchInput {
  if (urls instanceof Uint8Array) return new LineInput(urls);
  return "offsets" in urls ? new ColumnInput(urls) : new StringInput(urls, size);
}

/** Returns the bytes of an input if threads can read them where they are, or else null. */
function sharedOf({ data }: Pick<BatchInput, "data">): Uint8Array | null {
  return data !== null && isShared(data) ? data : null;
}

/** Returns memory without its first bytes, so that what is copied to or from `other` is copied fast. */
function alignedLike(memory: Uint8Array, other: Uint8Array | null): Uint8Array {
  return memory.subarray((other?.byteOffset ?? 0) % WORD);
}

/** Returns the builder of a result in `into`, or in the kind of memory that the input has. */
function resultFor(input: BatchInput, room: number, into?: Uint8Array): Result {
  return into === undefined && sharedOf(input) !== null
    ? ByteBuilder.over<ArrayBufferLike>(new SharedArrayBuffer(room))
    : ByteBuilder.inside<ArrayBufferLike>(into, 0);
}

/** Appends output, which is there already in shared memory. `share`: the share of the input that it and all before are of. */
function append(out: Result, output: Uint8Array, share: number): void {
  if (isShared(out.free)) {
    out.length += output.length;
    return;
  }
  if (out.memory.byteLength === 0 && share > 0) {
    // Room for the whole result, and not much more: the process has memory of that size from earlier results.
    const slack = share < 1 ? output.length >> 4 : 0;
    out.reserve(Math.min(LONGEST, Math.ceil((output.length + slack) / share)));
  }
  out.append(output);
}

/**
 * Returns enough room for the result of this many bytes in nearly all cases. Memory that is not written to
 * costs nothing.
 */
function roomFor(bytes: number): number {
  return bytes + (Math.min(bytes, 1 << 30) >> 2) + (1 << 18);
}

function countsOf(kind: BatchTask["kind"], part: BatchPart, output: number): BatchCounts {
  const { rows, offsets } = part;
  return {
    input: sharedOf(part) === null ? part.bytes + WORD : 0,
    offsets: offsets === "to write" ? rows + 1 : 0,
    output: output + WORD,
    status: rows,
    places: kind === "changes" ? 2 * rows : 0,
  };
}
