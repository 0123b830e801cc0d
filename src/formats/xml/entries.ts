import { MARK_BYTES } from "../../base/byte-order-mark.ts";
import { UrlmillError } from "../../base/errors.ts";
import { isDeclaration } from "./encoding.ts";
import {
  basedRoot,
  beginsDocument,
  hasBase,
  nextRootOf,
  prefixOf,
  type Root,
  rootOf,
  unreadable,
} from "./root.ts";
import type { TagKind, XmlHandler } from "./xml-scanner.ts";
import { attributesOf, trimSpace } from "./xml-text.ts";

/** Holds a piece of a link: text, or a CDATA section. */
interface LinkPart {
  readonly from: number;
  readonly to: number;
  readonly isCdata: boolean;
}

/** Holds the text of a link, which begins at `from`. */
export interface Link {
  readonly from: number;
  readonly pieces: LinkPart[];
}

export interface Entry {
  readonly start: number;
  readonly end: number;
  /** Is null if the entry does not have a link with only text. */
  readonly link: Link | null;
  /** Says whether the document names a base for relative links of the entry (`xml:base`). */
  readonly hasBase: boolean;
}

/** How Atom calls the page that an entry is about. An entry may have links to other pages. */
const ALTERNATE = /^(?:http:\/\/www\.iana\.org\/assignments\/relation\/)?alternate$/i;

/**
 * Finds the entries of a sitemap or feed among its tags. The root element says which elements they are. An unclosed entry
 * ends where the next one of the same name begins, unless that is inside a child that may hold another document.
 */
export class EntryReader implements XmlHandler {
  readonly #textOf: (from: number, to: number) => string;
  readonly #take: (entry: Entry) => void;
  #root: Root | null;
  /** The declaration of the next document, or "". */
  #declaration = "";
  /** Says that the root element is closed. */
  #isOver = false;
  /** The name of the element of the current entry, or "" between entries. */
  #name = "";
  #start = 0;
  #hasBase = false;
  /** The start tag, and its name, of an element around the entries that names a base for their links, or null. */
  #around: { readonly name: string; readonly tag: string } | null = null;
  /** Says whether the documents of the entries so far name a base; null before the first entry. */
  #areBased: boolean | null;
  /** The number of elements that are open in the entry. */
  #depth = 0;
  /** Says that the open child of the entry may hold another document. */
  #isOpaque = false;
  /** The number of open elements in that child that have the name of the entry. */
  #nested = 0;
  /** The current link, or null outside of one. */
  #open: Link | null = null;
  #link: Link | null = null;

  /** `textOf`: returns the text between two positions. `root`: that of the document, or null if the text has it. */
  constructor(
    textOf: (from: number, to: number) => string,
    take: (entry: Entry) => void,
    root: Root | null = null,
  ) {
    this.#textOf = textOf;
    this.#take = take;
    this.#root = root;
    this.#areBased = root?.hasBase ?? null;
  }

  /** Returns the root element, or null before it. */
  get root(): Root | null {
    return this.#root;
  }

  tag(kind: TagKind, name: string, from: number, to: number): void {
    if (kind === "end") {
      this.#endTag(name, to);
      return;
    }
    // What follows a document and begins none is no part of it, such as a script.
    if (this.#isOver && !beginsDocument(name)) return;
    if (this.#root === null || this.#isOver) this.#beginRoot(kind, name, this.#textOf(from, to));
    if (this.#name === "" ? this.#isEntry(name) : this.#isNext(name)) {
      this.#begin(name, from, to);
      if (kind === "empty") this.#end(to);
    } else if (this.#name !== "") {
      this.#beginElement(kind, name, from, to);
    } else if (kind === "start" && this.#around === null) {
      this.#beginAround(name, this.#textOf(from, to));
    }
  }

  text(from: number, to: number): void {
    this.#add(from, to, false);
  }

  cdata(from: number, to: number): void {
    this.#add(from, to, true);
  }

  instruction(from: number, to: number): void {
    const text = this.#textOf(from, to);
    if (isDeclaration(text)) this.#declaration = text;
  }

  /** Ends an entry that is not closed. */
  finish(at: number): void {
    if (this.#name !== "") this.#end(at);
  }

  #add(from: number, to: number, isCdata: boolean): void {
    this.#open?.pieces.push({ from, to, isCdata });
    if (this.#root !== null) return;
    const text = this.#textOf(from, to);
    const mark = MARK_BYTES.slice(from, to);
    if (trimSpace(text.startsWith(mark) ? text.slice(mark.length) : text) !== "") {
      throw unreadable("it does not begin as XML");
    }
  }

  /** Takes the root element of the document, or of another one that follows it. */
  #beginRoot(kind: TagKind, name: string, tag: string): void {
    const start = this.#declaration + tag;
    this.#root = this.#root === null ? rootOf(start) : nextRootOf(start, this.#root);
    this.#declaration = "";
    this.#isOver = kind === "empty" && !this.#isEntry(name);
    this.#around = null;
  }

  /** Takes an element between the root and the entries, or the root. */
  #beginAround(name: string, tag: string): void {
    if (hasBase(tag)) this.#around = { name, tag };
  }

  #isEntry(name: string): boolean {
    const { kind, prefix } = this.#root as Root;
    const own = prefixOf(name);
    return (prefix ?? own) === own && kind.entries.includes(name.slice(own.length));
  }

