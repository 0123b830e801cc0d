import type { FormatName } from "../formats/index.ts";
import type { Slot } from "../threads/slots.ts";
import type { ChunkError, ErrorList } from "./error-list.ts";

/** What to do with a record that has no URL. */
export type OnError = "keep" | "empty" | "fail";
/** What is written of a record: itself, itself with the key in the place of its URL, or with both. */
export type Emit = "original" | "normalized" | "both";
/** How a key is written. */
export type Form = "url" | "surt" | "unicode";

/** What a run does with each chunk: plain data, for workers. */
export interface Job {
  readonly format: FormatName;
  readonly field: string | undefined;
  readonly base: string | undefined;
  readonly onError: OnError;
  readonly emit: Emit;
  readonly form: Form;
  /** Of the run's fingerprints, where it dedupes; else null. */
  readonly fingerprintKey: Uint8Array | null;
  /** Whether merged records are listed. */
  readonly maps: boolean;
  /** Whether errors are listed. */
  readonly lists: boolean;
  /** Whether changes are counted by rule. */
  readonly counts: boolean;
  /** Whether examples of them are shown. */
  readonly shows: boolean;
}

/** What a record without a URL where one belongs is called, in the place of an error of a URL. */
export const NO_FIELD = "NO_FIELD";

/** Whole records in the input of a slot. */
export interface ChunkTask extends Slot {
  readonly length: number;
}

/**
 * Rows of a slot to be copied to other memory where their byte in `isChosen` is 1: their own stays, so
 * that it can be done again.
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

/** Rows of a slot, lines, to be listed with their keys where their byte in `isMerged` is 1. */
export interface ListTask extends Omit<ChooseTask, "isChosen" | "target"> {
  readonly isMerged: Uint8Array;
}

/** A piece of the output of a slot. */
export interface Slice {
  readonly at: number;
  readonly bytes: number;
}

/** What became of a chunk, in the output of its slot, which may be other memory now. */
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

/** The rows of a chunk, for the set to choose from. All pieces are in the output but where said. */
export interface RowsToMerge {
  /** A byte a row: of a status, or WRITTEN or LEFT_OUT for rows that have no key. */
  readonly status: Slice;
  /** 16 bytes a row. */
  readonly fingerprints: Slice;
  /** Where the text of each row begins in `text`: rows + 1 Int32. */
  readonly starts: Slice;
  /** The rows' text; null: the input. */
  readonly text: Slice | null;
  /** The same for the file of merged records; null where lines are listed later, or nothing is. */
  readonly merged: { readonly starts: Slice; readonly text: Slice } | null;
}

/** In the place of a status: a row without a key, which is written, or not. */
export const WRITTEN = 254;
export const LEFT_OUT = 255;

/** What a worker does. */
export type WorkerTask = ChunkTask | ChooseTask | ListTask;
/** What it answers: a chunk's result, the bytes of chosen rows, or the list. */
export type WorkerResult = ChunkResult | number | Uint8Array;
