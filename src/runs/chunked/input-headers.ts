import { UrlmillError } from "../../base/errors.ts";
import type { ChunkPlace, Format } from "../../formats/index.ts";

/**
 * Tracks the headers of a run's inputs, for the threads that read their chunks. If inputs begin with a header, the
 * first header is written, and the others must be equal to it.
 */
export class InputHeaders {
  readonly #format: Format;
  /** The format with the field by which records are chosen in place of the URL. Null if there is none. */
  readonly #ofValues: Format | null;
  /** Says whether the output has a header already. */
  readonly #isWritten: boolean;
  #header: string | null = null;
  #isStart = true;
  #input = "";

  constructor(format: Format, ofValues: Format | null, isWritten = false) {
    this.#format = format;
    this.#ofValues = ofValues;
    this.#isWritten = isWritten;
  }

  /** Begins an input. `input` is its name in error messages. */
  start(input: string): void {
    this.#input = input;
    this.#isStart = true;
    if (!this.#format.startsWithHeader) this.#header = null;
  }

  /** Returns the position of the next chunk of whole records. Throws `BAD_OPTION` if a header does not match. */
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
    return this.#isWritten ? { header, isStart: true } : place;
  }

  #headerOf(bytes: Uint8Array): string | null | undefined {
    try {
      this.#ofValues?.headerOf(bytes);
      return this.#format.headerOf(bytes);
    } catch (error) {
      if (!(error instanceof UrlmillError)) throw error;
      throw new UrlmillError(error.code, `${this.#input}: ${error.message}`);
    }
  }
}
