import type { TokenizerCallbacks } from "htmlparser2";
import { checkText } from "../../base/errors.ts";
import { readTokens } from "./tokenizer.ts";

/**
 * Returns what a reader sees of an HTML page, as one line. Tags of block-level elements and `<br>` separate words,
 * other tags do not. Character references are decoded. Every run of white space, no-break spaces included, becomes one
 * space. Comments, script, style, template, noscript, iframe, noembed and noframes are left out. The title is the only
 * visible part of the head: as in a browser, any other element there is hidden or ends the head.
 *
 * Takes any string, and reads every character a bounded number of times. The tokenizer is that of the package
 * `htmlparser2`, which is loaded at the first call; rejects with `PACKAGE_MISSING` where it is not installed. An
 * unclosed comment, script or tag takes the rest of the page.
 *
 * It differs from a browser in these points. A `<script>` inside a comment inside a script is not known. CDATA sections
 * are comments in SVG too. A `>` in a quoted value ends an end tag. Style sheets and `hidden` are ignored. The fallback
 * of `object`, `video` and `canvas` is visible.
 *
 * @example
 * await visibleText("<p>1 &lt; 2</p><script>x</script>&nbsp;ok"); // "1 < 2 ok"
 */
export async function visibleText(html: string): Promise<string> {
  checkText(html, "html");
  const { text } = await readTokens(html, new TextHandler(html));
  return text.replace(/\s{2,}|[^\S ]/g, " ").trim();
}

/** Lists elements that separate words: those with a box or a line of their own (HTML 15.3). */
const BREAKS = new Set(
  (
    "address article aside blockquote body br button caption center col colgroup dd details dialog dir div " +
    "dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr " +
    "html legend li listing main menu nav ol optgroup option p plaintext pre search section select summary " +
    "table tbody td textarea tfoot th thead title tr ul xmp"
  ).split(" "),
);
/** Lists elements that a browser with scripts does not show. */
const HIDDEN = new Set("iframe noembed noframes noscript script style template".split(" "));
const LONGEST_NAME = 10;

/** Gathers what a reader sees of an HTML page from the tokens of its one text. */
class TextHandler implements TokenizerCallbacks {
  /** Holds the text so far, with the white space of the page. */
  text = "";
  readonly #html: string;
  /** Names the outermost hidden element that is open, and counts those of its name in it. */
  #hidden = "";
  #depth = 0;
  /** Counts the `svg` and `math` elements that are open: in them `<title/>` has no content. */
  #foreign = 0;
  #hasTitle = false;
  /** Names the start tag under way. */
  #tag = "";

  constructor(html: string) {
    this.#html = html;
  }

  isInForeignContext(): boolean {
    return this.#foreign > 0;
  }

  ontext(start: number, end: number): void {
    if (this.#hidden === "") this.text += this.#html.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    if (this.#hidden === "") this.text += String.fromCodePoint(codePoint);
  }

  onopentagname(start: number, end: number): void {
    const name = this.#name(start, end);
    this.#tag = name;
    if (this.#hidden !== "") {
      if (name === this.#hidden) this.#depth++;
      return;
    }
    if (BREAKS.has(name)) this.text += " ";
    if (name === "svg" || name === "math") this.#foreign++;
    if (HIDDEN.has(name) || (name === "title" && !this.#isFirstTitle())) {
      this.#hidden = name;
      this.#depth = 1;
    }
  }

  onselfclosingtag(): void {
    // Outside foreign content the `/` means nothing.
    if (this.#foreign > 0) this.#end(this.#tag);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#name(start, end);
    this.#end(name);
    if (this.#hidden === "" && BREAKS.has(name)) this.text += " ";
  }

  onopentagend(): void {}
  onattribname(): void {}
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #end(name: string): void {
    if (this.#hidden !== "") {
      if (name === this.#hidden && --this.#depth === 0) this.#hidden = "";
    } else if (name === "svg" || name === "math") {
      this.#foreign = Math.max(0, this.#foreign - 1);
    }
  }

  /** Returns a name in lower case. Cuts a name that is longer than any known one. */
  #name(start: number, end: number): string {
    return this.#html.slice(start, Math.min(end, start + LONGEST_NAME + 1)).toLowerCase();
  }

  /** Returns whether this is the page's title: the first one outside an SVG image or other foreign content. */
  #isFirstTitle(): boolean {
    if (this.#hasTitle || this.#foreign > 0) return false;
    this.#hasTitle = true;
    return true;
  }
}
