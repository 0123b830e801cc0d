import { ByteSink } from "../engine/byte-sink.ts";
import { UrlmillError } from "../errors.ts";
import { encodeUtf8, toByteString } from "../url/bytes.ts";
import { CR, LF } from "../url/chars.ts";
import { excerpt } from "./excerpt.ts";
import { WARC_MAGIC, WarcHeader } from "./warc-header.ts";

/** Bytes of the longest header that is read. */
const LONGEST_HEADER = 1 << 21;
/** Bytes of what is not WARC that an error is made of. */
const SHOWN = 64;
/** Bytes of a header to look at next. */
const STEP = 512;
/** What the next record begins with, after damage. */
const NEXT = encodeUtf8(`\n${WARC_MAGIC}`);

/** What is wrong with a record that something else than a record follows. */
const WRONG_LENGTH = "its Content-Length does not end at a record";

/** Describes a record that cannot be read whole. */
export interface DamagedRecord {
  /** Counts records from 1 on. */
  readonly number: number;
  /** Counts the bytes of the decompressed file before the record. */
  readonly at: number;
  /** Holds its WARC-Record-ID, or "". */
  readonly id: string;
  /** Says, for people, what is wrong. */
  readonly reason: string;
}

/** Takes the records of a WARC file, in their order. */
export interface WarcSink {
  /** Takes a header. Returns how many bytes of the content to hold for `content`; 0 for none. May throw `BadContent`. */
  header(header: WarcHeader): number;
  /** Takes the content, or the beginning that was asked for. May throw `BadContent`. */
  content(header: WarcHeader, content: Uint8Array): void;
  damaged(record: DamagedRecord): void;
}

/** Says why the content of a record cannot be read; `damaged` is told. */
export class BadContent extends Error {}

/**
 * Reads the records of a WARC file from its decompressed bytes, in any pieces. Content that nobody asked for is
 * passed over, so memory is bounded by a header and by what is asked for. After damage it goes on with the next line
 * that begins a record.
 */
export class WarcRecords {
  readonly #sink: WarcSink;
  /** What is read: between records, a header, content, or what is lost to damage. */
  #part: "between" | "header" | "content" | "lost" = "between";
  readonly #held = ByteSink.withRoom(1 << 14);
  #header: WarcHeader | null = null;
  /** Bytes of the content that are still to come, and to hold. */
  #left = 0;
  #wanted = 0;
  /** Bytes of the file before those of the current call. */
  #before = 0;
  #number = 0;
  #recordAt = 0;
  /** The last record of which damage was told. */
  #told = 0;
  /** Where the header begins that is being read. */
  #headerAt = 0;
  /** The end of what was lost so far, where the next record may have begun. */
  #tail: Uint8Array = new Uint8Array();

  constructor(sink: WarcSink) {
    this.#sink = sink;
  }

  /** Counts the records so far, the begun one too. */
  get records(): number {
    return this.#number;
  }

