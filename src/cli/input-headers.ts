import { UrlmillError } from "../errors.ts";
import type { ChunkPlace, Format } from "../formats/index.ts";

/**
 * Follows the headers of a run's inputs, for the threads that read their chunks. Where each input begins with
 * a header, that of the first is written, and the others must be equal to it.
 */
export class InputHeaders {
  readonly #format: Format;
  #header: string | null = null;
  #isStart = true;
  #input = "";

  constructor(format: Format) {
    this.#format = format;
  }

  /** Begins an input, which errors call `input`. */
  start(input: string): void {
    this.#input = input;
    this.#isStart = true;
    if (!this.#format.startsWithHeader) this.#header = null;
  }

  /** Returns where the next chunk of whole records is. Throws `BAD_OPTION` for a header that does not fit. */
  placeOf(bytes: Uint8Array): ChunkPlace {
    const place = { header: this.#header, isStart: this.#isStart };
    if (!this.#isStart) return place;
    const header = this.#headerOf(bytes);
    if (header === undefined) return place;
    if (place.header !== null && header !== place.header) {
      throw new UrlmillError(
        "BAD_OPTION",
        `${this.#input} has another header than the file before it; give files of equal columns`,
      );
    }
    this.#header = header;
    this.#isStart = false;
    return place;
  }

  #headerOf(bytes: Uint8Array): string | null | undefined {
    try {
      return this.#format.headerOf(bytes);
    } catch (error) {
      if (!(error instanceof UrlmillError)) throw error;
      throw new UrlmillError(error.code, `${this.#input}: ${error.message}`);
    }
  }
}
