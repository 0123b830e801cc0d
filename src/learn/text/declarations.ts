import { checkText, UrlmillError } from "../../base/errors.ts";
import { LONGEST_BASE } from "../../formats/format.ts";
import { DeclarationHandler, type HeadLink } from "./declaration-handler.ts";
import { type AnswerHeaders, headerValue, linkWith } from "./link-header.ts";
import { robotsSaid } from "./robots.ts";
import { readTokens } from "./tokenizer.ts";

/** Holds what a page says of its URLs, as members of a `LearnRecord`. The URLs are absolute. */
export interface Declarations {
  /** Holds the URL that the page goes to by itself within a second (`<meta http-equiv=refresh>`), if that is another. */
  readonly refresh?: string;
  /** Holds the URL of `rel=canonical` (RFC 6596). */
  readonly canonical?: string;
  /** Holds the URL of `rel=shortlink`. */
  readonly shortlink?: string;
  /** Holds the URL of the Open Graph protocol's `og:url`. */
  readonly og?: string;
  /** Holds the URL of the header `Content-Location` (RFC 9110, section 8.7). */
  readonly contentLocation?: string;
  /** Holds the URL of the link `rel=alternate` whose `hreflang` is the `lang` of `<html>`. */
  readonly hreflang?: string;
  /** Holds the value of the header `No-Vary-Search`. */
  readonly noVarySearch?: string;
  /** Holds what `<meta name=robots>` in the head and the header `X-Robots-Tag` say, such as `noindex, follow`. */
  readonly robots?: string;
  /**
   * Lists links of the page to other URLs of its host whose fragment is an `id`, or the `name` of an anchor, of the
   * page itself: 1,000 at most, and none if the page's base is longer than 8 KiB.
   */
  readonly self?: readonly string[];
}

/** Limits the self links of a page: whoever writes a page can forge them. */
export const MOST_SELF_LINKS = 1000;

/**
 * Returns what an HTML page says of its URLs: in its head, by links to its own anchors, and by headers; by `Link` where the
 * head has no such link. `url` is the page's, after redirects. The head ends at `</head>`, at `<body>`, at text, or at an
 * element that no head has (HTML 13.2.6.4.4). What is not an http or https URL is left out.
 *
 * Rejects with `BAD_INPUT` for a `url` that is not absolute, and with `PACKAGE_MISSING` if `htmlparser2` is not
 * installed.
 *
 * @example
 * const page = '<link rel=canonical href="/t/1"><p id=p7>One</p><a href="/t?p=7#p7">link</a>';
 * await declarations(page, "http://a.org/t/1?s"); // { canonical: "http://a.org/t/1", self: ["http://a.org/t?p=7#p7"] }
 */
export async function declarations(
  html: string,
  url: string,
  headers: AnswerHeaders = {},
): Promise<Declarations> {
  checkText(html, "html");
  const page = webUrl(url);
  if (page === null)
    throw new UrlmillError("BAD_INPUT", `url is "${url}", not an absolute http or https URL`);
  const handler = await readTokens(html, new DeclarationHandler(html));
  const found = headDeclarations(url, { ...handler, headers });
  const self = selfLinks(handler, page, baseOf(handler.base, page));
  return self === undefined ? found : { ...found, self };
}

/** Holds what the head of a page says of its URL, as written, and the headers of the answer. */
export interface PageHead {
  /** Holds the target of `<base href>`, or "". */
  readonly base: string;
  readonly head: ReadonlyMap<HeadLink, string>;
  readonly headers: AnswerHeaders;
}

/** Returns what a page says of its URL in its head, and by headers. `url` is absolute. */
export function headDeclarations(
  url: string,
  { base, head, headers }: PageHead,
): Omit<Declarations, "self"> {
  const page = new URL(url);
  const from = baseOf(base, page);
  const named = (link: string, from: URL): string | undefined =>
    link === "" ? undefined : webUrl(link, from.href)?.href;
  const linked = (kind: "canonical" | "shortlink") =>
    named(head.get(kind) ?? "", from) ?? named(linkWith(kind, headers), page);
  const refresh = named(head.get("refresh") ?? "", from);
  const found = {
    refresh: refresh === page.href ? undefined : refresh,
    canonical: linked("canonical"),
    shortlink: linked("shortlink"),
    og: named(head.get("og") ?? "", from),
    contentLocation: named(headerValue("content-location", headers), page),
    hreflang: named(head.get("hreflang") ?? "", from),
    noVarySearch: headerValue("no-vary-search", headers) || undefined,
    robots: robotsSaid(head.get("robots"), headerValue("x-robots-tag", headers)),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function baseOf(base: string, page: URL): URL {
  return base === "" ? page : (webUrl(base, page.href) ?? page);
}

/** Returns the links to other URLs of the host whose fragment is an anchor of the page; undefined for none. */
function selfLinks(
  { links, anchors }: DeclarationHandler,
  page: URL,
  base: URL,
): string[] | undefined {
  const found = new Set<string>();
  if (base.href.length > LONGEST_BASE) return undefined;
  for (const link of links) {
    if (found.size === MOST_SELF_LINKS) break;
    if (!hasAnchor(link.slice(link.indexOf("#") + 1).trimEnd(), anchors)) continue;
    const url = webUrl(link, base.href);
    const isOther = url?.pathname !== page.pathname || url.search !== page.search;
    if (url?.host === page.host && isOther) found.add(url.href);
  }
  return found.size === 0 ? undefined : [...found];
}

/** Returns whether a fragment, as written or decoded, is an anchor (HTML 7.4.6.4). */
function hasAnchor(fragment: string, anchors: ReadonlySet<string>): boolean {
  if (fragment === "") return false;
  if (anchors.has(fragment)) return true;
  try {
    return anchors.has(decodeURIComponent(fragment));
  } catch {
    return false; // it is not the encoding of any text
  }
}

/** Returns an http or https URL, or null for what is not one. */
function webUrl(text: string, base?: string): URL | null {
  if (!URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}
