import { UrlmillError } from "../../base/errors.ts";
import { ByteBuilder } from "../../engine/byte-builder.ts";
import { encodeUtf8, toByteString } from "../../url/bytes.ts";
import { CR, LF } from "../../url/chars.ts";
import { excerpt } from "../excerpt.ts";
import { WARC_MAGIC, WarcHeader } from "./warc-header.ts";

/** The longest header that is read, in bytes. */
const LONGEST_HEADER = 1 << 21;
/** The number of bytes that an error quotes from content that is not WARC. */
const SHOWN = 64;
/** The number of bytes of a header to scan next. */
const STEP = 512;
/** The beginning of a record, searched for after damage. */
const NEXT = encodeUtf8(`\n${WARC_MAGIC}`);

/** The reason for a record that is not followed by another record. */
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

/** Describes what a gap in a WARC file cuts. */
export interface Cut {
  /** Null if the gap is after a whole record, or where none can be seen. */
  readonly record: Omit<DamagedRecord, "reason"> | null;
  /** Says whether the record was reported as damaged before. */
  readonly isTold: boolean;
}

/** Takes the records of a WARC file, in their order. */
export interface WarcHandler {
  /** Takes a header. Returns how many bytes of the content `content` needs; 0 for none. May throw `BadContent`. */
  header(header: WarcHeader): number;
  /** Takes the requested bytes from the beginning of the content. May throw `BadContent`. */
  content(header: WarcHeader, content: Uint8Array): void;
  damaged(record: DamagedRecord): void;
}

/** Explains why the content of a record cannot be read. The reader reports it with `damaged`. */
export class BadContent extends Error {}

/**
 * Reads the records of a WARC file from its decompressed bytes, in pieces of any size. It skips content that was not
 * requested, so memory is limited to a header and the requested bytes. After damage, it continues at the next line
 * that begins a record.
 */
export class WarcRecords {
  readonly #handler: WarcHandler;
  /** The current state: between records, in a header, in content, or skipping damage. */
  #part: "between" | "header" | "content" | "lost" = "between";
  readonly #held = ByteBuilder.withRoom(1 << 14);
  #header: WarcHeader | null = null;
  /** The bytes of the content that are not read yet, and the bytes still to hold. */
  #left = 0;
  #wanted = 0;
  /** The number of bytes of the file before the current call. */
  #before = 0;
  #number = 0;
  #recordAt = 0;
  /** The last record that was reported as damaged. */
  #told = 0;
  /** The position of the header that is being read. */
  #headerAt = 0;
  /** The end of the skipped bytes, in which the next record may have begun. */
  #tail: Uint8Array = new Uint8Array();

  constructor(handler: WarcHandler) {
    this.#handler = handler;
  }

  /** Returns the number of records so far, including the current one. */
  get records(): number {
    return this.#number;
  }

  /** Takes the next bytes. Throws `BAD_OPTION` if the file does not begin like WARC. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#part === "between") at = this.#passBlank(chunk, at);
      else if (this.#part === "header") at = this.#readHeader(chunk, at);
      else if (this.#part === "content") at = this.#readContent(chunk, at);
      else at = this.#findNext(chunk, at);
    }
    this.#before += chunk.length;
  }

  /** Ends the input: no more bytes follow. */
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

  /** Takes a gap in the content, after which a record begins. Returns what it cuts. */
  cut(): Cut {
    const isTold = this.#part === "lost";
    const isCut = this.#part === "content" || (this.#part === "header" && this.#isRecord());
    if (this.#part === "header" && isCut) this.#beginRecord();
    this.#part = "between";
    return { record: isCut ? this.#record() : null, isTold };
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
    const next = Math.min(bytes.length, from + STEP, from + LONGEST_HEADER - before);
    this.#held.append(bytes.subarray(from, next));
    const held = this.#held.bytes();
    const { length } = held;
    if (length < WARC_MAGIC.length) return next;
    if (!this.#isRecord()) {
      // These bytes belong to the record before, and so do those of them that came in an earlier piece.
      this.#damage(WRONG_LENGTH, Uint8Array.of(LF, ...held.subarray(0, before)));
      return from;
    }
    const end = headerEnd(held, Math.max(0, before - 3));
    if (end < 0) {
      if (length < LONGEST_HEADER) return next;
      this.#beginRecord();
      this.#damage("a header of more than 2 MiB", held.slice(1 - NEXT.length));
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
      this.#wanted = Math.min(this.#handler.header(header), contentLength);
    });
    this.#part = contentLength === 0 ? "between" : "content";
    return at;
  }

  /** Returns whether the held bytes begin a record. Throws `BAD_OPTION` if they do not, at the start of the file. */
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
    this.#try(() => this.#handler.content(this.#header as WarcHeader, this.#held.bytes()));
  }

  #try(call: () => void): void {
    try {
      call();
    } catch (error) {
      if (!(error instanceof BadContent)) throw error;
      this.#tell(error.message);
    }
  }

  /** Looks for the next record, whose first bytes may be in two pieces. */
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

  /** Reports damage, and skips to the next record. `before`: the bytes before the place where the search begins. */
  #damage(reason: string, before = Uint8Array.of(LF)): void {
    this.#tell(reason);
    this.#part = "lost";
    this.#held.clear();
    this.#tail = before;
  }

  #tell(reason: string): void {
    if (this.#told === this.#number) return; // Each record is reported as damaged only once.
    this.#told = this.#number;
    this.#handler.damaged({ ...this.#record(), reason });
  }

  #record(): Omit<DamagedRecord, "reason"> {
    const id = this.#header?.get("warc-record-id") ?? "";
    return { number: this.#number, at: this.#recordAt, id };
  }
}

/** Returns where the whole beginning of a record is found, from `from` on, or -1 if it is not found. */
function findNext(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (NEXT.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

/** Returns the position after the empty line of a header, or -1 if the header does not end yet. */
function headerEnd(held: Uint8Array, from: number): number {
  for (let at = held.indexOf(LF, from); at >= 0; at = held.indexOf(LF, at + 1)) {
    const next = held[at + 1] === CR ? at + 2 : at + 1;
    if (held[next] === LF) return next + 1;
  }
  return -1;
}
