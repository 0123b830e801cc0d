import { copyBytes, isShared } from "../base/copy-bytes.ts";
import type { Column } from "../engine/engine.ts";
import { type StringMemory, stringMemory, textsToJoin, writeUtf8 } from "../engine/strings.ts";
import { memoryGone } from "../normalizer/check-calls.ts";
import { cutLines } from "../threads/chunks.ts";
import type { TurnCounts } from "../threads/turns.ts";
import { LF } from "../url/codes.ts";
import { rowAt } from "./batch-task.ts";
import type { PoolProgress } from "./chunk-runs.ts";
import { writeRows } from "./tasks.ts";

/** The most bytes of a line that threads read, more than any `maxLength`: a longer line is too long. */
const LONGEST_LINE = 1 << 27;

/** Describes the next part of a batch. */
export interface BatchPart {
  /** Limits the bytes of the input. */
  readonly bytes: number;
  /** Limits the rows. */
  readonly rows: number;
  /** Holds the offsets of the rows; "to write" if `write` writes them, null for lines. */
  readonly offsets: Int32Array | "to write" | null;
  /** Holds the bytes as they were given; null for strings. Threads read them where they are if they are in shared memory. */
  readonly data: Uint8Array | null;
}

/** Hands the input of a batch to threads, part by part. */
export abstract class BatchInput {
  /** Holds the bytes of all rows; null for strings. */
  readonly data: Uint8Array | null;
  /** Counts the rows; for lines, it is a guess. */
  readonly rows: number;
  readonly #length: number;
  doneRows = 0;

  constructor(data: Uint8Array | null, rows: number) {
    this.data = data;
    this.rows = rows;
    this.#length = data?.length ?? 0;
  }

  /** Throws `BAD_INPUT` if the memory of the bytes was transferred since the call, or has become shorter. */
  checkMemory(): void {
    if (this.data !== null && this.data.length < this.#length) throw memoryGone();
  }

  /** Returns the part after what is done, which ends before or in the row at `most` bytes; null if nothing is left. */
  abstract next(most: number): BatchPart | null;

  /**
   * Writes the part to shared memory, if it is not there. Returns the bytes of the part, or null if it cannot be written:
   * the next part has another form.
   */
  write(input: Uint8Array, _: Int32Array | null, { data }: BatchPart): number | null {
    const bytes = data as Uint8Array;
    if (!isShared(bytes)) copyBytes(input, bytes, 0);
    return bytes.length;
  }

  /** Adds chunks of the part to what is done. Returns false if their results are wrong: the part must be done again. */
  add({ rows }: TurnCounts): boolean {
    this.doneRows += rows;
    return true;
  }

  /** Gives the share of the input that is done, from 0 to 1. */
  get share(): number {
    return this.doneRows / this.rows;
  }

  /** Returns what a caller hears when chunks of the part are done, besides all that `add` has added. */
  abstract progress(chunks: Pick<TurnCounts, "rows" | "input">): PoolProgress;
}

/** Hands out lines. */
export class LineInput extends BatchInput {
  declare readonly data: Uint8Array;
  #doneBytes = 0;
  #partBytes = 0;

  constructor(data: Uint8Array) {
    super(data, 1 + (data.length >>> 4));
  }

  override get share(): number {
    return this.#doneBytes / this.data.length;
  }

