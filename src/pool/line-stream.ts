import { gather } from "../base/gather.ts";
import { CHUNK } from "../threads/chunks.ts";
import { ownPiece, WholeLines } from "./whole-lines.ts";

/** Yields the whole lines of a stream, many at a time, as `WholeLines` makes them. */
export async function* linesOfStream(
  stream: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const lines = new WholeLines(maxLength);
  for await (const batch of gather(stream, (piece) => piece.length, CHUNK, ownPiece)) {
    const whole = lines.take(batch);
    if (whole.length > 0) yield whole;
  }
  const rest = lines.rest();
  if (rest.length > 0) yield rest;
}
