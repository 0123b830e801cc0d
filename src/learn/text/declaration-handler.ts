import type { TokenizerCallbacks } from "htmlparser2";

/** Lists the attributes that are read. */
const ATTRIBUTES = new Set("content href id name property rel".split(" "));
/** Names what a tag of the head says of the URL of its page. */
export type HeadLink = "canonical" | "shortlink" | "og";

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
  #foreign = 0;

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
    this.#readTag();
  }

  onselfclosingtag(): void {
    this.#readTag();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (isForeign(name)) this.#foreign = Math.max(0, this.#foreign - 1);
  }

  ontext(): void {}
  ontextentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #readTag(): void {
    if (this.#tag === "body") this.#isBody = true;
    if (this.#attributes.size === 0) return;
    const [href, id, name] = [this.#value("href"), this.#value("id"), this.#value("name")];
    if (id !== "") this.anchors.add(id);
    const isLink = this.#tag === "a" || this.#tag === "area";
    if (this.#tag === "a" && name !== "") this.anchors.add(name);
    if (isLink && href.includes("#")) this.links.add(href);
    if (this.#tag === "base" && this.base === "") this.base = href;
    if (!this.#isBody) this.#readHead(href);
  }

  /** Reads a tag of the head. In the body anybody may have written it. */
  #readHead(href: string): void {
    if (this.#tag === "meta" && this.#value("property").trim().toLowerCase() === "og:url")
      this.#add("og", this.#value("content"));
    if (this.#tag !== "link") return;
    const words = this.#value("rel").toLowerCase().split(/\s+/);
    for (const kind of ["canonical", "shortlink"] as const)
      if (words.includes(kind)) this.#add(kind, href);
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
