import { decodeCharacterReferences } from "./character-references.ts";

/** Elements that stand apart from the text around them (HTML 15.3), and the ones with a box of their own. */
const BREAKS = new Set(
  (
    "address article aside blockquote body br button caption center col colgroup dd details dialog dir div " +
    "dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr " +
    "html legend li listing main menu nav ol optgroup option p plaintext pre search section select summary " +
    "table tbody td textarea tfoot th thead title tr ul xmp"
  ).split(" "),
);
/** Elements without tags inside them, which only their own end tag ends (HTML 13.2.5.2 to 13.2.5.4). */
const RAW = new Set("iframe noembed noframes noscript script style textarea title xmp".split(" "));
const LONGEST_NAME = 10;

/**
 * Returns what a reader sees of an HTML page, as one line. Tags of block-level elements and `<br>`
 * are word breaks, other tags are nothing. Character references are decoded. Every run of white
 * space, no-break spaces included, is one space. Comments, script, style, template, noscript,
 * iframe, noembed and noframes are left out. Of the head only the title is seen: as in a browser,
 * all else in it is hidden by itself or ends it.
 *
 * Takes any string, never throws, and reads every character a bounded number of times. Tokens end
 * where HTML's tokenizer (13.2.5) ends them, so an unclosed comment, script or tag takes the rest
 * of the page. Deviations: no `<script>` inside a comment inside a script; CDATA sections are
 * comments in SVG too; nothing is known of style sheets and `hidden`; the fallback of `object`,
 * `video` and `canvas` is seen.
 *
 * @example
 * visibleText("<p>1 &lt; 2</p><script>x</script>&nbsp;ok"); // "1 < 2 ok"
 */
export function visibleText(html: string): string {
  const text = new Reader(html).read();
  return text.replace(/\s{2,}|[^\S ]/g, " ").trim();
}

class Reader {
  readonly #html: string;
  readonly #parts: string[] = [];
  #at = 0;
  #templates = 0;
  /** How many `svg` and `math` elements are open: in them `<title/>` has no content. */
  #foreign = 0;
  #hasTitle = false;

  constructor(html: string) {
    this.#html = html;
  }

  read(): string {
    const html = this.#html;
    let textStart = 0;
    let from = 0;
    while (true) {
      const open = html.indexOf("<", from);
      if (open < 0) break;
      from = open + 1;
      const next = html.charCodeAt(from);
      const isEnd = next === 0x2f;
      const isLast = isEnd && from + 1 === html.length;
      if (isLast || !(isLetter(next) || isEnd || next === 0x21 || next === 0x3f)) continue;
      this.#write(decodeCharacterReferences(html.slice(textStart, open)));
      this.#at = from;
      if (isLetter(next)) this.#startTag();
      else if (isEnd && isLetter(html.charCodeAt(open + 2))) this.#endTag();
      else this.#comment();
      textStart = from = this.#at;
    }
    this.#write(decodeCharacterReferences(html.slice(textStart)));
    return this.#parts.join("");
  }

  #write(text: string): void {
    if (this.#templates === 0 && text !== "") this.#parts.push(text);
  }

