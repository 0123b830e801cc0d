import type { Status, StatusCode, UrlErrorCode } from "../base/status.ts";
import type { UrlText } from "../engine/engine.ts";

/**
 * Holds the options that every method for a batch takes. A method throws `BAD_OPTION` for options that are
 * not an object and for an unknown name, and `BAD_BASE` for a base that is not an absolute URL.
 */
export interface BatchOptions {
  /**
   * Sets the absolute URL that relative references are resolved against (RFC 3986 5.2). Without it, a
   * reference without a scheme is `NO_SCHEME`, unless `defaultScheme` is set.
   *
   * @default undefined
   */
  readonly base?: UrlText | undefined;
}

/** Holds the options of the methods whose results are bytes. `B` is the kind of memory. */
export interface BytesOptions<B extends ArrayBufferLike = ArrayBuffer> extends BatchOptions {
  /**
   * Gives memory for the bytes of the result. If they fit, the result is a view of the beginning of this memory.
   * If not, the result is in new memory, and what this memory holds then is not defined. It must not overlap the input.
   * New memory for a large batch takes as long as normalizing it: give that of a result that you no longer need.
   *
   * @default new memory
   */
  readonly into?: Uint8Array<B> | undefined;
}

/** Holds the options of `fingerprintBatch`. */
export interface FingerprintOptions<B extends ArrayBufferLike = ArrayBuffer>
  extends BytesOptions<B> {
  /**
   * Sets the key of the fingerprints, 16 bytes. Keep it secret from whoever picks the URLs.
   *
   * @default `fingerprintKey` of the normalizer
   */
  readonly key?: Uint8Array;
  /**
   * Sets the size of a fingerprint in bits: 128, or 64, which is the first half.
   *
   * @default 128
   */
  readonly bits?: 128 | 64;
}

/** Holds what the rows of a call get besides their normal form. */
export interface ColumnOptions<B extends ArrayBufferLike = ArrayBuffer> extends BytesOptions<B> {
  /**
   * Sets the key of fingerprints, 16 bytes.
   *
   * @default undefined, for no fingerprints
   */
  readonly key?: Uint8Array;
  /**
   * Says whether each row gets the steps that changed it.
   *
   * @default false
   */
  readonly reasons?: boolean;
}

/** Holds the options of `normalizeWindows`. */
export interface WindowOptions extends Omit<ColumnOptions, "into"> {
  /**
   * Says whether a line with an error gets the fingerprint of its bytes without LF or CR LF, and an LF after
   * them. No URL has that fingerprint, because no URL has an LF.
   *
   * @default false
   */
  readonly texts?: boolean;
}

/** Holds the result of one URL; `ok` says which kind it is. */
export type TryResult = TrySuccess | TryFailure;

/** Holds the normal form of one URL. */
export interface TrySuccess {
  /** Says that the input is a URL. */
  readonly ok: true;
  /** Holds the normalized URL. */
  readonly url: string;
  /** Says whether the URL was in normal form (`Status.UNCHANGED`) or not (`Status.CHANGED`). */
  readonly status: Exclude<StatusCode, (typeof Status)[UrlErrorCode]>;
}

/** Holds the error of one URL. */
export interface TryFailure {
  /** Says that the input is not a URL, or that the options do not allow it. */
  readonly ok: false;
  /** Is null. */
  readonly url: null;
  /** Holds the number of the error (`Status`). */
  readonly status: (typeof Status)[UrlErrorCode];
  /** Names the error, such as `NO_SCHEME`. */
  readonly code: UrlErrorCode;
  /** Says what is wrong, for people. It may change. */
  readonly message: string;
}

/** Holds normalized lines with the status of each line. `B` is the kind of memory. */
export interface NormalizedLines<B extends ArrayBufferLike = ArrayBuffer> {
  /** Holds one line per input line, each ended by LF; a line with an error is empty. */
  readonly bytes: Uint8Array<B>;
  /** Holds one status byte per line (`Status`). */
  readonly status: Uint8Array<B>;
  /** Counts the lines. */
  readonly lines: number;
}
