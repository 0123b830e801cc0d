import { UrlmillError } from "../../base/errors.ts";
import { decodeUtf8 } from "../../url/bytes.ts";
import { excerpt } from "../excerpt.ts";
import { encodingOf } from "./encoding.ts";
import { attributesOf } from "./xml-text.ts";

/** Says where a kind of documents has its links. */
export interface DocumentKind {
  /** Names the elements that are entries, without a prefix. */
  readonly entries: readonly string[];
  /** Names the child of an entry that has the link. It has the prefix of its entry. */
  readonly link: string;
  /** Says that the link is the attribute `href` of that child, not its text. */
  readonly isAttribute: boolean;
}

export interface Root {
  /**
   * Holds its start tag as written, after the declaration of XML if there is one. The tag of an element around the entries
   * follows if that names a base.
   */
  readonly tag: string;
  /** Holds its name, with its prefix. */
  readonly name: string;
  readonly kind: DocumentKind;
  /** Holds the prefix of entries, with its colon; null for any prefix. */
  readonly prefix: string | null;
  /** Holds the encoding of the document, or null if its bytes are UTF-8. */
  readonly encoding: string | null;
  /** Says whether one of these tags names a base for relative links (`xml:base`). */
  readonly hasBase: boolean;
}

const SITEMAP: DocumentKind = { entries: ["url", "sitemap"], link: "loc", isAttribute: false };
const RSS: DocumentKind = { entries: ["item"], link: "link", isAttribute: false };
const ATOM: DocumentKind = { entries: ["entry"], link: "link", isAttribute: true };

/** The kinds by the names of their roots. An entry alone is a part of a document. */
const KINDS: Readonly<Record<string, DocumentKind>> = {
  urlset: SITEMAP,
  sitemapindex: SITEMAP,
  url: SITEMAP,
  sitemap: SITEMAP,
  rss: RSS,
  RDF: RSS,
  feed: ATOM,
  entry: ATOM,
};
const READ = "urlset, sitemapindex, rss, rdf:RDF of RSS 1.0, feed";
/** Names documents that are often taken for feeds, by their roots. */
const OTHERS: Readonly<Record<string, string>> = {
  opml: " (OPML)",
  svg: " (an SVG image)",
  html: " (an XHTML page)",
};

/** Matches the namespaces of RSS 1.0 and of RSS 0.9, whose root is that of any RDF. */
const RSS_NAMESPACE =
  /^http:\/\/(?:purl\.org\/rss\/1\.0\/|(?:my|channel)\.netscape\.com\/rdf\/simple\/0\.9\/)$/;
const NAME = /^(?:<\?.*?\?>)?<([^ \t\r\n/>]+)/s;
const NAMES = [...Object.keys(KINDS), ...Object.keys(OTHERS)].join("|");
const BEGIN = new RegExp(
  `^\\s*<(?:\\?xml\\s|!--|!DOCTYPE\\s|(?:[\\w.-]+:)?(?:${NAMES})(?:[\\s>]|/>)|[A-Za-z_][^>]*\\sxmlns[:=])`,
);

/** Returns whether a text begins as a document of XML: with a declaration, a comment, a known root, or a namespace. */
export function beginsAsXml(text: string): boolean {
  return BEGIN.test(text);
}

/**
 * Reads the start tag of a root element, which may follow the declaration of XML. Throws `BAD_OPTION` if the document is
 * neither a sitemap nor a feed, or its encoding is not read.
 */
export function rootOf(tag: string): Root {
  const root = readRoot(tag);
  if (root === null) throw unreadable(`its root element is ${shownRoot(nameOf(tag))}`);
  return root;
}

/**
 * Reads the start tag of the root element of a document that follows another one. Throws `BAD_OPTION` if their entries
 * are not read alike.
 */
export function nextRootOf(tag: string, before: Root): Root {
  const root = readRoot(tag);
  if (root !== null && areAlike(root, before)) return root;
  const isReadAlike = root !== null && areAlike({ ...root, encoding: before.encoding }, before);
  const [first, second] = isReadAlike
    ? [before, root].map(({ encoding }) => `in ${encoding ?? "UTF-8"}`)
    : [before.name, nameOf(tag)].map(shownRoot);
  const text = `a document ${second} follows the document ${first}: give each in a file of its own`;
  throw new UrlmillError("BAD_OPTION", text);
}

/** Returns whether an element of this name begins a document: a sitemap, a feed, or one that is often taken for a feed. */
export function beginsDocument(name: string): boolean {
  const local = localName(name);
  return Object.hasOwn(KINDS, local) || Object.hasOwn(OTHERS, local);
}

function readRoot(tag: string): Root | null {
  const name = nameOf(tag);
  const local = localName(name);
  const kind = Object.hasOwn(KINDS, local) ? KINDS[local] : undefined;
  const prefix = local === "RDF" ? rssPrefix(tag) : prefixOf(name);
  if (kind === undefined || prefix === null) return null;
  const isSitemap = kind === SITEMAP;
  const encoding = encodingOf(tag);
  return { tag, name, kind, prefix: isSitemap ? null : prefix, encoding, hasBase: hasBase(tag) };
}

function nameOf(tag: string): string {
  const [, name = ""] = NAME.exec(tag) ?? [];
  return name;
}

function shownRoot(name: string): string {
  const local = localName(name);
  const what = Object.hasOwn(OTHERS, local) ? OTHERS[local] : "";
  return `${excerpt(decodeUtf8(name) ?? name)}${what}`;
}

/** Returns the root of a document whose entries are in an element that names a base, which has this start tag. */
export function basedRoot(root: Root, tag: string): Root {
  return { ...root, tag: root.tag + tag, hasBase: true };
}

/** Returns whether the entries of two documents are read alike, so that one may follow the other. */
export function areAlike(one: Root, other: Root): boolean {
  const areOfKind = one.kind === other.kind && one.prefix === other.prefix;
  return areOfKind && one.encoding === other.encoding;
}

/** Returns the error of a document that is not read. `reason`: says why. */
export function unreadable(reason: string): UrlmillError {
  return new UrlmillError(
    "BAD_OPTION",
    `${reason}, and of XML only sitemaps and feeds are read (${READ}); take the URLs out of it first, or give --format lines to read it as lines`,
  );
}

/** Returns the prefix of a name, including its colon, or "". */
export function prefixOf(name: string): string {
  return name.slice(0, name.indexOf(":") + 1);
}

function localName(name: string): string {
  return name.slice(prefixOf(name).length);
}

/** Returns the prefix of RSS in a tag of RDF, including its colon, or null if it names no such namespace. */
function rssPrefix(tag: string): string | null {
  for (const { name, from, to } of attributesOf(tag)) {
    if (!/^xmlns(?::|$)/.test(name) || !RSS_NAMESPACE.test(tag.slice(from, to))) continue;
    return name === "xmlns" ? "" : `${name.slice("xmlns:".length)}:`;
  }
  return null;
}

/** Returns whether a tag has the attribute `xml:base`. */
export function hasBase(tag: string): boolean {
  if (!tag.includes("xml:base")) return false;
  return [...attributesOf(tag)].some(({ name }) => name === "xml:base");
}
