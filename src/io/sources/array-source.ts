import { IoError, shownInput } from "../io-error.ts";
import type { Source } from "../source.ts";

const [QUOTE, COMMA, BACKSLASH, LF, CR] = [0x22, 0x2c, 0x5c, 0x0a, 0x0d];
const [OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [SPACE, TAB] = [0x20, 0x09];
/** The most bytes that a piece becomes longer, because an escape in it has begun before. */
const LONGER = 3;
const NOTHING: readonly number[] = [];
const ENCODER = new TextEncoder();

/**
 * Writes the elements of a JSON array (RFC 8259) as JSON lines, or its texts as lines, piece by piece. Other text stays as it
 * is, so that a file of such lines among arrays does, too.
 */
export class ArrayLines {
  readonly #ofTexts: boolean;
  #part: "before" | "within" | "after" | "none" | "broken" = "before";
  #depth = 0;
  /** Says whether the next byte is in a text, and whether it follows a backslash. */
  #inText = false;
  #isEscaped = false;
  /** The escape that has begun in a text that is decoded. */
  #escape = "";
  /** The number of the element, from 1 on, and whether its text was read. */
  #element = 1;
  #hasText = false;
  /** Says why the array cannot be read further, or null. */
  broken: string | null = null;

  /** `ofTexts`: says that the elements are texts, which are decoded. */
  constructor(ofTexts = false) {
    this.#ofTexts = ofTexts;
  }

  /** Returns the lines of the next bytes. It may write them over these. */
  push(bytes: Uint8Array): Uint8Array {
    const lines = this.#ofTexts ? new Uint8Array(bytes.length + LONGER) : bytes;
    let end = 0;
    for (const byte of bytes) {
      const written = this.#write(byte);
      if (typeof written === "number") lines[end++] = written;
      else for (const each of written) lines[end++] = each;
    }
    return lines.subarray(0, end);
  }

  /** Says what is wrong with an array that ends here, or null. */
  get fault(): string | null {
    if (this.broken !== null) return this.broken;
    if (this.#part === "within") return "its JSON array is not closed";
    return this.#part === "after" && this.#depth !== 0 ? "text follows its JSON array" : null;
  }

  #write(byte: number): number | Iterable<number> {
    if (this.#part === "none") return byte;
    if (this.#part === "broken") return NOTHING;
    if (this.#part === "within" && this.#inText) {
      return this.#ofTexts ? this.#letter(byte) : this.#text(byte);
    }
    if (this.#part === "within" && !this.#ofTexts) return this.#value(byte);
    const isBlank = byte === SPACE || byte === TAB || byte === LF || byte === CR;
    if (isBlank) return NOTHING;
    if (this.#part === "within") return this.#betweenTexts(byte);
    if (this.#part === "before") {
      this.#part = byte === OPEN ? "within" : "none";
      return byte === OPEN ? NOTHING : byte;
    }
    this.#depth = -1;
    return NOTHING;
  }

  #break(fault: string): Iterable<number> {
    this.#part = "broken";
    this.broken = `element ${this.#element} of its JSON array ${fault}`;
    return NOTHING;
  }

  #betweenTexts(byte: number): number | Iterable<number> {
    if (byte === QUOTE && !this.#hasText) {
      this.#inText = true;
      this.#hasText = true;
      return NOTHING;
    }
    if (!this.#hasText) return this.#break("is not a text");
    if (byte !== COMMA && byte !== CLOSE) return this.#break("is followed by more than a comma");
    if (byte === CLOSE) this.#part = "after";
    this.#hasText = false;
    this.#element++;
    return LF;
  }

  /** Returns what a byte of a text says. */
  #letter(byte: number): number | Iterable<number> {
    if (this.#escape === "" && byte !== BACKSLASH) {
      if (byte === LF || byte === CR) return this.#break(LINE_BREAK);
      if (byte !== QUOTE) return byte;
      this.#inText = false;
      return NOTHING;
    }
    this.#escape += String.fromCharCode(byte);
    if (OPEN_ESCAPE.test(this.#escape)) return NOTHING;
    const text = decoded(this.#escape);
    this.#escape = "";
    if (text === null) return this.#break("has an escape that means no character");
    return /[\r\n]/.test(text) ? this.#break(LINE_BREAK) : ENCODER.encode(text);
  }

  #text(byte: number): number {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#inText = false;
    return byte;
  }

  #value(byte: number): number | Iterable<number> {
    if (byte === LF || byte === CR) return NOTHING;
    if (byte === QUOTE) this.#inText = true;
    else if (byte === OPEN || byte === OPEN_OBJECT) this.#depth++;
    else if (byte === CLOSE || byte === CLOSE_OBJECT) {
      if (this.#depth === 0) {
        this.#part = "after";
        return LF;
      }
      this.#depth--;
    } else if (this.#depth === 0) {
      if (byte === COMMA) return LF;
      if (byte === SPACE || byte === TAB) return NOTHING;
    }
    return byte;
  }
}

const LINE_BREAK = "has a line break, which a line of a list cannot hold";
/** Matches the beginning of an escape, or of a pair of them, which are one character. */
const OPEN_ESCAPE =
  /^\\(?:u[\da-f]{0,3})?$|^\\ud[89ab][\da-f]{2}(?:\\(?:u(?:d(?:[c-f][\da-f]?)?)?)?)?$/i;
const PAIR = /^\\ud[89ab]..\\ud[c-f]..$/i;

/** Returns the character that an escape means, or null. */
function decoded(written: string): string | null {
  if (written.length > 6 && !PAIR.test(written)) return null;
  try {
    const text: string = JSON.parse(`"${written}"`);
    return /\p{Cs}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

/**
 * Reads the lines of a source that has a JSON array, `ofTexts` or of objects. Throws an IoError for one that is not closed, is
 * followed by text, or has other elements than texts.
 */
export class ArraySource implements Source {
  readonly #source: Source;
  readonly #name: string;
  readonly #lines: ArrayLines;

  constructor(source: Source, name: string, ofTexts: boolean) {
    this.#lines = new ArrayLines(ofTexts);
    this.#source = source;
    this.#name = name;
  }

  get taken(): number {
    return this.#source.taken;
  }

  get isUtf16(): boolean | undefined {
    return this.#source.isUtf16;
  }

  async read(into: Uint8Array): Promise<number> {
    for (;;) {
      const length = await this.#source.read(into.subarray(0, into.length - LONGER));
      const lines = this.#lines.push(into.subarray(0, length));
      into.set(lines);
      if (lines.length > 0) return lines.length;
      const { fault, broken } = this.#lines;
      // The lines before come first.
      if (fault !== null && (length === 0 || broken !== null)) {
        throw new IoError(`cannot read ${shownInput(this.#name)}: ${fault}`);
      }
      if (length === 0) return 0;
    }
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}
