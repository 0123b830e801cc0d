import type { GridReader, LongLineRange } from "../grid/grid-reader.ts";
import type { WorkerCounts } from "./worker-counts.ts";

/** Says how the fingerprints of a chunk are divided. */
export interface Split {
  readonly partitions: number;
  readonly bits: number;
  /** Says whether records that are not URLs have the fingerprints of their texts. */
  readonly texts: boolean;
}

/** Takes fingerprints by partitions, and their number up to the end of each partition. */
export type TakePartitions = (fingerprints: Uint8Array, ends: Int32Array) => void;

/** Holds a chunk of a direct run from reading to writing. */
export interface DirectChunk {
  /** The number of the chunk. */
  readonly chunk: number;
  /** The number of its records, without the long one. */
  readonly rows: number;
  /** The number of these that have the field of the URL. Absent for lines that pass in bulk. */
  readonly located?: number;
  /** The number of these records that have an error. */
  readonly failed: number;
  /** The number of these that a list leaves out. */
  readonly blocked: number;
  /** The number of its lines with a tab inside; 0 for records of other formats. */
  readonly tabbed: number;
  /** The part of the first line that is not written yet, if the line is too long to be read whole. */
  long: LongLineRange | null;
  /** Says whether some or all of that line is written. */
  isLongBegun: boolean;
  /** The error of a failed read. It is thrown when the chunk's turn comes. */
  failure: unknown;
  /** Reads and normalizes the records of a chunk. Stores an error in `failure`. */
  load(chunk: number, reader: GridReader): void;
  /** Divides the fingerprints of its records into partitions. */
  split(key: Uint8Array, split: Split, take: TakePartitions): void;
  /** Returns the records that are new by the answers for all fingerprints of the chunk, as they are written. */
  chosen(partitions: number, answers: Uint8Array): Uint8Array;
  /** The entries of the records that are repeats; null before they are listed. Absent for lines that pass in bulk. */
  readonly merged?: Uint8Array | null;
  /** Lists the records that are repeats by the answers for all fingerprints of the chunk. */
  listMerged?(answers: Uint8Array): void;
  /** Returns all records as they are written. A line with an error is empty, or unchanged if it is kept. */
  written(keepsFailed: boolean): Uint8Array;
  /** Returns the entries of its errors, of which the first record has the number `first`. */
  errorLines(first: number): Uint8Array;
  /** Adds what `--stats` counts. */
  addTo(counts: WorkerCounts): void;
}
