import type { Source } from "./source.ts";

const MARK = Buffer.of(0xef, 0xbb, 0xbf);

/**
 * Reads a source without the UTF-8 byte order mark at its beginning, which belongs to the file and not to
 * its first line. Reads of at least three bytes are needed to tell it.
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

  async read(into: Uint8Array): Promise<number> {
    let length = await this.#source.read(into);
    if (this.#isBegun) return length;
    this.#isBegun = true;
    while (length > 0 && length < MARK.length && isMark(into.subarray(0, length))) {
      const more = await this.#source.read(into.subarray(length));
      if (more === 0) return length;
      length += more;
    }
    if (length < MARK.length || !isMark(into.subarray(0, MARK.length))) return length;
    into.copyWithin(0, MARK.length, length);
    length -= MARK.length;
    return length === 0 ? this.#source.read(into) : length;
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}

/** Whether bytes are a byte order mark, or as much of one as they are long. */
function isMark(bytes: Uint8Array): boolean {
  return MARK.subarray(0, bytes.length).equals(bytes);
}

/** A text without a byte order mark at its beginning. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
