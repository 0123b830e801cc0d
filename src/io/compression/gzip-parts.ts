import type { Gaps } from "../gaps.ts";
import { damaged, damageOf } from "../io-error.ts";
import type { Members, ReadRange } from "./gzip-members.ts";
import { Segment } from "./gzip-segment.ts";
import { NotHeld } from "./held-stream.ts";

/**
 * Bytes that are read again because of damage, besides four times as many as come before it. So hostile files, too, take
 * time by their length.
 */
const MOST_AGAIN = 1 << 26;
/** The compressed bytes of the first parts of a segment, at least. */
const FIRST_PARTS = 1 << 16;

/**
 * Decompresses what can be read of damaged segments of a web archive. A part of one begins where a member begins a record, and
 * is read in smaller parts if it is damaged. Of the smallest, up to the next such member, what cannot be read is a gap.
 */
export class Parts {
  readonly #read: ReadRange;
  readonly #members: Members;
  readonly #gaps: Gaps;
  #again = 0;

  constructor(read: ReadRange, members: Members, gaps: Gaps) {
    this.#read = read;
    this.#members = members;
    this.#gaps = gaps;
  }

  /**
   * Yields the content of the parts that begin in a segment, without its first `given` bytes. Returns where the next part
   * begins, or END. Throws the error of the segment if its bytes cannot be read again.
   */
  async *content(segment: Segment, given: number): AsyncGenerator<Uint8Array, number, undefined> {
    try {
      return yield* this.#parts(segment, given, FIRST_PARTS);
    } catch (error) {
      throw error instanceof NotHeld ? segment.error : error;
    }
  }

  /** As `content`. `length`: the bytes of a part, at least; 1 for one record. */
  async *#parts(
    { start, end }: Segment,
    given: number,
    length: number,
  ): AsyncGenerator<Uint8Array, number, undefined> {
    let left = given;
    let at = start;
    while (at < end) {
      const part = yield* this.#part(at, left, length);
      if (part.error === null) {
        left = Math.max(0, left - part.given);
        at = part.end;
      } else {
        left = Math.max(left, part.given);
        at = yield* length === 1 ? this.#gap(part, left) : this.#parts(part, left, 1);
        left = 0; // nothing after damage was handed out
      }
    }
    return at;
  }

  /** Yields the content of a part up to damage. If it seems to end within a member, it goes on to a later one. */
  async *#part(
    start: number,
    given: number,
    length: number,
  ): AsyncGenerator<Uint8Array, Segment, undefined> {
    let skipped = given;
    for (let least = length; ; ) {
      const part = await this.#from(start, start + least);
      yield* part.content(skipped);
      if (part.error === null) return part;
      // A longer part may give less before damage.
      skipped = part.given = Math.max(skipped, part.given);
      if (part.endsEarly) least = 2 * (part.end - start);
      else if (length > 1 || least === 1) return part;
      else return yield* this.#shorter(part);
    }
  }

  /** Yields the content of the shortest whole part that begins as one with damage, or returns the latter. */
  async *#shorter(longer: Segment): AsyncGenerator<Uint8Array, Segment, undefined> {
    const { start, given } = longer;
    let part = await this.#from(start, start + 1);
    while (part.end < longer.end) {
      yield* part.content(given);
      if (part.error === null) return part;
      part = await this.#from(start, part.end + 1);
    }
    part.leave();
    return longer;
  }

  /** Begins to read a part that ends at `end` or later. Throws if too much is read again. */
  async #from(start: number, end: number): Promise<Segment> {
    if (this.#again > MOST_AGAIN + 4 * start) throw damaged("too many members are");
    const record = await this.#members.recordFrom(end);
    return new Segment(this.#bytes(start, record), start, record);
  }

  /**
   * Yields what can be read of a part with damage after its first `given` bytes. Returns where the next part begins, or END.
   */
  async *#gap(
    { start, end, error }: Segment,
    given: number,
  ): AsyncGenerator<Uint8Array, number, undefined> {
    const { content, member } = await this.#members.untilDamage(start, end);
    if (content.length > given) yield content.subarray(given);
    this.#gaps.note(`gzip member at byte ${member}: ${damageOf(error)}`);
    return this.#members.recordFrom(member + 1);
  }

  async *#bytes(start: number, end: number): AsyncGenerator<Uint8Array> {
    for await (const bytes of this.#read(start, end)) {
      this.#again += bytes.length;
      yield bytes;
    }
  }
}
