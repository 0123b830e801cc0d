/** Takes the parts of an XML text, in order. Positions count from the beginning of the text. */
export interface XmlHandler {
  /** Takes a tag. The name is as written, including its prefix; `empty` means `<name/>`. */
  tag(kind: TagKind, name: string, from: number, to: number): void;
  /** Takes characters outside of markup, possibly in several pieces, with references as written. */
  text(from: number, to: number): void;
  /** Takes a CDATA section, from `<![CDATA[` to `]]>`. */
  cdata(from: number, to: number): void;
  /** Takes a processing instruction outside of declarations, or the declaration of XML, from `<?` to `?>`. */
  instruction?(from: number, to: number): void;
}

export type TagKind = "start" | "end" | "empty";

/** The text before the content of a CDATA section. */
export const CDATA_START = "<![CDATA[";
/** The text after the content of a CDATA section. */
export const CDATA_END = "]]>";

const COMMENT_START = "<!--";
const TAG = /<\/?[A-Za-z_:\u0080-\uffff][\w:.\-\u0080-\uffff]*/y;
const DECLARATION = /<![A-Za-z]/y;
/** The longest name that is read, in characters. A longer name is cut. */
const LONGEST_NAME = 1 << 10;
/** The characters that end a tag or a value in it. `<` is not allowed in either, so a broken tag ends there. */
const IN_TAG = /["'<>]/g;
const IN_VALUE = { '"': /["<]/g, "'": /['<]/g } as const;
const IN_DECLARATION = /["'<>]/g;

type Quote = keyof typeof IN_VALUE;

/**
 * Scans XML in pieces of a text and reports tags, text, CDATA sections and processing instructions. It skips comments
 * and declarations, also inside a DOCTYPE. It reads each character at most twice, even if markup is never closed. Text
 * that is not well-formed is not an error: an unclosed tag is not reported, and a `<` that begins no markup is text.
 */
export class XmlScanner {
  readonly #handler: XmlHandler;
  /** Scans from a position, and returns where the next step begins, or -1 at the end. */
  #step = this.#inText;
  /** The current piece, and the position of its first character. */
  #text = "";
  #base = 0;
  /** The position where the next piece begins. */
  #next = 0;
  /** The position where the current tag or section began. */
  #from = 0;
  #name = "";
  #kind: TagKind = "start";
  #quote: Quote | null = null;
  /** The number of open declarations, nested inside each other. */
  #depth = 0;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  /** Returns the position where the next piece must begin. It may be inside the last piece. */
  get next(): number {
    return this.#next;
  }

  /** Takes the next piece of the text. */
  take(text: string): void {
    this.#text = text;
    this.#base = this.#next;
    this.#next = this.#base + text.length;
    for (let at = 0; at >= 0; ) at = this.#step(at);
    this.#text = "";
  }

  /** Moves the origin of positions forward by `length` characters. */
  drop(length: number): void {
    this.#next -= length;
    this.#from -= length;
  }

  /** Waits for more text. The next piece must begin with the character at `at`. */
  #waitAt(at: number): number {
    this.#next = this.#base + at;
    return -1;
  }

  #inText(at: number): number {
    const text = this.#text;
    const open = text.indexOf("<", at);
    const end = open < 0 ? text.length : open;
    if (end > at) this.#handler.text(this.#base + at, this.#base + end);
    return open < 0 ? -1 : this.#open(open);
  }

  #open(at: number): number {
    const text = this.#text;
    TAG.lastIndex = at;
    if (!TAG.test(text)) return this.#openOther(at);
    const end = TAG.lastIndex;
    if (end === text.length && end - at < LONGEST_NAME) return this.#waitAt(at);
    const isEnd = text[at + 1] === "/";
    this.#from = this.#base + at;
    this.#name = text.slice(at + (isEnd ? 2 : 1), end);
    this.#kind = isEnd ? "end" : "start";
    return this.#pass(this.#inTag, end);
  }

  /** Scans markup that begins with `<` and is not a tag. */
  #openOther(at: number): number {
    const text = this.#text;
    if (text.startsWith(COMMENT_START, at)) return this.#pass(this.#inComment, at + 4);
    if (text.startsWith(CDATA_START, at)) {
      this.#from = this.#base + at;
      return this.#pass(this.#inCdata, at + CDATA_START.length);
    }
    if (text.startsWith("<?", at)) {
      this.#from = this.#base + at;
      return this.#pass(this.#inInstruction, at + 2);
    }
    const begun = text.slice(at, at + CDATA_START.length);
    if (COMMENT_START.startsWith(begun) || CDATA_START.startsWith(begun) || begun === "</") {
      return this.#waitAt(at);
    }
    DECLARATION.lastIndex = at;
    if (DECLARATION.test(text)) {
      this.#depth = 1;
      return this.#pass(this.#inDeclaration, at + 2);
    }
    this.#handler.text(this.#base + at, this.#base + at + 1);
    return this.#pass(this.#inText, at + 1);
  }

  #pass(step: (at: number) => number, at: number): number {
    this.#step = step;
    return at;
  }

  #inTag(at: number): number {
    const text = this.#text;
    const end = find(this.#quote === null ? IN_TAG : IN_VALUE[this.#quote], text, at);
    // The last character may be the slash of an empty element.
    if (end < 0) return this.#waitAt(Math.max(at, text.length - 1));
    switch (text[end]) {
      case "<":
        this.#quote = null;
        return this.#pass(this.#inText, end);
      case ">": {
        const isEmpty = this.#kind === "start" && text[end - 1] === "/";
        const kind = isEmpty ? "empty" : this.#kind;
        this.#handler.tag(kind, this.#name, this.#from, this.#base + end + 1);
        return this.#pass(this.#inText, end + 1);
      }
      default:
        this.#quote = this.#quote === null ? (text[end] as Quote) : null;
        return end + 1;
    }
  }

  /** Scans between declarations, inside a value of one, or after nested markup. */
  #inDeclaration(at: number): number {
    const text = this.#text;
    if (this.#quote !== null) {
      const end = text.indexOf(this.#quote, at);
      if (end < 0) return -1;
      this.#quote = null;
      return end + 1;
    }
    const found = find(IN_DECLARATION, text, at);
    if (found < 0) return -1;
    const character = text[found];
    if (character === ">") {
      this.#depth--;
      return this.#pass(this.#depth === 0 ? this.#inText : this.#inDeclaration, found + 1);
    }
    if (character !== "<") {
      this.#quote = character as Quote;
      return found + 1;
    }
    if (text.startsWith(COMMENT_START, found)) return this.#pass(this.#inComment, found + 4);
    if (text.startsWith("<?", found)) return this.#pass(this.#inInstruction, found + 2);
    if (COMMENT_START.startsWith(text.slice(found, found + 4))) return this.#waitAt(found);
    this.#depth++;
    return found + 1;
  }

  #inComment(at: number): number {
    return this.#passOver("-->", at);
  }

  #inInstruction(at: number): number {
    const next = this.#passOver("?>", at);
    if (next >= 0 && this.#depth === 0) this.#handler.instruction?.(this.#from, this.#base + next);
    return next;
  }

  #passOver(end: string, at: number): number {
    const found = this.#text.indexOf(end, at);
    if (found < 0) return this.#waitAt(Math.max(at, this.#text.length - end.length + 1));
    return this.#pass(this.#depth > 0 ? this.#inDeclaration : this.#inText, found + end.length);
  }

  #inCdata(at: number): number {
    const found = this.#text.indexOf(CDATA_END, at);
    if (found < 0) return this.#waitAt(Math.max(at, this.#text.length - CDATA_END.length + 1));
    const end = found + CDATA_END.length;
    this.#handler.cdata(this.#from, this.#base + end);
    return this.#pass(this.#inText, end);
  }
}

/** Returns the next match of an expression for one character, or -1. */
function find(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex - 1 : -1;
}
