import { Gaps } from "../gaps.ts";
import { END, Members, type ReadRange } from "./gzip-members.ts";
import { Parts } from "./gzip-parts.ts";
import { Segment } from "./gzip-segment.ts";

/** Compressed bytes of a segment, unless it is the last. */
const SEGMENT = 1 << 20;
/** Segments to decompress at a time. */
const AT_ONCE = 3;

/** Describes how a gzip file is read in segments. */
export interface SegmentReading {
  /** Hears up to where the file is read. */
  readonly reached?: (position: number) => void;
  /** Hears up to where the file is not read any more. */
  readonly passed?: (position: number) => void;
  /** Notes what damage leaves out, if that is taken. */
  readonly gaps?: Gaps;
  /** The compressed bytes of a segment, at least. */
  readonly shortest?: number;
  /** The most bytes that are searched for the next segment. */
  readonly searched?: number;
}

/**
 * Decompresses a gzip file as `gunzip` does, in segments of whole members, some at a time on the threads of Node. What
 * looks like the beginning of a member may be content of one. Then the segment before it ends too early, and is read again,
 * up to a later member. So wherever segments begin, the content is the same.
 */
export async function* gunzipSegments(
  read: ReadRange,
  { reached, passed, gaps = new Gaps(), shortest = SEGMENT, searched }: SegmentReading = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const members = new Members(read, searched);
  const parts = new Parts(read, members, gaps);
  async function* partOf(from: number, end: number): AsyncGenerator<Uint8Array> {
    let at = from;
    for await (const bytes of read(from, end)) {
      at += bytes.length;
      reached?.(at);
      yield bytes;
    }
  }
  const ahead: Segment[] = [];
  let start = 0;
  let length = shortest;
  /** The bytes of the next segment's content that were handed out before. */
  let given = 0;
  try {
    for (;;) {
      while (ahead.length < AT_ONCE && start !== END) {
        const end = await members.after(start, length);
        ahead.push(new Segment(partOf(start, end), start, end));
        start = end;
        length = shortest;
      }
      const segment = ahead.shift();
      if (segment === undefined) return;
      yield* segment.content(given);
      if (segment.error === null) {
        passed?.(segment.end);
        given = 0;
        continue;
      }
      for (const next of ahead.splice(0)) next.leave();
      given = Math.max(given, segment.given);
      if (segment.endsEarly) {
        start = segment.start;
        // Twice as long: members within members take time by their length, too.
        length = 2 * (segment.end - segment.start);
      } else if (gaps.areTaken) {
        start = yield* parts.content(segment, given);
        given = 0;
      } else throw segment.error;
    }
  } finally {
    for (const next of ahead) next.leave();
  }
}
