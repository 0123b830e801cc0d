import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { markHandled } from "../../base/handled.ts";
import { LF } from "../../url/chars.ts";

const compress = promisify(gzip);

/** The lines of a member of gzip. */
export const MEMBER_LINES = 3000;
/** Matches the key and the timestamp of a line. A TAB ends a field of the index. */
const KEY = /^[^ \t\r]*(?: [^ \t\r]*)?/;

/** Holds the lines of a member: whole pieces of text, the first of them with the header. */
interface Member {
  readonly text: Buffer;
  /** The key and the timestamp of the first record; null if the member has the header alone. */
  readonly key: string | null;
}

/**
 * Writes sorted lines as ZipNum: members of gzip, and an index with the key of the first line of each, its place and its
 * length. `name`: the file of the members, beside which the index is.
 */
export class ZipNum {
  readonly #part: string;
  readonly #index: string[] = [];
  #count = 0;

  constructor(name: string) {
    this.#part = Buffer.from(basename(name)).toString("latin1");
  }

  /** The members so far. */
  get count(): number {
    return this.#count;
  }

  /** Yields the members. `header`: the header of CDX, which the first member has before its lines, or nothing. */
  async *members(
    pieces: AsyncIterable<Uint8Array>,
    header: () => Uint8Array,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    /** Members that are compressed at the same time, in order. */
    const waiting: { readonly key: Member["key"]; readonly bytes: Promise<Buffer> }[] = [];
    let offset = 0;
    const next = async (): Promise<Buffer> => {
      const { key, bytes } = waiting.shift() as (typeof waiting)[0];
      const member = await bytes;
      const line = [key, this.#part, offset, member.length, ++this.#count];
      if (key !== null) this.#index.push(`${line.join("\t")}\n`);
      offset += member.length;
      return member;
    };
    for await (const { text, key } of membersIn(pieces, header)) {
      waiting.push({ key, bytes: markHandled(compress(text)) }); // `next` throws its error
      if (waiting.length > availableParallelism()) yield await next();
    }
    while (waiting.length > 0) yield await next();
  }

  /** Yields the lines of the index, after all members. */
  async *index(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from(this.#index.join(""), "latin1");
  }

  /** Yields the line that says where the members are: in a file beside it. */
  async *locations(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from(`${this.#part}\t${this.#part}\n`, "latin1");
  }
}

/** Divides lines into members. The first one has the header, and is there without lines, too: no bytes are no gzip. */
async function* membersIn(
  pieces: AsyncIterable<Uint8Array>,
  header: () => Uint8Array,
): AsyncGenerator<Member, void, undefined> {
  let parts: Buffer[] = [];
  let lines = 0;
  let isFirst = true;
  const take = (): Member => {
    const text = Buffer.concat(parts);
    const key = text.length === 0 ? null : keyOf(text);
    const member = { key, text: isFirst ? Buffer.concat([header(), text]) : text };
    isFirst = false;
    parts = [];
    lines = 0;
    return member;
  };
  for await (const piece of pieces) {
    // The next piece is in the same memory.
    const bytes = Buffer.from(piece);
    let from = 0;
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
      if (++lines < MEMBER_LINES) continue;
      parts.push(bytes.subarray(from, at + 1));
      from = at + 1;
      yield take();
    }
    if (from < bytes.length) parts.push(bytes.subarray(from));
  }
  if (parts.length > 0 || isFirst) yield take();
}

function keyOf(text: Buffer): string {
  const line = text.toString("latin1", 0, text.indexOf(LF));
  return (KEY.exec(line) as RegExpExecArray)[0];
}
