import { UrlmillError } from "../base/errors.ts";
import {
  explainStatus,
  isError,
  Status,
  type StatusCode,
  statusName,
  type UrlErrorCode,
} from "../base/status.ts";
import type { RowResult, UrlText } from "../engine/engine.ts";
import { textOf } from "../engine/strings.ts";

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
  readonly key?: Uint8Array | undefined;
  /**
   * Sets the size of a fingerprint in bits: 128, or 64, which is the first half.
   *
   * @default 128
   */
  readonly bits?: 128 | 64 | undefined;
}

/** Holds what the rows of a call get besides their normal form. */
export interface ColumnOptions<B extends ArrayBufferLike = ArrayBuffer> extends BytesOptions<B> {
  /**
   * Sets the key of fingerprints, 16 bytes.
   *
   * @default undefined, for no fingerprints
   */
  readonly key?: Uint8Array | undefined;
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

/** The outcome for a value that is not a text. */
export const NOT_A_STRING = { url: null, error: "NOT_A_STRING", offset: -1 } as const;

/** Returns the result of one URL. `given`: what the caller gave. */
export function resultOf(outcome: RowResult, given: unknown): TryResult {
  if (outcome.error !== null) return failureOf(outcome.error, given);
  const isUnchanged = outcome.url === textOf(given);
  const status = isUnchanged ? Status.UNCHANGED : Status.CHANGED;
  return { ok: true, url: outcome.url, status };
}

/** Returns the result of a row of a batch. `url`: its normal form, if the status has one. */
export function rowResult(status: StatusCode, url: string | null, given: unknown): TryResult {
  if (isError(status)) return failureOf(statusName(status) as UrlErrorCode, given);
  return { ok: true, url: url as string, status: status as TrySuccess["status"] };
}

function failureOf(code: UrlErrorCode, given: unknown): TryFailure {
  return { ok: false, url: null, status: Status[code], code, message: messageOf(code, given) };
}

/** Returns the result of a URL whose base has an error, which `cause` names. */
export function baseFailureOf(cause: UrlErrorCode, base: unknown): TryFailure {
  return { ...failureOf("BAD_BASE", base), message: baseMessageOf(cause, base) };
}

export function urlError(code: UrlErrorCode, given: unknown, offset: number): UrlmillError {
  return new UrlmillError(code, messageOf(code, given), offset);
}

export function baseError(cause: UrlErrorCode, base: unknown, offset: number): UrlmillError {
  return new UrlmillError("BAD_BASE", baseMessageOf(cause, base), offset);
}

function messageOf(code: UrlErrorCode, given: unknown): string {
  const [scheme] = /^\s*[a-z][a-z0-9+.-]*(?=:)/i.exec(textOf(given) ?? "") ?? [];
  const isNamed = code === "SCHEME_NOT_ALLOWED" && scheme !== undefined;
  const reason = isNamed
    ? `scheme ${scheme.trim()} is not allowed (option allowedSchemes)`
    : explainStatus(code);
  return `${reason}: ${shorten(given)}`;
}

function baseMessageOf(cause: UrlErrorCode, base: unknown): string {
  return `${explainStatus("BAD_BASE")} (${cause}): ${shorten(base)}`;
}

/** Returns a URL for a message. A value that is not a text is shown by its type. */
function shorten(url: unknown): string {
  const text = textOf(url) ?? (url === null ? "null" : typeof url);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
