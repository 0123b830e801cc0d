import type { TokenizerCallbacks } from "htmlparser2";

/** Lists the attributes that are read. */
const ATTRIBUTES = new Set("content href hreflang http-equiv id lang name property rel".split(" "));
/** Lists the elements of a head that have content (HTML 13.2.6.4.4, as a browser with scripts reads it). */
const WITH_CONTENT = new Set("noframes noscript script style template title".split(" "));
/** Lists the start tags that do not end the head. */
const OF_HEAD = new Set([
  ...WITH_CONTENT,
  ..."base basefont bgsound head html link meta".split(" "),
]);
/** Lists the end tags that end it. */
const ENDS_OF_HEAD = new Set(["body", "br", "head", "html"]);
/** Matches what is not white space (HTML 13.2.6.4.4), nor a byte order mark. */
const TEXT = /[^\t\n\f\r \uFEFF]/;

/** Names what a tag of the head says of the URL of its page. */
export type HeadLink = "refresh" | "canonical" | "shortlink" | "og" | "hreflang" | "robots";

/**
 * Matches the content of a refresh within a second, and captures its URL: in quotes, or up to the end (HTML 4.2.5.3, shared
 * declarative refresh steps).
 */
const REFRESH =
  /^\s*0*[01]?(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(?!url\s*=)([^"'].*))/is;

/** Limits what is kept of a page's `robots`, in characters. */
const LONGEST_ROBOTS = 1 << 10;

/** Returns the URL that a page goes to within a second, by the content of its refresh; "" for none. */
export function refreshUrl(content: string): string {
  const [, double, single, bare] = REFRESH.exec(content) ?? [];
  return (double ?? single ?? bare ?? "").trim();
}

/** Gathers from the tokens of a page what it says of its URLs. */
export class DeclarationHandler implements TokenizerCallbacks {
  /** Holds the links of the head, as written; of several of a kind the first. */
  readonly head = new Map<HeadLink, string>();
  /** Holds the target of the first `<base href>`. */
  base = "";
  /** Holds links with a fragment, as written. */
  readonly links = new Set<string>();
  /** Holds the ids of elements and the names of anchors. */
  readonly anchors = new Set<string>();
  readonly #html: string;
  #tag = "";
  readonly #attributes = new Map<string, string>();
  #name = "";
  #text = "";
  #isBody = false;
  /** Counts open elements of the head whose content does not end it. */
  #apart = 0;
  #foreign = 0;
  #noscript = 0;
  #lang = "";

  constructor(html: string) {
    this.#html = html;
  }

  isInForeignContext(): boolean {
    return this.#foreign > 0;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
    this.#attributes.clear();
  }

  onattribname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#text = "";
  }

  onattribdata(start: number, end: number): void {
    if (ATTRIBUTES.has(this.#name)) this.#text += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#text += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    const isNew = ATTRIBUTES.has(this.#name) && !this.#attributes.has(this.#name);
    if (isNew) this.#attributes.set(this.#name, this.#text);
  }

  onopentagend(): void {
    if (isForeign(this.#tag)) this.#foreign++;
    if (this.#tag === "noscript") this.#noscript++;
    this.#readTag();
    if (WITH_CONTENT.has(this.#tag)) this.#apart++;
  }

  onselfclosingtag(): void {
    this.#readTag();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (isForeign(name)) this.#foreign = Math.max(0, this.#foreign - 1);
    if (name === "noscript") this.#noscript = Math.max(0, this.#noscript - 1);
    if (WITH_CONTENT.has(name)) this.#apart = Math.max(0, this.#apart - 1);
    if (ENDS_OF_HEAD.has(name)) this.#isBody = true;
  }

  ontext(start: number, end: number): void {
    if (this.#canEnd() && TEXT.test(this.#html.slice(start, end))) this.#isBody = true;
  }

  ontextentity(codePoint: number): void {
    if (this.#canEnd() && TEXT.test(String.fromCodePoint(codePoint))) this.#isBody = true;
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #readTag(): void {
    const isBody = this.#tag === "body" || (this.#canEnd() && !OF_HEAD.has(this.#tag));
    if (isBody) this.#isBody = true;
    if (this.#tag === "html") this.#lang = this.#value("lang").toLowerCase();
    if (this.#attributes.size === 0) return;
    const [href, id, name] = [this.#value("href"), this.#value("id"), this.#value("name")];
    if (id !== "") this.anchors.add(id);
    const isLink = this.#tag === "a" || this.#tag === "area";
    if (this.#tag === "a" && name !== "") this.anchors.add(name);
    if (isLink && href.includes("#")) this.links.add(href);
    if (this.#tag === "base" && this.base === "") this.base = href;
    if (!this.#isBody) this.#readHead(href);
  }

  /** Returns whether text, or a tag that no head has, ends the head here. */
  #canEnd(): boolean {
    return !this.#isBody && this.#apart === 0;
  }

  /** Reads a tag of the head. In the body anybody may have written it. */
  #readHead(href: string): void {
    if (this.#tag === "meta") this.#readMeta(this.#value("content"));
    if (this.#tag !== "link") return;
    const words = this.#value("rel").toLowerCase().split(/\s+/);
    for (const kind of ["canonical", "shortlink"] as const)
      if (words.includes(kind)) this.#add(kind, href);
    const isOwn = this.#lang !== "" && this.#value("hreflang").toLowerCase() === this.#lang;
    if (isOwn && words.includes("alternate")) this.#add("hreflang", href);
  }

  #readMeta(content: string): void {
    if (this.#value("property").trim().toLowerCase() === "og:url") this.#add("og", content);
    // A reader without scripts goes elsewhere, not every reader.
    const isRefresh = this.#value("http-equiv").toLowerCase() === "refresh";
    if (isRefresh && this.#noscript === 0) this.#add("refresh", refreshUrl(content));
    const isRobots = this.#value("name").trim().toLowerCase() === "robots";
    if (isRobots && this.#noscript === 0) this.#addRobots(content);
  }

  /** Adds to what other such tags say, because all of them count. */
  #addRobots(content: string): void {
    const said = [this.head.get("robots"), content].filter((text) => text?.trim());
    if (said.length > 0) this.head.set("robots", said.join(", ").slice(0, LONGEST_ROBOTS));
  }

  #value(name: string): string {
    return this.#attributes.get(name) ?? "";
  }

  #add(kind: HeadLink, link: string): void {
    if (link.trim() !== "" && !this.head.has(kind)) this.head.set(kind, link);
  }
}

function isForeign(name: string): boolean {
  return name === "svg" || name === "math";
}
