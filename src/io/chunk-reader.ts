import { makeRoom, type Slot, type Slots } from "../pool/slot.ts";
import { IoError } from "./io-error.ts";
import type { Source } from "./source.ts";

const LF = 0x0a;
/** Bytes of a record that is no line; a longer one is an error. */
const LONGEST_RECORD = 1 << 26;

/**
 * A stretch of an input. `records`: whole records in a slot; a last line that lacks its LF has got one.
 * `long`: a piece of a line over the limit, passed on as it is read, `end` with the last.
 */
export type Chunk =
  | { readonly kind: "records"; readonly slot: Slot; readonly length: number }
  | { readonly kind: "long"; readonly bytes: Uint8Array; readonly end: boolean };

export interface ReadOptions {
  /** Where the last whole record of some bytes ends, or 0. */
  readonly boundary: (bytes: Uint8Array) => number;
  /** Whether a last record without LF gets one. */
  readonly endsLines: boolean;
  /** Longest line to hold in bytes; null where records are no lines of one URL. */
  readonly maxLine: number | null;
  /** Bytes to read at a time. */
  readonly size: number;
}

/** Reads a source into slots, cut between records. */
export async function* readChunks(
  source: Source,
  name: string,
  slots: Slots,
  { boundary, endsLines, maxLine, size }: ReadOptions,
): AsyncGenerator<Chunk, void, undefined> {
  let rest: Uint8Array = new Uint8Array(0);
  let inLongLine = false;
  for (;;) {
    const slot = slots.take();
    makeRoom(slot, rest.length + size + 1);
    const memory = new Uint8Array(slot.input);
    memory.set(rest);
    const bytesRead = await source.read(memory.subarray(rest.length, rest.length + size));
    let length = rest.length + bytesRead;
    const isLast = bytesRead === 0;
    let start = 0;
    if (inLongLine) {
      const newline = memory.subarray(0, length).indexOf(LF);
      const end = newline < 0 ? length : newline;
      inLongLine = newline < 0 && !isLast;
      yield { kind: "long", bytes: memory.slice(0, end), end: !inLongLine };
      start = newline < 0 ? length : newline + 1;
    }
    if (start > 0) memory.copyWithin(0, start, length);
    length -= start;
    let end = boundary(memory.subarray(0, length));
    if (isLast && end < length) {
      if (endsLines && memory[length - 1] !== LF) memory[length++] = LF;
      end = length;
    }
    rest = memory.slice(end, length);
    // One byte more than the limit may be the CR of a line that fits.
    const isLong = rest.length > (maxLine === null ? LONGEST_RECORD : maxLine + 1);
    if (end > 0) yield { kind: "records", slot, length: end };
    else slots.release(slot);
    if (isLast) return;
    if (!isLong) continue;
    if (maxLine === null) throw new IoError(`${name} has a record of more than 64 MiB`);
    yield { kind: "long", bytes: rest, end: false };
    rest = new Uint8Array(0);
    inLongLine = true;
  }
}