  #isNext(name: string): boolean {
    return name === this.#name && !this.#isOpaque;
  }

  #begin(name: string, from: number, to: number): void {
    this.finish(from);
    this.#name = name;
    this.#start = from;
    this.#depth = 0;
    this.#hasBase = this.#isBased() || hasBase(this.#textOf(from, to));
  }

  /**
   * Returns whether an element around an entry names a base. Throws `BAD_OPTION` if that is not so for the entries before
   * it: later chunks know of one base for all.
   */
  #isBased(): boolean {
    const root = this.#root as Root;
    if (this.#around !== null && !root.hasBase) this.#root = basedRoot(root, this.#around.tag);
    const isBased = (this.#root as Root).hasBase;
    this.#areBased ??= isBased;
    if (isBased === this.#areBased) return isBased;
    const text =
      "some entries have a base (xml:base) and some have none: give each document in a file of its own";
    throw new UrlmillError("BAD_OPTION", text);
  }

  #beginElement(kind: TagKind, name: string, from: number, to: number): void {
    this.#open = null; // a link may contain only text
    if (this.#depth === 0) this.#beginChild(kind, name, from, to);
    if (kind === "empty") return;
    this.#depth++;
    if (name === this.#name) this.#nested++;
  }

  #beginChild(kind: TagKind, name: string, from: number, to: number): void {
    const prefix = prefixOf(this.#name);
    const { link, isAttribute } = (this.#root as Root).kind;
    const isForeign = prefixOf(name) !== prefix || name === `${prefix}content`;
    this.#isOpaque = kind === "start" && isForeign;
    if (name !== prefix + link || this.#link !== null) return;
    if (isAttribute) this.#readHref(this.#textOf(from, to), from);
    else if (kind === "start") this.#open = { from: to, pieces: [] };
  }

  /** Reads the link of Atom from its tag, which begins at `start`. */
  #readHref(tag: string, start: number): void {
    const attributes = [...attributesOf(tag)];
    const rel = attributes.find(({ name }) => name === "rel");
    const href = attributes.find(({ name }) => name === "href");
    if (href === undefined) return;
    if (rel !== undefined && !ALTERNATE.test(trimSpace(tag.slice(rel.from, rel.to)))) return;
    const [from, to] = [start + href.from, start + href.to];
    this.#link = { from, pieces: [{ from, to, isCdata: false }] };
    this.#hasBase ||= hasBase(tag);
  }

  #endTag(name: string, to: number): void {
    if (this.#name === "") this.#endAround(name);
    else if (name === this.#name && this.#nested === 0) this.#end(to);
    else this.#endElement(name);
  }

  #endAround(name: string): void {
    this.#isOver ||= name === this.#root?.name;
    if (name === this.#around?.name) this.#around = null;
  }

  #endElement(name: string): void {
    if (name === this.#name) this.#nested--;
    if (this.#depth > 0) this.#depth--;
    if (this.#depth === 0) this.#leaveChild();
    if (this.#open !== null) this.#link = this.#open;
    this.#open = null;
  }

  #leaveChild(): void {
    this.#isOpaque = false;
    this.#nested = 0;
  }

  #end(end: number): void {
    this.#take({ start: this.#start, end, link: this.#link, hasBase: this.#hasBase });
    this.#name = "";
    this.#leaveChild();
    this.#open = null;
    this.#link = null;
  }
}