  #startTag(): void {
    const name = this.#tagName();
    const isEmpty = this.#skipAttributes() && this.#foreign > 0;
    if (BREAKS.has(name)) this.#write(" ");
    if (isEmpty) return;
    if (name === "template") this.#templates++;
    else if (name === "svg" || name === "math") this.#foreign++;
    else if (name === "plaintext") this.#rest();
    else if (RAW.has(name)) this.#rawElement(name);
  }

  #endTag(): void {
    this.#at++;
    const name = this.#tagName();
    this.#skipAttributes();
    if (BREAKS.has(name)) this.#write(" ");
    if (name === "template") this.#templates = Math.max(0, this.#templates - 1);
    else if (name === "svg" || name === "math") this.#foreign = Math.max(0, this.#foreign - 1);
  }

  /** In lower case; of a name that is longer than any known one, some of it. */
  #tagName(): string {
    const start = this.#at;
    while (this.#at < this.#html.length && !endsName(this.#html.charCodeAt(this.#at))) this.#at++;
    return this.#html.slice(start, Math.min(this.#at, start + LONGEST_NAME + 1)).toLowerCase();
  }

  /** Goes after the `>` of a tag; says whether it is `/>`. A quote means one only after `=`. */
  #skipAttributes(): boolean {
    const html = this.#html;
    while (this.#at < html.length) {
      const unit = html.charCodeAt(this.#at++);
      if (unit === 0x3e) return html.charCodeAt(this.#at - 2) === 0x2f;
      if (isSpace(unit) || unit === 0x2f) continue;
      while (this.#at < html.length && !endsAttributeName(html.charCodeAt(this.#at))) this.#at++;
      this.#skipSpaces();
      if (html.charCodeAt(this.#at) !== 0x3d) continue;
      this.#at++;
      if (this.#skipValue()) return false;
    }
    return false;
  }

  /** Goes after the value of an attribute; true where the tag ends with it. */
  #skipValue(): boolean {
    const html = this.#html;
    this.#skipSpaces();
    const quote = html[this.#at];
    if (quote === '"' || quote === "'") {
      this.#at = this.#after(quote, this.#at + 1);
      return false;
    }
    for (; this.#at < html.length; this.#at++) {
      const unit = html.charCodeAt(this.#at);
      if (isSpace(unit)) return false;
      if (unit !== 0x3e) continue;
      this.#at++;
      return true;
    }
    return false;
  }

  #skipSpaces(): void {
    while (isSpace(this.#html.charCodeAt(this.#at))) this.#at++;
  }

  /** `<!`, `<?` and `</` that are not tags; only `<!--` has an end of its own. */
  #comment(): void {
    const html = this.#html;
    if (!html.startsWith("!--", this.#at)) {
      this.#at = this.#after(">", this.#at + 1);
      return;
    }
    const start = this.#at + 3;
    if (html.startsWith(">", start) || html.startsWith("->", start)) {
      this.#at = this.#after(">", start);
      return;
    }
    let dashes = html.indexOf("--", start);
    while (dashes >= 0 && !html.startsWith(">", dashes + 2) && !html.startsWith("!>", dashes + 2)) {
      dashes = html.indexOf("--", dashes + 1);
    }
    this.#at = dashes < 0 ? html.length : this.#after(">", dashes);
  }

  /** The content of an element without tags inside it; its end tag is left to be read. */
  #rawElement(name: string): void {
    const html = this.#html;
    const start = this.#at;
    let end = html.indexOf("</", start);
    while (end >= 0) {
      const after = end + 2 + name.length;
      const isEnd = html.slice(end + 2, after).toLowerCase() === name;
      if (isEnd && endsName(html.charCodeAt(after))) break;
      end = html.indexOf("</", end + 2);
    }
    this.#at = end < 0 ? html.length : end;
    if (name === "xmp") this.#write(html.slice(start, this.#at));
    else if (name === "textarea" || (name === "title" && this.#isFirstTitle())) {
      this.#write(decodeCharacterReferences(html.slice(start, this.#at)));
    }
  }

  /** A page has one title; others are an SVG image's, or nobody's. */
  #isFirstTitle(): boolean {
    if (this.#hasTitle || this.#foreign > 0 || this.#templates > 0) return false;
    this.#hasTitle = true;
    return true;
  }

  #rest(): void {
    this.#write(this.#html.slice(this.#at));
    this.#at = this.#html.length;
  }

  /** After the next `end` at or after `from`, or the end of the page. */
  #after(end: string, from: number): number {
    const found = this.#html.indexOf(end, from);
    return found < 0 ? this.#html.length : found + 1;
  }
}

function isLetter(unit: number): boolean {
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

/** HTML's white space: tab, LF, FF, CR, space. */
function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d || unit === 0x0c;
}

function endsName(unit: number): boolean {
  return unit === 0x3e || unit === 0x2f || isSpace(unit);
}

function endsAttributeName(unit: number): boolean {
  return unit === 0x3d || endsName(unit);
}
