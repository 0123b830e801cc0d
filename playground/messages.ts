import type { Explanation, NormalizerOptions } from "urlmill";

/** Says how a list was read. */
export interface ListFormat {
  /** Names the format, such as `lines` or `csv`. */
  readonly name: string;
  /** Names the column of the URLs; "" if the format has no columns. */
  readonly field: string;
}

/** Counts the lines of a list by what became of them. */
export interface Summary {
  readonly format: ListFormat;
  /** Counts the records that could not be read. */
  readonly malformed: number;
  /** Counts the lines that are not blank. */
  readonly lines: number;
  /** Counts the different keys. */
  readonly unique: number;
  /**
   * Counts the lines that have the key of an earlier line, but another text than its first line.
   */
  readonly merged: number;
  /** Counts the lines with the same text as the first line of their key. */
  readonly repeated: number;
  /** Counts the lines that are not a URL. */
  readonly failed: number;
  /** Counts the keys that merged lines have. */
  readonly groups: number;
  /** Counts the pages of `lines` in the table of all lines. */
  readonly pages: number;
  readonly seconds: number;
  readonly engine: "wasm" | "js";
  /** Says why the engine is JavaScript; null for WebAssembly. */
  readonly engineReason: string | null;
  /** Says of two lines whether they have one key, where their keys differ, and what would make them one; null for other lists. */
  readonly comparison: string | null;
}

/** Is a line of a list, by its number from 1 on. */
export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** Holds lines that have the same key. */
export interface Group {
  readonly key: string;
  /** Holds the first line of the key, and some that were merged with it. */
  readonly members: readonly NumberedLine[];
  /** Counts the merged lines that `members` leaves out. */
  readonly more: number;
  /** Counts the lines with the same text as the first. */
  readonly repeated: number;
}

/** Holds a line with what became of it. */
export interface LineResult extends NumberedLine {
  /** Holds the key; null if the text is not a URL, and then `error` says why. */
  readonly key: string | null;
  /** Says, for people, why the line is not a URL. */
  readonly error: string | null;
  /** Gives the number of the first line with the same key; 0 if no line before this one has it. */
  readonly same: number;
  /** Says whether a group shows this line, where it can be explained. */
  readonly isInGroup: boolean;
}

/** Holds a learned rule, as texts to show. */
export interface RuleRow {
  readonly site: string;
  readonly where: string;
  readonly action: string;
  /** Names the level of evidence; "" for a rule without. */
  readonly level: string;
  /** Says, for people, what the level means. */
  readonly meaning: string;
  readonly urls: number;
  /** Gives a lower bound of the share of right merges, 0 to 1. */
  readonly least: number;
  readonly examples: readonly (readonly [string, string])[];
}

/** Holds what was learned from a list of pages. */
export interface LearnedRules {
  readonly records: number;
  /** Counts the malformed lines and the records that nothing can be learned from. */
  readonly skipped: number;
  readonly sites: number;
  readonly redundant: number;
  readonly removed: number;
  readonly rules: readonly RuleRow[];
  /** Holds the rules as a file, as option `rules` takes them. */
  readonly text: string;
}

/** Says how far a task is. */
export interface Progress {
  readonly bytes: number;
  readonly allBytes: number;
  readonly lines: number;
}

/** Lists what the worker does: the arguments and the result of each task. */
export interface Tasks {
  /** Dedupes a list, and stops the one before. The result is null if it was stopped itself. */
  dedupe: [[source: Blob, name: string, options: NormalizerOptions], Summary | null];
  /** Stops a task that is on its way. */
  stop: [[task: "dedupe" | "learn"], null];
  groups: [[from: number, count: number], readonly Group[]];
  lines: [[page: number], readonly LineResult[]];
  /** Explains a URL under the options of the last list. */
  explain: [[url: string], Explanation];
  unique: [[form: "original" | "normalized"], Blob];
  learn: [[source: File], LearnedRules | null];
}

/** Names a task of the worker. */
export type TaskName = keyof Tasks;

/** Describes a message from the page to the worker. */
export interface Request {
  readonly id: number;
  readonly task: TaskName;
  readonly args: readonly unknown[];
}

/**
 * Describes a message from the worker to the page: first progress, any number of times, then a
 * result or an error.
 */
export type Reply =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };
