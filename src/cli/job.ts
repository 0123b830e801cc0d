import type { ChunkPlace, FormatName, UrlField } from "../formats/index.ts";
import type { Slot } from "../threads/slots.ts";
import type { ChunkError, ErrorList } from "./error-list.ts";

/** Says what to do with a record that has no URL. */
export type OnError = "keep" | "empty" | "fail";
/**
 * Says what is written of a record: itself, itself with the key in the place of its URL, or both.
 */
export type Emit = "original" | "normalized" | "both";
/** Says how a key is written. */
export type Form = "url" | "surt" | "unicode";

/** Says what a run does with each chunk, as plain data for workers. */
export interface Job {
  readonly format: FormatName;
  /** Says where in a record its URL is. */
  readonly field: UrlField;
  readonly base: string | undefined;
  readonly onError: OnError;
  readonly emit: Emit;
  readonly form: Form;
  /** Holds the key of the run's fingerprints if it dedupes; else null. */
  readonly fingerprintKey: Uint8Array | null;
  /** Says whether merged records are listed. */
  readonly maps: boolean;
  /** Says whether errors are listed. */
  readonly lists: boolean;
  /** Says whether changes are counted by rule. */
  readonly counts: boolean;
  /** Says whether examples of the changes are shown. */
  readonly shows: boolean;
}

/** Names, in the place of an error of a URL, a record without a URL where one belongs. */
export const NO_FIELD = "NO_FIELD";

/** Asks a worker to process the whole records in the input of a slot. */
export interface ChunkTask extends Slot {
  readonly length: number;
  readonly place: ChunkPlace;
}

/**
 * Asks a worker to copy the rows of a slot whose byte in `isChosen` is 1 to other memory. The slot
 * stays as it is, so that the task can be done again.
 */
export interface ChooseTask {
  readonly memory: SharedArrayBuffer;
  readonly text: Slice;
  /** Where its rows begin: Int32, in the output of the slot. */
  readonly output: SharedArrayBuffer;
  readonly starts: Slice;
  readonly isChosen: Uint8Array;
  readonly target: SharedArrayBuffer;
}

/**
 * Asks a worker to list, with their keys, the rows of a slot whose byte in `isMerged` is 1. Rows
 * are lines.
 */
export interface ListTask extends Omit<ChooseTask, "isChosen" | "target"> {
  readonly isMerged: Uint8Array;
}

/** Locates a piece of the output of a slot. */
export interface Slice {
  readonly at: number;
  readonly bytes: number;
}

/**
 * Says what became of a chunk. The rows are in the output of its slot, which may be other memory
 * now.
 */
export interface ChunkResult {
  readonly output: SharedArrayBuffer;
  readonly rows: number;
  readonly changed: number;
  readonly errorsByCode: Readonly<Record<string, number>>;
  readonly errors: ErrorList;
  /** The error that ends the run; what is written ends before it. */
  readonly fatal: ChunkError | null;
  readonly rules: Readonly<Record<string, number>>;
  /** The first changes by each rule. */
  readonly examples: Readonly<Record<string, readonly { before: string; after: string }[]>>;
  /** What to write, where nothing is deduped. */
  readonly text: Slice;
  /** For the set of keys, where the run dedupes. */
  readonly rowsToMerge: RowsToMerge | null;
}

/**
 * Holds the rows of a chunk, for the set to choose from. Every piece is in the output unless its
 * comment says otherwise.
 */
export interface RowsToMerge {
  /** A byte a row: of a status, or WRITTEN or LEFT_OUT for rows that have no key. */
  readonly status: Slice;
  /** 16 bytes a row. */
  readonly fingerprints: Slice;
  /** Where the text of each row begins in `text`: rows + 1 Int32. */
  readonly starts: Slice;
  /** The rows' text; null: the input. */
  readonly text: Slice | null;
  /**
   * Holds starts and text of the rows for the file of merged records; null if lines are listed
   * later, or nothing is listed.
   */
  readonly merged: { readonly starts: Slice; readonly text: Slice } | null;
}

/** Marks, in the place of a status, a row without a key that is written. */
export const WRITTEN = 254;
/** Marks, in the place of a status, a row without a key that is not written. */
export const LEFT_OUT = 255;

/** Describes what a worker can be asked to do. */
export type WorkerTask = ChunkTask | ChooseTask | ListTask;
/**
 * Holds what a worker answers: a chunk's result, the number of bytes of chosen rows, or the list.
 */
export type WorkerResult = ChunkResult | number | Uint8Array;
