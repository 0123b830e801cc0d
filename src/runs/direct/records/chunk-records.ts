import { isError } from "../../../base/status.ts";
import type { ChunkPlace } from "../../../formats/index.ts";
import type { PlainFile } from "../../../io/files/plain-file.ts";
import { makeRoom, type Slot } from "../../../threads/slots.ts";
import { errorLines } from "../../base/error-list.ts";
import { BLOCKED_CODE, WRITTEN } from "../../base/marks.ts";
import type { ChunkResult, RowsToMerge, Slice } from "../../call/job.ts";
import { type GridReader, type LongLineRange, OVERHEAD } from "../../grid/grid-reader.ts";
import { partitionOf } from "../../keys/partition-of.ts";
import type { ChunkProcessor } from "../../rows/chunk-processor.ts";
import type { DirectChunk, Split, TakePartitions } from "../../rows/direct-chunk.ts";
import type { WorkerCounts } from "../../rows/worker-counts.ts";
import type { ReadRecords } from "./own-records.ts";
import type { FilePlaces } from "./record-places.ts";

/** Words of 32 bits of a fingerprint. */
const WORDS = 4;

/** Holds a chunk of records from reading to writing. */
export class ChunkRecords implements DirectChunk {
  readonly #processor: ChunkProcessor;
  readonly #places: ReadonlyMap<PlainFile, FilePlaces>;
  readonly #readRecords: ReadRecords;
  readonly #slot: Slot<ArrayBufferLike>;
  /** Memory for chosen records. The next chunk uses it again. */
  #target = new ArrayBuffer(0);
  #result: ChunkResult | null = null;
  /** How the records are read. */
  #place: ChunkPlace | null = null;
  /**
   * The partition of each row's fingerprint, or the mark of a row without one (job.ts), which is larger than all partitions.
   */
  #partitions = new Uint8Array(0);
  /** The number of fingerprints before each partition. */
  #starts = new Int32Array(0);
  chunk = -1;
  rows = 0;
  located = 0;
  failed = 0;
  blocked = 0;
  tabbed = 0;
  long: LongLineRange | null = null;
  isLongBegun = false;
  failure: unknown = null;
  merged: Uint8Array | null = null;

