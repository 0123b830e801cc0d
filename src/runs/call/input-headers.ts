import { UrlmillError } from "../../base/errors.ts";
import { excerpt } from "../../formats/excerpt.ts";
import type { AddedColumn, Boundary } from "../../formats/format.ts";
import type { ChunkPlace, Format } from "../../formats/index.ts";
import type { Scanner } from "../../formats/scan/scanner.ts";
import { named } from "../../io/io-error.ts";
import { addedColumns, refuseAdded } from "./added-columns.ts";
import type { CommandOptions } from "./options.ts";

/** Says what a run adds to records, and to which output. */
export type HeadOptions = Pick<
  CommandOptions,
  "append" | "outputHead" | "emit" | "count" | "format" | "field"
>;

/** Says what an output begins with that a run adds to. */
interface WrittenHead {
  readonly name: string;
  readonly head: Uint8Array;
  /** The columns that the run adds to its records, in order. */
  readonly added: readonly AddedColumn[];
}

/** Returns what the file of `--append` begins with. Returns null without that flag, and for an empty file. */
function writtenHead(options: HeadOptions): WrittenHead | null {
  const { append, outputHead: head } = options;
  if (append === undefined || head === null) return null;
  return { name: append, head, added: addedColumns(options) };
}

/**
 * Tracks the headers of a run's inputs, for the threads that read their chunks. If inputs begin with a header, the
 * first header is written, and the others must be equal to it. Inputs of CDX may have different headers: one that is equal to
 * the header before it is not written.
 */
export class InputHeaders {
  readonly #format: Format;
  /** The format with the field by which records are chosen in place of the URL. Null if there is none. */
  readonly #ofValues: Format | null;
  readonly #options: HeadOptions | null;
  readonly #written: WrittenHead | null;
  #header: string | null = null;
  /** The last header of the inputs so far. */
  #last: string | null = null;
  #isStart = true;
  #input = "";

  /** `options`: null if nothing is added, to records or to an output. */
  constructor(format: Format, ofValues: Format | null, options: HeadOptions | null = null) {
    this.#format = format;
    this.#ofValues = ofValues;
    this.#options = options;
    this.#written = options && writtenHead(options);
  }

  /** Begins an input. `input` is its name in error messages. */
  start(input: string): void {
    this.#input = input;
    this.#isStart = true;
    if (!this.#format.startsWithHeader) this.#header = null;
  }

  /** Returns the boundary of the input's records, found by a scanner if it is given one. Its errors name the input. */
  boundary(scanner: Scanner | null): Boundary {
    const input = this.#input;
    const find = this.#format.boundary(scanner);
    return (bytes, from) => named(input, () => find(bytes, from));
  }

  /**
   * Returns the position of the next chunk of whole records. Throws `BAD_OPTION` if a header does not match, or the first
   * record has a field that the run adds.
   */
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
    if (this.#options !== null) refuseAdded(this.#options, this.#input, bytes);
    const isRepeated = header === this.#last && this.#format.agree === undefined;
    this.#header = header;
    this.#last = header ?? this.#last;
    this.#isStart = false;
    if (this.#written === null) return isRepeated ? { header, isStart: true } : place;
    this.#checkWritten(this.#written, header);
    return { header, isStart: true };
  }

  /** Throws `BAD_OPTION` if the records after this header would stand under another one. */
  #checkWritten({ name, head, added }: WrittenHead, header: string | null): void {
    const end = this.#format.boundary()(head, 0);
    const theirs = named(name, () =>
      this.#format.headerOf(end <= 0 ? head : head.subarray(0, end)),
    );
    if (theirs == null || header === null) return;
    const ours = added.reduce((text, column) => this.#format.appendToHeader(text, column), header);
    const { agree } = this.#format;
    if (agree?.(theirs, ours) ?? theirs === ours) return;
    const what = agree === undefined ? "columns" : "root element";
    throw new UrlmillError(
      "BAD_OPTION",
      `${name} has the ${what} ${excerpt(theirs)}, and ${this.#input} would add ${excerpt(ours)}: append to another file`,
    );
  }

  #headerOf(bytes: Uint8Array): string | null | undefined {
    return named(this.#input, () => {
      this.#ofValues?.headerOf(bytes);
      return this.#format.headerOf(bytes);
    });
  }
}
