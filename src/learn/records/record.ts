import type { Malformed } from "../../formats/row.ts";

/** Describes one fetched, or only named, URL as a list has it. */
export interface LearnRecord {
  /** Holds the URL as given, not normalized. */
  readonly url: string;
  /**
   * Holds a fingerprint of the page as "kind:value", with a kind of `FP_KINDS`. Records with equal fingerprints are the
   * same page.
   *
   * @default unknown
   */
  readonly fp?: string;
  /**
   * Counts the bytes of the payload, or of the nearest thing that the format has, such as bytes sent.
   *
   * @default unknown
   */
  readonly size?: number;
  /**
   * Holds the HTTP status, 100 to 999.
   *
   * @default unknown; a page that was found is assumed
   */
  readonly status?: number;
  /**
   * Holds the URL that it redirects to, which may be relative.
   *
   * @default none
   */
  readonly redirect?: string;
  /**
   * Holds the URL that the page goes to by itself, after a second at most (`<meta http-equiv=refresh>`), which may be
   * relative. It counts as a permanent redirect, and what the page shows as nobody's.
   *
   * @default none
   */
  readonly refresh?: string;
  /**
   * Holds the URL of `rel=canonical` (RFC 6596), which may be relative.
   *
   * @default none
   */
  readonly canonical?: string;
  /**
   * Holds the URL of `rel=shortlink`, which may be relative.
   *
   * @default none
   */
  readonly shortlink?: string;
  /**
   * Holds the URL of the Open Graph protocol's `og:url`, which may be relative.
   *
   * @default none
   */
  readonly og?: string;
  /**
   * Holds the URL of the header `Content-Location` (RFC 9110, section 8.7), which may be relative.
   *
   * @default none
   */
  readonly contentLocation?: string;
  /**
   * Holds the URL of `rel=alternate` with the page's own language as `hreflang`, which may be relative.
   *
   * @default none
   */
  readonly hreflang?: string;
  /**
   * Holds the header `No-Vary-Search`, which says what of the query does not matter.
   *
   * @default none
   */
  readonly noVarySearch?: string;
  /**
   * Holds what `<meta name=robots>` and the header `X-Robots-Tag` say to all crawlers, such as `noindex, follow`.
   *
   * @default none: the page may be indexed
   */
  readonly robots?: string;
  /**
   * Lists the self links of the page: URLs with a fragment, which may be relative, that the page links to and whose
   * fragment is an `id` or `name` of the page itself. Only the first 1,000 are looked at.
   *
   * @default none
   */
  readonly self?: readonly string[];
  /**
   * Holds the time of the capture, as given.
   *
   * @default unknown
   */
  readonly ts?: string;
}

/** Lists the members that state another URL of the page. */
export const STATEMENTS = ["canonical", "shortlink", "og", "contentLocation", "hreflang"] as const;

/** Holds a record while its reader fills it. */
export type Draft = { -readonly [Name in keyof LearnRecord]: LearnRecord[Name] };

/**
 * Lists the kinds of fingerprints. The first finds the most equal pages. `cls` is a class that the user names, `sim` a
 * simhash in hex, `text` the exact visible text, and `raw` the payload digest.
 */
export const FP_KINDS = ["cls", "sim", "text", "raw"] as const;
/** Names a kind of fingerprint. */
export type FpKind = (typeof FP_KINDS)[number];

/**
 * Holds the result of a line: a record, or why the line is malformed. It is null for a line that is not a record, such
 * as a blank line, a comment or a header.
 */
export type Reading = LearnRecord | Malformed | null;

/**
 * Reads a line without its end, as text; returns several readings if the format has several rows in a line. Give lines
 * in their order, because a header decides how the others are read.
 */
export type LineReader = (line: string) => Reading | readonly Reading[];

/** Takes what is read, with the number of its line, from 1 on. */
export type TakeReading = (reading: Reading, line: number) => void;
