import { LF } from "../../url/chars.ts";
import type { Source } from "../source.ts";

/** Bytes that are read ahead for a line. */
const AHEAD = 1 << 12;

/** Reads lines and pieces of a given length from a source. */
export class FilledSource {
  readonly #source: Source;
  /** What was read of the source and not taken yet. */
  #ahead: Buffer = Buffer.alloc(0);

  constructor(source: Source) {
    this.#source = source;
  }

  /** Returns the next line with its line end; null if the source ends before, or the line is longer than `longest` bytes. */
  async line(longest: number): Promise<Buffer | null> {
    const piece = Buffer.alloc(AHEAD);
    for (;;) {
      const end = this.#ahead.indexOf(LF) + 1;
      if (end > longest || (end === 0 && this.#ahead.length > longest)) return null;
      if (end > 0) return this.#take(end);
      const length = await this.#source.read(piece);
      if (length === 0) return null;
      this.#ahead = Buffer.concat([this.#ahead, piece.subarray(0, length)]);
    }
  }

  /** Reads until `into` is full or the source ends. Returns the number of bytes. */
  async fill(into: Uint8Array): Promise<number> {
    let length = this.#take(into.length).copy(into);
    while (length < into.length) {
      const read = await this.#source.read(into.subarray(length));
      if (read === 0) break;
      length += read;
    }
    return length;
  }

  #take(bytes: number): Buffer {
    const taken = this.#ahead.subarray(0, bytes);
    this.#ahead = this.#ahead.subarray(taken.length);
    return taken;
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
