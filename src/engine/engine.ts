import type { UrlErrorCode } from "../base/status.ts";

/**
 * Holds rows of bytes in the layout of an Arrow Utf8 column: row `i` is `data[offsets[i] ..
 * offsets[i + 1])`.
 */
export interface Column<B extends ArrayBufferLike = ArrayBufferLike> {
  /** Holds the bytes of all rows, UTF-8, one row after the other. */
  readonly data: Uint8Array<B>;
  /**
   * Gives where each row begins, as bytes in `data`. Offsets ascend, and there is one more offset than there
   * are rows.
   */
  readonly offsets: Int32Array;
}

/** Holds a column of normalized rows with the status of each row. `B` is the kind of memory. */
export interface NormalizedColumn<B extends ArrayBufferLike = ArrayBuffer> extends Column<B> {
  /** Gives where each row begins, as bytes in `data`, and where the last one ends. */
  readonly offsets: Int32Array<B>;
  /** Holds one status byte per row (`Status`); a row with an error is empty. */
  readonly status: Uint8Array<B>;
}

/** Holds a normalized column with the extras that were asked for. */
export interface ColumnResults<B extends ArrayBufferLike = ArrayBuffer>
  extends NormalizedColumn<B> {
  /** Holds two words a row, as `LineWindow.reasons` does, or nothing. */
  readonly reasons: Uint32Array;
  /** Holds 16 bytes a row, or nothing; a row with an error has zeros. */
  readonly fingerprints: Uint8Array<ArrayBuffer>;
}

/** Says what rows get besides their normal form. */
interface RowExtras {
  /** Holds the secret of the fingerprints, 16 bytes, or null for no fingerprints. */
  readonly key: Uint8Array | null;
  /** Says whether the steps that changed each row are reported. */
  readonly reasons: boolean;
}

/** Says what the rows of a column get besides their normal form, and where that is written. */
export interface ColumnExtras<B extends ArrayBufferLike = ArrayBuffer> extends RowExtras {
  /** Gives memory for the data. Without it, or if it has no room, they are in new memory. */
  readonly into?: Uint8Array<B> | undefined;
}

/** Holds the results of a batch of strings, in the order of the batch. */
export interface NormalizedStrings {
  /** Holds the normalized URLs; `null` for a URL whose status is an error. */
  readonly urls: (string | null)[];
  /** Holds one status byte per URL (`Status`). */
  readonly status: Uint8Array<ArrayBuffer>;
}

/** Holds the fingerprints of a batch, in the order of the batch. `B` is the kind of memory. */
export interface Fingerprints<B extends ArrayBufferLike = ArrayBuffer> {
  /**
   * Holds 16 bytes a row, or 8 if 64 bits were asked for, one row after the other. A row with an
   * error has zeros.
   */
  readonly fingerprints: Uint8Array<B>;
  /** Holds one status byte per row (`Status`). */
  readonly status: Uint8Array<B>;
}

/** Holds the result of one URL: either `url` or `error` is null. */
export type RowResult =
  | { readonly url: string; readonly error: null }
  | { readonly url: null; readonly error: UrlErrorCode; readonly offset: number };

/**
 * Holds a run of input lines and their results. The views belong to the engine: copy what you keep
 * before `receive` returns.
 */
export interface LineWindow {
  /** Counts the lines of the window. */
  readonly rows: number;
  /**
   * Holds the input bytes; line `i` begins at `inputOffsets[i]`, and the next begins after its LF.
   */
  readonly input: Uint8Array;
  /** Gives where each input line begins, as bytes in `input`. */
  readonly inputOffsets: Int32Array;
  /**
   * Holds the normalized lines; line `i` is `output[outputOffsets[i] .. outputOffsets[i + 1])`, its
   * LF included.
   */
  readonly output: Uint8Array;
  /**
   * Gives where each output line begins, as bytes in `output`; there is one more offset than there
   * are lines.
   */
  readonly outputOffsets: Int32Array;
  /** Holds one status byte per line (`Status`). */
  readonly status: Uint8Array;
  /** Counts the lines that differ from their input, failed lines included. */
  readonly changed: number;
  /** Counts the lines with an error; each comes out empty. */
  readonly failed: number;
  /**
   * Holds 16 bytes a line if a key was given, else nothing; a failed line has zeros, or the fingerprint of its
   * text if texts were asked for.
   */
  readonly fingerprints: Uint8Array;
  /**
   * Holds two words a line if reasons were asked for, else nothing: the steps that changed the line
   * (reasons.ts). The words mean nothing unless the status of the line is `CHANGED`.
   */
  readonly reasons: Uint32Array;
}

/** Says what lines get besides their normal form. */
export interface LineExtras extends RowExtras {
  /**
   * Says whether a line with an error gets the fingerprint of its text: of its bytes without LF or CR LF, and
   * an LF after them, which no URL has.
   */
  readonly texts: boolean;
}

/** Takes the fingerprints and status bytes of some rows. The views are valid until it returns. */
export type TakeFingerprints = (fingerprints: Uint8Array, status: Uint8Array) => void;

/** Holds a URL as callers give it. Anything but a string or a `URL` object gets the status `NOT_A_STRING`. */
export type UrlText = string | URL;

/**
 * Describes what every engine does, with the same results. `base` is a normalized URL, or "" for no base. A callback
 * may call the same engine: the views that it was given stay as they are until it returns.
 */
export interface Engine {
  readonly name: "wasm" | "js";
  /** Says why WebAssembly does not run or was not tried; null if it runs. */
  readonly reason: string | null;
  /** Holds the compiled kernel that runs, null if JavaScript does. */
  readonly module: WebAssembly.Module | null;
  normalizeOne(url: string, base: string): RowResult;
  normalizeStrings(urls: readonly UrlText[], base: string): NormalizedStrings;
  /** Normalizes the rows of a column. */
  normalizeColumn<B extends ArrayBufferLike = ArrayBuffer>(
    column: Column,
    base: string,
    extras: ColumnExtras<B>,
  ): ColumnResults<B | ArrayBuffer>;
  /** Hands fingerprints to `receive`, some rows at a time: 16 bytes for each URL, under a key of 16 bytes. */
  fingerprintStrings(
    urls: readonly UrlText[],
    base: string,
    key: Uint8Array,
    receive: TakeFingerprints,
  ): void;
  fingerprintColumn(column: Column, base: string, key: Uint8Array, receive: TakeFingerprints): void;
  /**
   * Hands the lines of `input` to `receive`, window by window, in order, with the extras asked for. Without
   * `final`, it leaves the bytes after the last LF. Returns the number of bytes it took.
   */
  normalizeLines(
    input: Uint8Array,
    final: boolean,
    base: string,
    extras: LineExtras,
    receive: (window: LineWindow) => void,
  ): number;
}
