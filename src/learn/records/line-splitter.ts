import { withoutMark } from "../../base/byte-order-mark.ts";
import { ByteBuilder } from "../../engine/byte-builder.ts";
import { utf8Text } from "../../url/bytes.ts";
import { CR, LF } from "../../url/chars.ts";

/** A string cannot be longer than 2^29 - 24 units. */
const MAX_LINE = 1 << 28;

/** Takes what a splitter finds: a line without its end, or why it cannot be read. */
export interface LineHandler {
  line(text: string): void;
  badLine(reason: string): void;
}

/**
 * Cuts bytes into lines. A line ends with LF or CR LF; the last may end with the input. A chunk may end anywhere. Keeps
 * at most `maxLine` bytes of a line. Does not read a line that is not UTF-8: replacing its wrong bytes would make
 * different URLs equal. Removes a byte order mark at the beginning.
 */
export class LineSplitter {
  readonly #handler: LineHandler;
  readonly #maxLine: number;
  #isFirst = true;
  /** Holds the pieces of the line in progress. */
  #held: Uint8Array[] = [];
  #heldLength = 0;
  #isTooLong = false;

  constructor(handler: LineHandler, maxLine = MAX_LINE) {
    this.#handler = handler;
    this.#maxLine = maxLine;
  }

  /** Takes the next bytes, whose memory may be used again after the call. */
  push(chunk: Uint8Array, final: boolean): void {
    const end = chunk.lastIndexOf(LF) + 1;
    if (end > 0) {
      let from = 0;
      if (this.#heldLength > 0 || this.#isTooLong) {
        from = chunk.indexOf(LF) + 1;
        this.#hold(chunk.subarray(0, from));
        this.#endHeld();
      }
      if (from < end) this.#split(chunk.subarray(from, end));
    }
    if (end < chunk.length) this.#hold(chunk.subarray(end));
    if (final) this.#endHeld();
  }

  #hold(bytes: Uint8Array): void {
    if (this.#isTooLong) return;
    this.#heldLength += bytes.length;
    this.#isTooLong = this.#heldLength > this.#maxLine;
    if (this.#isTooLong) this.#held = [];
    else this.#held.push(new Uint8Array(bytes)); // a Buffer's slice would not be a copy
  }

  #endHeld(): void {
    const held = this.#held;
    const length = this.#heldLength;
    this.#held = [];
    this.#heldLength = 0;
    if (this.#isTooLong) {
      this.#isTooLong = false;
      this.#isFirst = false;
      this.#handler.badLine(`longer than ${this.#maxLine} bytes`);
    } else if (length > 0) {
      const line = ByteBuilder.withRoom(length);
      for (const bytes of held) line.append(bytes);
      this.#split(line.bytes());
    }
  }

  /** Takes whole lines; the last one may lack its end. */
  #split(bytes: Uint8Array): void {
    const text = utf8Text(bytes);
    if (text === null) {
      this.#splitBytes(bytes);
      return;
    }
    for (let from = 0; from < text.length; ) {
      const newline = text.indexOf("\n", from);
      let to = newline < 0 ? text.length : newline;
      const next = to + 1;
      if (to > from && text.charCodeAt(to - 1) === CR) to--;
      this.#line(text.slice(from, to));
      from = next;
    }
  }

  /** Decodes line by line, to find the lines that are not UTF-8. */
  #splitBytes(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const newline = bytes.indexOf(LF, from);
      let to = newline < 0 ? bytes.length : newline;
      const next = to + 1;
      if (to > from && bytes[to - 1] === CR) to--;
      const line = utf8Text(bytes.subarray(from, to));
      if (line !== null) {
        this.#line(line);
      } else {
        this.#isFirst = false;
        this.#handler.badLine("not UTF-8");
      }
      from = next;
    }
  }

  #line(text: string): void {
    const bare = this.#isFirst ? withoutMark(text) : text;
    this.#isFirst = false;
    this.#handler.line(bare);
  }
}