  next(most: number): BatchPart | null {
    const [lines] = cutLines(this.data.subarray(this.#doneBytes), most);
    if (lines === undefined) return null;
    this.#partBytes = lines.length;
    const data = lines.subarray(0, LONGEST_LINE);
    return { bytes: data.length, rows: data.length, offsets: null, data };
  }

  override add(chunks: TurnCounts): boolean {
    this.#doneBytes = this.progress(chunks).bytes;
    return super.add(chunks);
  }

  progress({ rows, input }: Pick<TurnCounts, "rows" | "input">): PoolProgress {
    const bytes = input === LONGEST_LINE ? this.#partBytes : input;
    return { rows: this.doneRows + rows, bytes: this.#doneBytes + bytes };
  }
}

/** Hands out rows of a column. */
export class ColumnInput extends BatchInput {
  declare readonly data: Uint8Array;
  readonly #offsets: Int32Array;

  constructor({ data, offsets }: Column) {
    super(data, offsets.length - 1);
    this.#offsets = offsets;
  }

  next(most: number): BatchPart | null {
    const offsets = this.#offsets.subarray(this.doneRows);
    const rows = rowAt(offsets.subarray(0, 1 + (most >> 3)), most);
    if (rows === 0) return null;
    const data = this.data.subarray(offsets[0], offsets[rows]);
    if (!isShared(data) || !isShared(offsets)) {
      return { bytes: data.length, rows, offsets: "to write", data };
    }
    return { bytes: data.length, rows, offsets: offsets.subarray(0, rows + 1), data: this.data };
  }

  override write(input: Uint8Array, offsets: Int32Array, part: BatchPart): number | null {
    const given = this.#offsets.subarray(this.doneRows, this.doneRows + offsets.length);
    const start = given[0] as number;
    if (part.offsets === "to write" && start === 0) offsets.set(given);
    else if (part.offsets === "to write") {
      for (let row = 0; row < given.length; row++) offsets[row] = (given[row] as number) - start;
    }
    return super.write(input, offsets, part);
  }

  progress(chunks: Pick<TurnCounts, "rows">): PoolProgress {
    const rows = this.doneRows + chunks.rows;
    return { rows, bytes: (this.#offsets[rows] as number) - (this.#offsets[0] as number) };
  }
}

/**
 * Hands out strings as lines, which are written faster than the rows of a column. Strings that lines cannot hold, and those
 * after them, become rows of columns.
 */
export class StringInput extends BatchInput {
  readonly #urls: readonly string[];
  readonly #units: number;
  /** Where the rows of the part end. */
  #end = 0;
  /** The bytes of the lines of the part. */
  #written: number | null = 0;
  #isColumn = false;
  #counted: PoolProgress = { rows: 0, bytes: 0 };

  /** `units`: the UTF-16 units of all strings. */
  constructor(urls: readonly string[], units: number) {
    super(null, urls.length);
    // The caller may change the array before a later part.
    this.#urls = urls.slice();
    this.#units = units;
  }

  next(most: number): BatchPart | null {
    const rows = Math.min(this.rows - this.doneRows, most >> 3);
    if (rows === 0) return null;
    this.#end = this.doneRows + rows;
    // A UTF-16 unit takes at most 3 bytes of UTF-8.
    const bytes = this.#isColumn ? this.#cut(most) : Math.min(3 * this.#units + rows, most);
    const offsets = this.#isColumn ? "to write" : null;
    return { bytes, rows: this.#end - this.doneRows, offsets, data: null };
  }

  override write(input: Uint8Array, offsets: Int32Array | null): number | null {
    const memory = stringMemory(input);
    if (offsets !== null) {
      return writeRows(this.#urls.slice(this.doneRows, this.#end), memory, 0, offsets);
    }
    this.#written = this.#writeLines(memory);
    this.#isColumn = this.#written === null;
    return this.#written;
  }

  override add(chunks: TurnCounts): boolean {
    const isWhole = chunks.input === this.#written && chunks.rows === this.#end - this.doneRows;
    if (this.#isColumn || isWhole) return super.add(chunks);
    // The rows of some of the lines may not be those of the strings.
    this.#isColumn = true;
    return false;
  }

  progress(chunks: Pick<TurnCounts, "rows">): PoolProgress {
    // A string with a line end makes more rows than there are strings.
    const rows = Math.min(this.doneRows + chunks.rows, this.#end);
    let { rows: row, bytes } = this.#counted;
    for (; row < rows; row++) bytes += (this.#urls[row] as string).length;
    this.#counted = { rows: row, bytes };
    return { rows, bytes };
  }

  /** Ends the part where its rows may have more than `most` bytes. Returns the bytes they may have. */
  #cut(most: number): number {
    let bytes = 0;
    for (let row = this.doneRows; row < this.#end; row++) {
      const length = 3 * (this.#urls[row] as string).length;
      if (bytes + length > most && row > this.doneRows) this.#end = row;
      else bytes += length;
    }
    return bytes;
  }

  /** Writes strings as lines until the memory is full. Returns null if a line cannot hold one of them. */
  #writeLines(memory: StringMemory): number | null {
    const joined = textsToJoin(memory);
    let at = 0;
    for (let from = this.doneRows; from < this.#end; from += joined) {
      const text = this.#urls.slice(from, Math.min(from + joined, this.#end)).join("\n");
      const hasRoom = at + 3 * text.length < memory.bytes.length;
      if (joined === 0 || (at === 0 && !hasRoom) || text.includes("\r")) return null;
      if (!hasRoom) {
        this.#end = from;
        break;
      }
      at += writeUtf8(memory, text, at);
      memory.bytes[at++] = LF;
    }
    return at;
  }
}
