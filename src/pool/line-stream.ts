import { MARK_LENGTH, mayBeginWithMark } from "../base/byte-order-mark.ts";
import { UrlmillError } from "../base/errors.ts";
import { gather } from "../base/gather.ts";
import { isView } from "../normalizer/check-calls.ts";
import { CHUNK } from "../threads/chunks.ts";
import { LF } from "../url/codes.ts";

/**
 * Yields the whole lines of a stream, many at a time. Skips a byte order mark at the beginning. If a line is
 * longer than `maxLength`, it keeps only as much of the line as shows that. Throws `BAD_INPUT` for a piece
 * that is not a `Uint8Array`.
 */
export function linesOfStream(
  stream: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  return wholeLines(
    gather(stream, (piece) => piece.length, CHUNK),
    maxLength,
  );
}

async function* wholeLines(
  batches: AsyncIterable<readonly Uint8Array[]>,
  maxLength: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let rest: Uint8Array = new Uint8Array(0);
  let isBegun = false;
  for await (const batch of batches) {
    for (const piece of batch) checkPiece(piece);
    let bytes = Buffer.concat([rest, ...batch]);
    if (!isBegun && mayBeginWithMark(bytes)) {
      // A byte order mark may come in pieces, so the next piece decides.
      rest = bytes;
      if (bytes.length < MARK_LENGTH) continue;
      bytes = bytes.subarray(MARK_LENGTH);
    }
    isBegun = true;
    const end = bytes.lastIndexOf(LF) + 1;
    if (end > 0) yield bytes.subarray(0, end);
    // One byte more than the limit may be the CR of a line that fits.
    rest = bytes.subarray(end, end + maxLength + 2);
  }
  if (rest.length > 0) yield rest;
}

function checkPiece(piece: unknown): void {
  if (isView(piece, "Uint8Array")) return;
  throw new UrlmillError(
    "BAD_INPUT",
    `the stream gave ${typeof piece === "string" ? "a string" : "something else"} instead of bytes: leave out setEncoding, or encode text as UTF-8 first`,
  );
}