  /** Takes the next bytes. Throws `BAD_OPTION` for a file that does not begin as WARC does. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#part === "between") at = this.#passBlank(chunk, at);
      else if (this.#part === "header") at = this.#readHeader(chunk, at);
      else if (this.#part === "content") at = this.#readContent(chunk, at);
      else at = this.#findNext(chunk, at);
    }
    this.#before += chunk.length;
  }

  /** Says that no more bytes come. */
  end(): void {
    if (this.#part === "header") {
      if (!this.#isRecord()) this.#damage(WRONG_LENGTH);
      else {
        this.#beginRecord();
        this.#damage("the file ends in its header");
      }
    } else if (this.#part === "content") this.#damage("the file ends in its content");
    this.#part = "between";
  }

  #passBlank(bytes: Uint8Array, from: number): number {
    let at = from;
    while (bytes[at] === LF || bytes[at] === CR) at++;
    if (at === bytes.length) return at;
    this.#part = "header";
    this.#headerAt = this.#before + at;
    this.#held.clear();
    return at;
  }

  #readHeader(bytes: Uint8Array, from: number): number {
    const before = this.#held.length;
    const next = Math.min(bytes.length, from + STEP);
    this.#held.append(bytes.subarray(from, next));
    const held = this.#held.bytes();
    const { length } = held;
    if (length < WARC_MAGIC.length) return next;
    if (!this.#isRecord()) {
      // What is there belongs to the record before.
      this.#damage(WRONG_LENGTH);
      return from;
    }
    const end = headerEnd(held, Math.max(0, before - 3));
    if (end < 0) {
      if (length < LONGEST_HEADER) return next;
      this.#beginRecord();
      this.#damage("a header of more than 2 MiB");
      return next;
    }
    this.#beginRecord();
    const at = from + end - before;
    const header = WarcHeader.parse(toByteString(held.subarray(0, end)));
    const contentLength = header?.contentLength ?? null;
    this.#header = header;
    if (header === null || contentLength === null) {
      this.#damage(header === null ? "a header that is not one of WARC" : "no Content-Length");
      return at;
    }
    this.#left = contentLength;
    this.#held.clear();
    this.#wanted = 0;
    this.#try(() => {
      this.#wanted = Math.min(this.#sink.header(header), contentLength);
    });
    this.#part = contentLength === 0 ? "between" : "content";
    return at;
  }

  /** Whether the held bytes begin as a record does. Throws `BAD_OPTION` where they begin the file and do not. */
  #isRecord(): boolean {
    const text = toByteString(this.#held.bytes().subarray(0, SHOWN));
    const isRecord = text.startsWith(WARC_MAGIC) || WARC_MAGIC.startsWith(text);
    if (isRecord || this.#number > 0) return isRecord;
    throw new UrlmillError(
      "BAD_OPTION",
      text.startsWith("filed")
        ? "it is an ARC file, which is not read; make it WARC first: warcio recompress FILE.arc.gz FILE.warc.gz"
        : `it is not a WARC file: it begins with ${excerpt(text)}; check --format`,
    );
  }

  #beginRecord(): void {
    this.#number++;
    this.#recordAt = this.#headerAt;
    this.#header = null;
  }

  #readContent(bytes: Uint8Array, from: number): number {
    const end = Math.min(bytes.length, from + this.#left);
    this.#left -= end - from;
    if (this.#wanted > this.#held.length) {
      this.#held.append(
        bytes.subarray(from, Math.min(end, from + this.#wanted - this.#held.length)),
      );
      if (this.#wanted === this.#held.length) this.#handOut();
    }
    if (this.#left === 0) this.#part = "between";
    return end;
  }

  #handOut(): void {
    this.#wanted = 0;
    this.#try(() => this.#sink.content(this.#header as WarcHeader, this.#held.bytes()));
  }

  #try(call: () => void): void {
    try {
      call();
    } catch (error) {
      if (!(error instanceof BadContent)) throw error;
      this.#tell(error.message);
    }
  }

  /** Looks for the next record, whose beginning may lie across two pieces. */
  #findNext(bytes: Uint8Array, from: number): number {
    const kept = this.#tail.length;
    const across = Uint8Array.of(...this.#tail, ...bytes.subarray(from, from + NEXT.length - 1));
    const found = findNext(across, 0);
    const start = found >= 0 ? from + found - kept : findNext(bytes, from);
    if (found < 0 && start < 0) {
      const rest = bytes.length - from < NEXT.length ? across : bytes;
      this.#tail = new Uint8Array(rest.subarray(Math.max(0, rest.length - NEXT.length + 1)));
      return bytes.length;
    }
    this.#part = "header";
    this.#held.clear();
    this.#held.append(NEXT.subarray(1));
    this.#headerAt = this.#before + start + 1;
    return start + NEXT.length;
  }

  /** Tells of damage, and loses what comes up to the next record. */
  #damage(reason: string): void {
    this.#tell(reason);
    this.#part = "lost";
    this.#held.clear();
    this.#tail = Uint8Array.of(LF);
  }

  #tell(reason: string): void {
    if (this.#told === this.#number) return; // one record is damaged once
    this.#told = this.#number;
    const id = this.#header?.get("warc-record-id") ?? "";
    this.#sink.damaged({ number: this.#number, at: this.#recordAt, id, reason });
  }
}

/** Returns where what the next record begins with stands whole, from `from` on; -1 where it does not. */
function findNext(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (NEXT.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

/** Returns where a header ends, after its empty line; -1 where it does not end yet. */
function headerEnd(held: Uint8Array, from: number): number {
  for (let at = held.indexOf(LF, from); at >= 0; at = held.indexOf(LF, at + 1)) {
    const next = held[at + 1] === CR ? at + 2 : at + 1;
    if (held[next] === LF) return next + 1;
  }
  return -1;
}