  /** `places`: the headers that the chunks of each file have. */
  constructor(
    processor: ChunkProcessor,
    places: ReadonlyMap<PlainFile, FilePlaces>,
    readRecords: ReadRecords,
    chunkBytes: number,
  ) {
    this.#processor = processor;
    this.#places = places;
    this.#readRecords = readRecords;
    this.#slot = {
      input: new ArrayBuffer(chunkBytes + OVERHEAD),
      output: new ArrayBuffer(chunkBytes),
    };
  }

  /** Returns the memory for a chunk. */
  get input(): Uint8Array {
    return new Uint8Array(this.#slot.input);
  }

  /** The most bytes of a chunk for which there is room. */
  get capacity(): number {
    return this.#slot.input.byteLength;
  }

  /** Makes room for a chunk, whose bytes so far are lost. */
  reserve(bytes: number): boolean {
    makeRoom(this.#slot, bytes);
    return true;
  }

  load(chunk: number, reader: GridReader): void {
    this.chunk = chunk;
    this.rows = 0;
    this.located = 0;
    this.failed = 0;
    this.blocked = 0;
    this.tabbed = 0;
    this.#result = null;
    this.long = null;
    this.isLongBegun = false;
    this.failure = null;
    this.merged = null;
    try {
      this.#load(reader);
    } catch (error) {
      this.failure = error;
    }
  }

  #load(reader: GridReader): void {
    const { long, length, file, isFirst } = this.#readRecords(this.chunk, this, reader);
    this.long = long;
    const { first, rest } = this.#places.get(file) as FilePlaces;
    const place = isFirst ? first : rest;
    this.#place = place;
    const task = { ...this.#slot, length, place };
    const result = this.#processor.run(task);
    this.#slot.output = result.output;
    this.#result = result;
    this.rows = result.rows;
    this.located = result.located;
    this.tabbed = result.tabbed;
    this.blocked = result.errorsByCode[BLOCKED_CODE] ?? 0;
    this.failed = Object.values(result.errorsByCode).reduce((sum, count) => sum + count, 0);
  }

  split(_key: Uint8Array, { partitions, bits }: Split, take: TakePartitions): void {
    const ends = new Int32Array(partitions);
    const rows = this.#result?.rowsToMerge ?? null;
    if (rows === null) {
      take(new Uint8Array(0), ends);
      return;
    }
    const marks = this.#view(rows.status);
    const count = marks.length;
    const from = new Int32Array(this.#slot.output, rows.fingerprints.at, WORDS * count);
    const partitionOfRow = new Uint8Array(count);
    for (let row = 0; row < count; row++) {
      const mark = marks[row] as number;
      // WRITTEN and LEFT_OUT are larger than every status of a URL, and than every partition.
      const partition = isError(mark) ? mark : partitionOf(from[WORDS * row] as number, partitions);
      partitionOfRow[row] = partition;
      if (partition < partitions) bump(ends, partition);
    }
    for (let partition = 1; partition < partitions; partition++)
      bump(ends, partition, ends[partition - 1] as number);
    const starts = startsOf(ends);
    this.#partitions = partitionOfRow;
    this.#starts = starts;
    if (partitions === 1 && bits === 128 && ends[0] === count) {
      take(this.#view(rows.fingerprints), ends);
      return;
    }
    const next = starts.slice();
    // Words are copied one by one: a view or a loop for each fingerprint would take longer than all else here.
    const width = bits >> 5;
    const words = new Int32Array(width * (ends[partitions - 1] as number));
    for (let row = 0; row < count; row++) {
      const partition = partitionOfRow[row] as number;
      if (partition >= partitions) continue;
      const to = width * (next[partition] as number);
      const at = WORDS * row;
      words[to] = from[at] as number;
      words[to + 1] = from[at + 1] as number;
      if (width === WORDS) {
        words[to + 2] = from[at + 2] as number;
        words[to + 3] = from[at + 3] as number;
      }
      bump(next, partition);
    }
    take(new Uint8Array(words.buffer), ends);
  }

  chosen(_parts: number, answers: Uint8Array): Uint8Array {
    const rows = this.#result?.rowsToMerge ?? null;
    if (rows === null) return new Uint8Array(0);
    const isChosen = this.#rowsWith(1, answers);
    const { input, output } = this.#slot;
    const text = rows.text ?? this.#textOf(rows);
    const memory = rows.text === null ? input : output;
    if (!isChosen.includes(0)) return new Uint8Array(memory, text.at, text.bytes);
    if (this.#target.byteLength < text.bytes) this.#target = new ArrayBuffer(text.bytes);
    const { starts } = rows;
    const task = { memory, text, output, starts, isChosen, target: this.#target };
    return new Uint8Array(this.#target, 0, this.#processor.choose(task));
  }

  listMerged(answers: Uint8Array): void {
    const rows = this.#result?.rowsToMerge ?? null;
    this.merged = new Uint8Array(0);
    if (rows === null) return;
    const isMerged = this.#rowsWith(0, answers);
    if (!isMerged.includes(1)) return;
    const { input: memory, output } = this.#slot;
    const place = this.#place as ChunkPlace;
    const task = { memory, output, text: this.#textOf(rows), starts: rows.lines, isMerged, place };
    this.merged = this.#processor.list(task);
  }

  /** Returns a byte for each row: 1 if it has this answer for its key. A row that is written without a key is as if new. */
  #rowsWith(wanted: 0 | 1, answers: Uint8Array): Uint8Array {
    const next = this.#starts.slice();
    const partitions = this.#partitions;
    const isWanted = new Uint8Array(partitions.length);
    for (let row = 0; row < isWanted.length; row++) {
      const partition = partitions[row] as number;
      if (partition < next.length) {
        isWanted[row] = answers[next[partition] as number] === wanted ? 1 : 0;
        bump(next, partition);
      } else if (partition === WRITTEN) isWanted[row] = wanted;
    }
    return isWanted;
  }

  /** Returns the part of the input that has the rows. */
  #textOf({ lines }: RowsToMerge): Slice {
    const all = new Int32Array(this.#slot.output, lines.at, lines.bytes >> 2);
    return { at: 0, bytes: all.at(-1) as number };
  }

  written(): Uint8Array {
    return this.#result === null ? new Uint8Array(0) : this.#view(this.#result.text);
  }

  errorLines(first: number): Uint8Array {
    return this.#result === null ? new Uint8Array(0) : errorLines(this.#result.errors, first);
  }

  addTo(counts: WorkerCounts): void {
    if (this.long !== null) counts.addLong();
    if (this.#result !== null) counts.addResult(this.#result);
  }

  #view({ at, bytes }: Slice): Uint8Array {
    return new Uint8Array(this.#slot.output, at, bytes);
  }
}

/** Returns where each partition begins, given where each ends. */
function startsOf(ends: Int32Array): Int32Array<ArrayBuffer> {
  const starts = new Int32Array(ends.length);
  starts.set(ends.subarray(0, -1), 1);
  return starts;
}

function bump(numbers: Int32Array, at: number, by = 1): void {
  numbers[at] = (numbers[at] as number) + by;
}
