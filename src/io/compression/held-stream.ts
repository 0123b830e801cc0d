import type { ReadRange } from "./gzip-members.ts";

/** The most bytes that are held by default. */
const MOST = 1 << 26;

/** Reads parts of a stream, also again, as if it were a file: holds the bytes that may be asked for. */
export class HeldStream {
  readonly #stream: AsyncIterator<Uint8Array>;
  readonly #most: number;
  #pieces: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  /** Counts the bytes of the stream so far. */
  #length = 0;
  /** The read of the stream that is under way. */
  #reading: Promise<boolean> | null = null;

  constructor(stream: AsyncIterable<Uint8Array>, most = MOST) {
    this.#stream = stream[Symbol.asyncIterator]();
    this.#most = most;
  }

  /**
   * Yields the bytes from `start` up to `end`, or to the end of the stream. Throws if the first of them are not held any more.
   */
  readonly read: ReadRange = (start, end) => this.#range(start, end);

  /** Forgets the bytes before a place. */
  drop(before: number): void {
    this.#pieces = this.#pieces.filter(({ at, bytes }) => at + bytes.length > before);
  }

  async close(): Promise<void> {
    await this.#stream.return?.();
  }

  async *#range(start: number, end: number): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = start; at < end; ) {
      while (at >= this.#length) if (!(await this.#readMore())) return;
      const piece = this.#pieces.find((other) => at < other.at + other.bytes.length);
      if (piece === undefined || piece.at > at) throw new NotHeld();
      const bytes = piece.bytes.subarray(at - piece.at, end - piece.at);
      yield bytes;
      at += bytes.length;
    }
  }

  /** Reads the next bytes of the stream, once for all who wait for them. Returns whether there are any. */
  #readMore(): Promise<boolean> {
    this.#reading ??= this.#next().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #next(): Promise<boolean> {
    const next = await this.#stream.next();
    if (next.done === true) return false;
    this.#pieces.push({ at: this.#length, bytes: next.value });
    this.#length += next.value.length;
    this.drop(this.#length - this.#most);
    return true;
  }
}

/** Reports bytes of a stream that are not held any more. */
export class NotHeld extends Error {}
