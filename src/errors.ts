import type { UrlErrorCode } from "./status.ts";

/** Errors of a call rather than of a URL. */
export type CallErrorCode =
  | "BAD_OPTION"
  | "BAD_RULES"
  | "BAD_COLUMN"
  | "BAD_BATCH"
  | "BATCH_TOO_LARGE"
  | "ENGINE_UNAVAILABLE"
  | "ENGINE_FAILED"
  | "SET_FULL"
  | "WORKER_DIED"
  | "POOL_CLOSED"
  | "SEEN_MISMATCH"
  | "SEEN_CORRUPT"
  | "SEEN_LOCKED"
  | "SEEN_FAILED"
  | "SEEN_CLOSED";

/** The one error this package throws. `code` is stable, the message is for people. */
export class UrlmillError extends Error {
  override readonly name = "UrlmillError";
  /** What went wrong: an error of a URL (docs/spec.md 5), or of the call. */
  readonly code: UrlErrorCode | CallErrorCode;
  /** Where, in bytes of the input as UTF-8; -1 where no place can be named. */
  readonly offset: number;
  /**
   * The answers for the first rows of a batch, where a set failed after these. They are recorded,
   * so nobody will be told again.
   */
  answers?: Uint8Array;

  constructor(code: UrlErrorCode | CallErrorCode, message: string, offset = -1) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

/** Whether an error says that WebAssembly does not run here. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof UrlmillError && error.code === "ENGINE_UNAVAILABLE";
}
