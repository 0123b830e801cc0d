import { copyBytes, memoryLike } from "../base/copy-bytes.ts";
import { type Boundary, LONGEST_RECORD } from "../formats/format.ts";
import type { Slot, Slots } from "../threads/slots.ts";
import { CR, LF } from "../url/chars.ts";
import { IoError, shownInput } from "./io-error.ts";
import type { Source } from "./source.ts";
import type { MendedSource } from "./sources/mended-source.ts";

/**
 * Holds a run of an input. `records`: whole records in a slot; a last line without LF got one. `long`: a
 * piece of a line over the limit, passed on as it is read, without its line end. `end`: that line end, LF or
 * CR LF, with the last piece; null with the pieces before.
 */
export type Chunk =
  | { readonly kind: "records"; readonly slot: Slot<ArrayBufferLike>; readonly length: number }
  | { readonly kind: "long"; readonly bytes: Uint8Array; readonly end: Uint8Array | null };

export interface ReadOptions {
  /** Finds the boundaries of the source's format; it has read nothing yet. */
  readonly boundary: Boundary;
  /** The byte that a last record gets if it lacks it, which is LF or NUL; null if it gets none. */
  readonly lastByte: number | null;
  /** Limits the line to hold, in bytes; null if records are not lines of one URL. */
  readonly maxLine: number | null;
  /** Bytes to read at a time. Asked before each read. */
  readonly size: number;
  /** The source, if its records may have doubtful quotes. The boundaries are its own. */
  readonly mended?: MendedSource | null;
}

/**
 * Reads a source into slots, cut between records. Looks at each byte once and copies it a few times. Memory
 * is bounded for records of any length. Throws an IoError for a record over 64 MiB that is not a line.
 */
export async function* readChunks(
  source: Source,
  name: string,
  slots: Slots<ArrayBufferLike>,
  options: ReadOptions,
): AsyncGenerator<Chunk, void, undefined> {
  const { boundary, lastByte, maxLine, mended = null } = options;
  // One byte more than the limit may be the CR of a line that fits.
  const limit = maxLine === null ? LONGEST_RECORD : maxLine + 1;
  let slot = slots.take();
  /** Bytes in the slot that belong to a record that has begun. */
  let length = 0;
  let long: LongLine | null = null;
  for (;;) {
    const { size } = options;
    const mostBytes = limit + size + 1;
    makeRoomAfter(slot, length, length + size + 1, mostBytes);
    const memory = new Uint8Array(slot.input);
    const bytesRead = await source.read(memory.subarray(length, length + size));
    let isLast = bytesRead === 0;
    /** The bytes before this have no boundary. */
    let from = length;
    length += bytesRead;
    if (long !== null) {
      const newline = memory.subarray(0, length).indexOf(LF);
      const isEnd = newline >= 0 || isLast;
      yield long.piece(memory.slice(0, newline < 0 ? length : newline), isEnd);
      const next = newline < 0 ? length : newline + 1;
      memory.copyWithin(0, next, length);
      length -= next;
      from = 0;
      if (isEnd) long = null;
    }
    let end = boundary(memory.subarray(0, length), from);
    if (mended !== null && (end < 0 || length > limit || (isLast && end < length))) {
      const cut = mended.mend(memory.subarray(0, length), isLast, size);
      if (cut !== null) {
        // What comes after it is read again.
        isLast &&= cut === length;
        length = cut;
        end = isLast ? 0 : cut;
      }
    }
    if (isLast && end < length) {
      if (lastByte !== null && memory[length - 1] !== lastByte) memory[length++] = lastByte;
      end = length;
    }
    const first = maxLine === null || from === 0 || end <= 0 ? -1 : memory.indexOf(LF, from);
    if (first >= 0 && isTooLong(memory.subarray(0, first), maxLine as number)) {
      yield new LongLine().piece(memory.slice(0, first), true);
      memory.copyWithin(0, first + 1, length);
      length -= first + 1;
      end -= first + 1;
    }
    if (end > 0) {
      mended?.pass(memory.subarray(0, end));
      const next = slots.take();
      makeRoomAfter(next, 0, length - end + size + 1, mostBytes);
      copyBytes(new Uint8Array(next.input), memory.subarray(end, length), 0);
      yield { kind: "records", slot, length: end };
      slot = next;
      length -= end;
    }
    mended?.report();
    if (isLast) {
      slots.release(slot);
      return;
    }
    if (length <= limit) continue;
    if (maxLine === null) {
      throw recordTooLong(name);
    }
    long = new LongLine();
    yield long.piece(new Uint8Array(slot.input).slice(0, length), false);
    length = 0;
  }
}

/** Returns whether a line has more than `most` bytes, without the CR of its end. */
function isTooLong(line: Uint8Array, most: number): boolean {
  return line.length - (line.at(-1) === CR ? 1 : 0) > most;
}

/** Returns the error of an input with a record that is longer than LONGEST_RECORD. */
export function recordTooLong(name: string): IoError {
  return new IoError(
    `${shownInput(name)} has a record of more than 64 MiB, the longest that is read; check --format`,
  );
}

/** A line over the limit. A CR at the end of a piece is kept back, because it may belong to the line end. */
class LongLine {
  #hasCr = false;

  /** Returns the next piece, from bytes without LF. `isEnd`: whether the line ends after them. */
  piece(bytes: Uint8Array, isEnd: boolean): Chunk & { kind: "long" } {
    const all = this.#hasCr ? Buffer.concat([Uint8Array.of(CR), bytes]) : bytes;
    this.#hasCr = all.at(-1) === CR;
    const end = this.#hasCr ? Uint8Array.of(CR, LF) : Uint8Array.of(LF);
    return {
      kind: "long",
      bytes: this.#hasCr ? all.subarray(0, -1) : all,
      end: isEnd ? end : null,
    };
  }
}

/**
 * Makes room for `bytes` and keeps the first `used`. Grows twofold up to `mostBytes`, so that a long record
 * is copied only a few times.
 */
function makeRoomAfter(
  slot: Slot<ArrayBufferLike>,
  used: number,
  bytes: number,
  mostBytes: number,
): void {
  const has = slot.input.byteLength;
  if (has >= bytes) return;
  const input = memoryLike(slot.input, Math.max(bytes, Math.min(2 * has, mostBytes)));
  new Uint8Array(input).set(new Uint8Array(slot.input, 0, used));
  slot.input = input;
}
