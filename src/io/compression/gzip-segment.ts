import { leaveSource, markHandled } from "../../base/handled.ts";
import { damaged, damageOf } from "../io-error.ts";
import { gunzip, PADDING_WITHIN } from "./gzip.ts";
import { END } from "./gzip-members.ts";

/** Decompresses a part of a file, as far as memory allows, before its content is asked for. */
export class Segment {
  readonly start: number;
  readonly end: number;
  readonly #pieces: AsyncGenerator<Uint8Array, boolean, undefined>;
  readonly #first: Promise<IteratorResult<Uint8Array, boolean>>;
  /** Counts the bytes of the content so far. */
  given = 0;
  /** The error of damage that ended the content; null if there is none. */
  error: unknown = null;

  /** `bytes`: the compressed bytes from `start` to `end`. */
  constructor(bytes: AsyncIterable<Uint8Array>, start: number, end: number) {
    this.start = start;
    this.end = end;
    this.#pieces = gunzip(bytes);
    // The reader of the content gets the error.
    this.#first = markHandled(this.#pieces.next());
  }

  /** Returns, after its content, whether it ends within a member, which may go on after it. */
  get endsEarly(): boolean {
    return (this.error as NodeJS.ErrnoException)?.code === "Z_BUF_ERROR" && this.end !== END;
  }

  /** Yields the content without its first `skipped` bytes, up to damage. */
  async *content(skipped: number): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      let next = await this.#first;
      for (; next.done !== true; next = await this.#pieces.next()) {
        const rest = next.value.subarray(Math.max(0, skipped - this.given));
        this.given += next.value.length;
        if (rest.length > 0) yield rest;
      }
      if (next.value && this.end !== END) throw damaged(PADDING_WITHIN);
    } catch (error) {
      if (damageOf(error) === null) throw error;
      this.error = error;
    } finally {
      this.leave();
    }
  }

  leave(): void {
    leaveSource(this.#pieces);
  }
}
