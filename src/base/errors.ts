import type { UrlErrorCode } from "./status.ts";

/** Names the errors of a call, as opposed to those of a URL. Codes are stable. */
export type CallErrorCode =
  /** An option is unknown, has a value that it cannot take, or names what can never match. */
  | "BAD_OPTION"
  /** A text is not a file of rules, aliases, a plan or evidence in its format. */
  | "BAD_RULES"
  /** A column is not a `Uint8Array` with Int32 offsets that fit it, or an Arrow vector does not hold text. */
  | "BAD_COLUMN"
  /** A batch, or a piece of a stream, is of a kind that the method does not take: for example, one string. */
  | "BAD_INPUT"
  /** The call takes a package that is not installed, or a module of Node that the platform does not have. */
  | "PACKAGE_MISSING"
  /** A result is larger than the memory or the offsets that should hold it. */
  | "BATCH_TOO_LARGE"
  /** WebAssembly does not run here, or the system refuses the memory that it needs. */
  | "ENGINE_UNAVAILABLE"
  /** The WebAssembly engine failed in the middle of a call. */
  | "ENGINE_FAILED"
  /** A set has no room for all URLs of the batch. */
  | "SET_FULL"
  /** A chunk ended its worker thread twice. */
  | "WORKER_DIED"
  /** The pool was closed before the call. */
  | "POOL_CLOSED"
  /** A stored set was made with other options, bits or another key. */
  | "SEEN_MISMATCH"
  /** A stored set is damaged, or its files are not those of a set. */
  | "SEEN_CORRUPT"
  /** Another process has the directory of the set open. */
  | "SEEN_LOCKED"
  /** A store or the system refused a call, or did not answer in time. */
  | "SEEN_FAILED"
  /** The set was closed before the call. */
  | "SEEN_CLOSED";

/**
 * Reports every error that this package throws. `code` is stable; the message is for people and may
 * change.
 *
 * @example
 * import { createNormalizer, UrlmillError } from "urlmill";
 * try {
 *   createNormalizer().normalize("http://1.2.3.256/");
 * } catch (error) {
 *   if (!(error instanceof UrlmillError)) throw error;
 *   [error.code, error.offset]; // ["BAD_IPV4", 7]
 * }
 */
export class UrlmillError extends Error {
  /** Names the class, for messages. */
  override readonly name = "UrlmillError";
  /** Names what went wrong: an error of a URL (`urlmill help errors`) or of the call. */
  readonly code: UrlErrorCode | CallErrorCode;
  /** Gives the place of the error, in bytes of the input as UTF-8; -1 if it has no place. */
  readonly offset: number;
  /**
   * Holds the answers for the first rows of a batch if a set failed after them. These rows are recorded, so
   * no later call reports their URLs as new.
   */
  declare answers?: Uint8Array;

  /**
   * Creates an error with a stable code, a message for people and, if it is known, a byte offset in
   * the input.
   */
  constructor(code: UrlErrorCode | CallErrorCode, message: string, offset = -1) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

/** Throws `BAD_INPUT` for anything but a string. `name` is how the message calls it. */
export function checkText(text: unknown, name: string): asserts text is string {
  if (typeof text === "string") return;
  const given = text === null ? "null" : typeof text;
  throw new UrlmillError("BAD_INPUT", `${name} must be a string, not ${given}`);
}

/** Returns whether an error says that WebAssembly does not run here. */
export function isUnavailable(error: unknown): error is UrlmillError {
  return error instanceof UrlmillError && error.code === "ENGINE_UNAVAILABLE";
}

/** Returns whether an error says that a set has no more room. */
export function isSetFull(error: unknown): error is UrlmillError {
  return error instanceof UrlmillError && error.code === "SET_FULL";
}
