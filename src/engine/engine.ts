import type { UrlErrorCode } from "../status.ts";

/** Which engine to run: `auto` is WebAssembly where it works, else JavaScript. */
export type EngineChoice = "auto" | "wasm" | "js";

/** Rows of bytes in the layout of an Arrow Utf8 column: row `i` is `data[offsets[i] .. offsets[i + 1])`. */
export interface Column {
  readonly data: Uint8Array;
  /** Ascending, one more than there are rows. */
  readonly offsets: Int32Array;
}

export interface NormalizedColumn extends Column {
  /** One status byte per row; a row with an error is empty. */
  readonly status: Uint8Array;
}

/** A normalized column with the rules that changed its rows. */
export interface ReasonedColumn extends NormalizedColumn {
  /** As in `LineWindow`. */
  readonly reasons: Uint32Array;
}

export interface NormalizedStrings {
  /** The normalized URLs, `null` where the status is an error. */
  readonly urls: (string | null)[];
  /** One status byte per URL. */
  readonly status: Uint8Array;
}

export interface Fingerprints {
  /**
   * 16 bytes a row, or 8 where 64 bits were asked for, one after the other; those of a row with an
   * error are zeros.
   */
  readonly fingerprints: Uint8Array;
  /** One status byte per row. */
  readonly status: Uint8Array;
}

/** The result of one URL: `url` is null exactly when `error` is not. */
export type RowResult =
  | { readonly url: string; readonly error: null }
  | { readonly url: null; readonly error: UrlErrorCode; readonly offset: number };

/**
 * A stretch of lines and what became of them. The views belong to the engine: they hold until the sink
 * that got them returns.
 */
export interface LineWindow {
  readonly rows: number;
  /** Input line `i` begins at `inputOffsets[i]`; the next begins after its LF. */
  readonly input: Uint8Array;
  readonly inputOffsets: Int32Array;
  /** Output line `i` is `output[outputOffsets[i] .. outputOffsets[i + 1])`, its LF included. */
  readonly output: Uint8Array;
  readonly outputOffsets: Int32Array;
  readonly status: Uint8Array;
  /** Lines that came out other than they were, failed ones included. */
  readonly changed: number;
  /** Lines with an error; they come out empty. */
  readonly failed: number;
  /** 16 bytes a line, where a key was given; those of a failed line are zeros. */
  readonly fingerprints: Uint8Array;
  /**
   * Where they were asked for, the rules that changed each row: two words a row (reasons.ts), which mean
   * nothing unless its status is `CHANGED`. Else empty.
   */
  readonly reasons: Uint32Array;
}

/** What lines get besides their normal form. */
export interface LineExtras {
  /** The key of their fingerprints, 16 bytes; null for none. */
  readonly key: Uint8Array | null;
  /** Whether the rules that changed them are told. */
  readonly reasons: boolean;
}

/** Takes the fingerprints and status bytes of some rows; the views hold until it returns. */
export type FingerprintSink = (fingerprints: Uint8Array, status: Uint8Array) => void;

/** A URL as callers have it: anything but a string or a URL object is `NOT_A_STRING`. */
export type UrlText = string | URL;

/**
 * What every engine does, with the same results. `base` is a normalized URL, or "" for none. A sink may
 * call the same engine: what it was handed stays as it is until it returns.
 */
export interface Engine {
  readonly name: "wasm" | "js";
  normalizeOne(url: string, base: string): RowResult;
  normalizeStrings(urls: readonly UrlText[], base: string): NormalizedStrings;
  /** With `reasons`, the result tells the rules that changed each row. */
  normalizeColumn(column: Column, base: string, reasons: boolean): ReasonedColumn;
  /** Hands fingerprints, 16 bytes a URL under a key of 16 bytes, to `sink`, some rows at a time. */
  fingerprintStrings(
    urls: readonly UrlText[],
    base: string,
    key: Uint8Array,
    sink: FingerprintSink,
  ): void;
  fingerprintColumn(column: Column, base: string, key: Uint8Array, sink: FingerprintSink): void;
  /**
   * Hands the lines of `input` to `sink`, window by window, in order, with the extras asked for. Without `final`, bytes after the last LF are left. Returns the bytes taken.
   */
  normalizeLines(
    input: Uint8Array,
    final: boolean,
    base: string,
    extras: LineExtras,
    sink: (window: LineWindow) => void,
  ): number;
}
