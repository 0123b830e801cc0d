import { createReadStream } from "node:fs";
import { CommandFailure, describeSystemError } from "./failure.ts";

const LF = 0x0a;
const CHUNK = 1 << 18;
const NOTHING = new Uint8Array(0);

/**
 * Stretches of input. `lines`: whole lines, each ended by LF but for the last of a file. `long`: a
 * piece of one line over the limit, which is passed on as it is read, `end` behind its last piece.
 */
export type Stretch =
  | { readonly kind: "lines"; readonly bytes: Uint8Array }
  | { readonly kind: "long"; readonly bytes: Uint8Array; readonly end: boolean };

/** The bytes of a file, or of standard input for `-`. */
export async function* readFile(file: string): AsyncGenerator<Uint8Array> {
  const stream = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: CHUNK });
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    const name = file === "-" ? "standard input" : file;
    throw new CommandFailure(`cannot read ${name}: ${describeSystemError(error)}`, 1);
  }
}

/** Cuts chunks of one file into whole lines. Holds back at most `maxLength` bytes and a chunk. */
export async function* cutLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<Stretch> {
  let pending: Uint8Array = NOTHING;
  let long = false;
  for await (const chunk of chunks) {
    let rest = chunk;
    if (long) {
      const newline = rest.indexOf(LF);
      long = newline < 0;
      yield { kind: "long", bytes: long ? rest : rest.subarray(0, newline), end: !long };
      rest = long ? NOTHING : rest.subarray(newline + 1);
    }
    const lastNewline = rest.lastIndexOf(LF);
    if (lastNewline >= 0) {
      yield { kind: "lines", bytes: concatenate(pending, rest.subarray(0, lastNewline + 1)) };
      pending = NOTHING;
    }
    pending = concatenate(pending, rest.subarray(lastNewline + 1));
    // One more than the limit may be the CR of a line that fits.
    if (pending.length > maxLength + 1) {
      yield { kind: "long", bytes: pending, end: false };
      pending = NOTHING;
      long = true;
    }
  }
  if (long) yield { kind: "long", bytes: NOTHING, end: true };
  if (pending.length > 0) yield { kind: "lines", bytes: pending };
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  return second.length === 0 ? first : Buffer.concat([first, second]);
}
