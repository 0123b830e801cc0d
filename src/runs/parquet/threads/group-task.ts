import type { WrittenGroup } from "../../../parquet/write/group-output.ts";
import type { GroupFacts, MergedRows } from "../group-work.ts";
import type { Lookups } from "../new-rows.ts";
import type { ReplacedCodec } from "../row-group-writer.ts";

/** Asks a worker to do all work on a row group. */
export interface GroupTask {
  readonly file: string;
  readonly group: number;
  /** Its number among the row groups of the run. */
  readonly place: number;
}

/** Asks the set of keys in the middle of a task. The worker waits for the answer. */
export interface GroupQuestion {
  readonly place: number;
  readonly lookups: Lookups;
  /** The memory of a `SharedAnswer`. */
  readonly answer: SharedArrayBuffer;
}

/** Holds what became of a row group. After a failure, what was found before it. */
export interface GroupResult {
  /** Null if its URLs could not be read. */
  facts: GroupFacts | null;
  /** Null if the run does not dedupe. */
  merged: MergedRows | null;
  /** The row group as if it were the first of its file, or null if no row is written. */
  written: WrittenGroup | null;
  /** The bytes of its chunks, in order, in memory that is not copied between threads. */
  readonly chunks: Uint8Array<SharedArrayBuffer>[];
  readonly replaced: ReplacedCodec[];
  /** The bytes of columns that were read. */
  bytesRead: number;
  /** The message of the IoError that ended the work, or null. The class of an error is lost between threads. */
  failure: string | null;
}
