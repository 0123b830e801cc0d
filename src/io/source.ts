import { MARK_LENGTH, mayBeginWithMark } from "../base/byte-order-mark.ts";
import type { Gaps } from "./gaps.ts";

/** Reads the bytes of one input into memory of the caller's. */
export interface Source {
  /** Reads up to the length of `into`, as soon as there are bytes; returns 0 at the end. */
  read(into: Uint8Array): Promise<number>;
  /** Counts the bytes taken from the file so far, before decompression. */
  readonly taken: number;
  /** The gaps of a source whose reading can go on after damage. */
  readonly gaps?: Gaps | undefined;
  /** Says whether the file is text in UTF-16, which is read as UTF-8. It is known after the first read. */
  readonly isUtf16?: boolean | undefined;
  close(): Promise<void>;
}

/**
 * Reads a source without the UTF-8 byte order mark at its beginning, which belongs to the file and not to its
 * first line. To detect the mark, reads must have at least three bytes.
 */
export class UnmarkedSource implements Source {
  readonly #source: Source;
  #isBegun = false;

  constructor(source: Source) {
    this.#source = source;
  }

  get taken(): number {
    return this.#source.taken;
  }

  get gaps(): Gaps | undefined {
    return this.#source.gaps;
  }

  get isUtf16(): boolean | undefined {
    return this.#source.isUtf16;
  }

  async read(into: Uint8Array): Promise<number> {
    let length = await this.#source.read(into);
    if (this.#isBegun) return length;
    this.#isBegun = true;
    while (length > 0 && length < MARK_LENGTH && mayBeginWithMark(into.subarray(0, length))) {
      const more = await this.#source.read(into.subarray(length));
      if (more === 0) return length;
      length += more;
    }
    if (length < MARK_LENGTH || !mayBeginWithMark(into)) return length;
    into.copyWithin(0, MARK_LENGTH, length);
    length -= MARK_LENGTH;
    return length === 0 ? this.#source.read(into) : length;
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
