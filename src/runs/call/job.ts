import type { ChunkPlace, FormatName, UrlField } from "../../formats/index.ts";
import type { Slot } from "../../threads/slots.ts";
import type { ChunkError, ErrorList } from "../base/error-list.ts";
import type { ValueField } from "../base/keep.ts";
import type { FilterMemory } from "../filter/url-filter.ts";

/** Says what to do with a record that has no URL. */
export type OnError = "keep" | "empty" | "fail";
/**
 * Says what is written for a record: the record, the record with the key in place of its URL, or both.
 */
export type Emit = "original" | "normalized" | "both" | "url" | "normalized-url";

/** Returns whether URLs are written without their records. */
export function isAlone(emit: Emit): boolean {
  return emit === "url" || emit === "normalized-url";
}

/** Returns the line of a text that is written without its record. */
export function lineOf(text: string): string {
  return `${text.replaceAll(/[\r\n]/g, "")}\n`;
}
/** Says how a key is written. */
export type Form = "url" | "surt" | "unicode" | "crawlee";

/** Returns whether whole lines pass in bulk. Other records are taken apart. */
export function passesInBulk(
  { format, emit, form, onError }: { format: string } & Pick<Job, "emit" | "form" | "onError">,
  dedupes: boolean,
): boolean {
  const isPlain = format === "lines" && form === "url" && onError !== "fail";
  return isPlain && emit === (dedupes ? "original" : "normalized");
}

/** Describes what a run does with each chunk, as plain data for workers. */
export interface Job<Format extends FormatName | "parquet" = FormatName> {
  readonly format: Format;
  /** The position of the URL in a record. */
  readonly field: UrlField;
  readonly base: string | undefined;
  readonly onError: OnError;
  readonly emit: Emit;
  readonly form: Form;
  /** Holds the key of the run's fingerprints if it dedupes; else null. */
  readonly fingerprintKey: Uint8Array | null;
  /** The field by whose values records are chosen, or null if they are not. */
  readonly value: ValueField | null;
  /** The field that is compared besides the URL, or null if there is none. */
  readonly also: UrlField | null;
  /** Holds the lists of `--block` and `--allow`, or null. */
  readonly filter: FilterMemory | null;
  /** Says whether merged records are listed. */
  readonly maps: boolean;
  /** Says whether errors are listed. */
  readonly lists: boolean;
  /** Says whether changes are counted by step. */
  readonly counts: boolean;
  /** Says whether examples of the changes are shown. */
  readonly shows: boolean;
}

/** Says of a reading that nothing is counted or listed. */
export const SILENT = { maps: false, lists: false, counts: false, shows: false } as const;

/** Asks a worker to process the whole records in the input of a slot. */
export interface ChunkTask extends Slot<ArrayBufferLike> {
  readonly length: number;
  readonly place: ChunkPlace;
}

/** Says which rows of a slot to copy to other memory: those whose byte in `isChosen` is 1. The slot does not change. */
export interface ChooseTask {
  readonly memory: ArrayBufferLike;
  readonly text: Slice;
  /** The position of the starts of its rows: Int32, in the output of the slot. */
  readonly output: ArrayBufferLike;
  readonly starts: Slice;
  readonly isChosen: Uint8Array;
  readonly target: ArrayBufferLike;
}

/**
 * Asks a worker to list, with their keys, the records of a slot whose byte in `isMerged` is 1. The text is the input.
 */
export interface ListTask extends Omit<ChooseTask, "isChosen" | "target"> {
  /** The position of the text in the input of the run. */
  readonly place: ChunkPlace;
  readonly isMerged: Uint8Array;
}

/** Asks a worker to copy the rows of a slot whose byte in `isChosen` is 1, each with the number of its records. */
export interface CountTask extends Omit<ChooseTask, "target"> {
  /** The number of records of each chosen row. */
  readonly counts: Float64Array;
  /** The position of the text in the input of the run. */
  readonly place: ChunkPlace;
}

/** Holds the position of a piece in the output of a slot. */
export interface Slice {
  readonly at: number;
  readonly bytes: number;
}

/**
 * Holds the result of a chunk. The rows are in the output of its slot, whose memory may have been replaced.
 */
export interface ChunkResult {
  readonly output: ArrayBufferLike;
  readonly rows: number;
  readonly changed: number;
  /** The number of records that have the field of the URL, whatever it holds. It is 0 for lines that pass in bulk. */
  readonly located: number;
  /** The number of lines with a tab inside; 0 for records of other formats. */
  readonly tabbed: number;
  readonly errorsByCode: Readonly<Record<string, number>>;
  readonly errors: ErrorList;
  /** The error that ends the run. The output ends before its record. */
  readonly fatal: ChunkError | null;
  readonly steps: Readonly<Record<string, number>>;
  /** The first changes by each step. */
  readonly examples: Readonly<Record<string, readonly { before: string; after: string }[]>>;
  /** The bytes to write, if nothing is deduped. */
  readonly text: Slice;
  /** The rows for the set of keys, if the run dedupes. */
  readonly rowsToMerge: RowsToMerge | null;
}

/**
 * Holds the rows of a chunk, for the set to choose from. Every piece is in the output unless its comment says
 * otherwise.
 */
export interface RowsToMerge {
  /** One byte for each row: a status that is not an error if the row has a key; else WRITTEN or LEFT_OUT. */
  readonly status: Slice;
  /** 16 bytes a row. */
  readonly fingerprints: Slice;
  /** The start of each row in `text`, and the end of the last: rows + 1 Int32. */
  readonly starts: Slice;
  /** The text of the rows, or null if it is the input. */
  readonly text: Slice | null;
  /** The start of each row in the input, and the end of the last: rows + 1 Int32. */
  readonly lines: Slice;
  /** The value of each row by which it is chosen, or null if rows are not chosen by a value. */
  readonly values: ColumnPlace | null;
}

/** Holds the position of a column in the output of a slot. */
export interface ColumnPlace {
  readonly data: Slice;
  readonly offsets: Slice;
}

/** Describes what a worker can be asked to do. */
export type WorkerTask = ChunkTask | CountTask | ListTask;
/** Holds the answer of a worker: the result of a chunk, the rows with their counts, or the list. */
export type WorkerResult = ChunkResult | Uint8Array;
