import { LONGEST_RECORD } from "../../../formats/format.ts";
import type { EndSearch } from "../../../formats/index.ts";
import { DOUBTFUL } from "../../../formats/scan/layout.ts";
import type { Scanner } from "../../../formats/scan/scanner.ts";
import { recordTooLong } from "../../../io/chunk-reader.ts";
import type { PlainFile } from "../../../io/files/plain-file.ts";
import { LF } from "../../../url/codes.ts";
import type { ChunkRange } from "../../grid/chunk-grid.ts";
import {
  type ChunkMemory,
  type GridReader,
  type LongLineRange,
  OVERHEAD,
} from "../../grid/grid-reader.ts";
import { AT_FILE_START, type SharedProgress } from "../shared-progress.ts";

/** Describes the records of a chunk, which end in it. They are at the beginning of its memory. */
export interface OwnRecords {
  /** The line before them, if it is too long to be read whole. */
  readonly long: LongLineRange | null;
  /** The number of their bytes. */
  readonly length: number;
  readonly file: PlainFile;
  /** Says whether they are the first of their file. */
  readonly isFirst: boolean;
}

/** Says that a record is doubtful, so that only the chunked mode knows where it ends. */
export class DoubtfulRecord extends Error {}

/** Reads the records of a chunk into its memory. Throws an IoError, or a `DoubtfulRecord`. */
export type ReadRecords = (chunk: number, memory: ChunkMemory, reader: GridReader) => OwnRecords;

/** Reads lines that are a URL each. */
export const readLines: ReadRecords = (chunk, memory, reader) => {
  const { long, length, start, file, isFirst } = reader.read(chunk, memory);
  const end = length === 0 ? 0 : memory.input.lastIndexOf(LF, length - 1) + 1;
  if (start !== null) reader.noteStart(chunk + 1, start + end);
  return { long, length: end, file, isFirst };
};

/** Reads records that are lines, whatever is in them. */
export const readLineRecords: ReadRecords = (...chunk) => {
  const records = readLines(...chunk);
  if (records.long !== null) throw recordTooLong(records.file.name);
  return records;
};

/**
 * Reads records that may have line ends inside. Whether a line end is that of a record depends on all bytes before it. So
 * a chunk is claimed only after the search for ends in the chunk before it, with which its thread begins.
 */
export class ChainedRecords {
  readonly #search: EndSearch;
  readonly #scanner: Scanner | null;
  readonly #progress: SharedProgress;

  constructor(search: EndSearch, scanner: Scanner | null, progress: SharedProgress) {
    this.#search = search;
    this.#scanner = scanner;
    this.#progress = progress;
  }

  /** Is a `ReadRecords`. */
  read(chunk: number, memory: ChunkMemory, reader: GridReader): OwnRecords {
    const range = reader.rangeOf(chunk);
    const { file, from, to } = range;
    const start = from - this.#progress.beginning.bytesBefore;
    // What a record has far before the chunk is read only if the record ends here.
    const at = from - start < OVERHEAD ? start : from;
    reader.readAt(file, memory.input.subarray(0, to - at), at);
    const end = this.#endIn(memory.input.subarray(from - at, to - at), start, range);
    const length = end - start;
    if (at > start && length > 0) readFar(reader, file, start, length, memory);
    const isLast = end === file.end;
    return {
      long: null,
      length: isLast ? endLine(memory.input, length) : length,
      file,
      isFirst: start === file.begin,
    };
  }

  /**
   * Returns where the last record ends that ends in a range, or `start`, where the first begins. Says how the next chunk
   * begins.
   */
  #endIn(own: Uint8Array, start: number, { file, from, to }: ChunkRange): number {
    const isLast = to === file.end;
    const found = this.#search(own, this.#progress.beginning.state, this.#scanner, isLast);
    const end = found.end === 0 ? start : from + found.end;
    const bytesBefore = to - end;
    const isLong = Math.max(bytesBefore, end - start) > LONGEST_RECORD;
    if (found.state === DOUBTFUL || isLong) throw new DoubtfulRecord();
    this.#progress.setNext(isLast ? AT_FILE_START : { state: found.state, bytesBefore });
    return isLast ? to : end;
  }
}

/** Reads records of which the first begins far before its chunk. */
function readFar(
  reader: GridReader,
  file: PlainFile,
  start: number,
  length: number,
  memory: ChunkMemory,
): void {
  memory.reserve(length + 1);
  reader.readAt(file, memory.input.subarray(0, length), start);
}

/** Adds an LF to the last record of a file if it lacks one. Returns the number of bytes. */
function endLine(input: Uint8Array, length: number): number {
  if (length === 0 || input[length - 1] === LF) return length;
  input[length] = LF;
  return length + 1;
}
