import { MARK_LENGTH, mayBeginWithMark } from "../base/byte-order-mark.ts";
import { UrlmillError } from "../base/errors.ts";
import { isView } from "../normalizer/check-calls.ts";
import { CHUNK } from "../threads/chunks.ts";
import { LF } from "../url/codes.ts";

/**
 * Makes whole lines of pieces of bytes. Skips a byte order mark at the beginning. If a line is longer than `maxLength`, it
 * keeps only as much of the line as shows that.
 */
export class WholeLines {
  readonly #maxLength: number;
  #rest: Uint8Array = new Uint8Array(0);
  #isBegun = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Returns the lines that end in these pieces. Throws `BAD_INPUT` for a piece that is not a `Uint8Array`. */
  take(pieces: readonly Uint8Array[]): Uint8Array {
    for (const piece of pieces) checkPiece(piece);
    let bytes = joined([this.#rest, ...pieces]);
    if (!this.#isBegun && mayBeginWithMark(bytes)) {
      // A byte order mark may come in pieces, so the next piece decides.
      this.#rest = bytes;
      if (bytes.length < MARK_LENGTH) return new Uint8Array(0);
      bytes = bytes.subarray(MARK_LENGTH);
    }
    this.#isBegun = true;
    const end = bytes.lastIndexOf(LF) + 1;
    // One byte more than the limit may be the CR of a line that fits.
    this.#rest = bytes.subarray(end, end + this.#maxLength + 2);
    return bytes.subarray(0, end);
  }

  /** Returns the last line if it lacks its end, or else nothing. */
  rest(): Uint8Array {
    return this.#rest;
  }
}

/**
 * Returns a copy of a piece of a stream, which may write to the memory of one piece again when it is asked for the next.
 * Returns a piece of CHUNK bytes or more as it is, because it ends its batch, and anything but bytes.
 */
export function ownPiece<T>(piece: T): T | Uint8Array {
  if (!isView(piece, "Uint8Array")) return piece;
  const bytes = piece as Uint8Array;
  return bytes.length < CHUNK ? new Uint8Array(bytes) : bytes;
}

/** Joins pieces in new memory; Node has a function that does not clear it before. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (globalThis.Buffer !== undefined) return Buffer.concat(pieces);
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function checkPiece(piece: unknown): void {
  if (isView(piece, "Uint8Array")) return;
  throw new UrlmillError(
    "BAD_INPUT",
    `the stream gave ${typeof piece === "string" ? "a string" : "something else"} instead of bytes: leave out setEncoding, or encode text as UTF-8 first`,
  );
}
