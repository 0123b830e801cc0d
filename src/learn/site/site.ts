import type { Rule } from "../../site-rules/rule.ts";
import type { Known } from "./known.ts";
import type { Nodes } from "./nodes.ts";

/** Holds the URLs of a site, and their pages. */
export interface Site {
  /** Names the site: its host, perhaps with `:port`. */
  readonly name: string;
  /** Holds the different URLs of the site. @internal */
  readonly nodes: Nodes;
  /** Holds what records say of each URL's page. @internal */
  readonly known: Known;
  /** Lists what the site declares of its own pages and of other sites' pages, one entry a site. */
  readonly hosts: readonly HostPair[];
  /** Lists the rules that the site had before. @internal */
  readonly before: readonly Rule[];
}

/** Counts what one site declares of another. */
export interface HostPair {
  readonly from: string;
  readonly to: string;
  /** Counts declarations of the same path and query, but for a slash at its end. */
  same: number;
  /** Counts the other declarations. */
  other: number;
}

/**
 * Returns whether two targets, path and query, differ in a slash at the end of the path at most: `/a?b` and `/a/?b`.
 */
export function isSpelling(a: string, b: string): boolean {
  return a === b || withoutSlash(a) === withoutSlash(b);
}

function withoutSlash(target: string): string {
  const question = target.indexOf("?");
  const end = question < 0 ? target.length : question;
  return target[end - 1] === "/" ? target.slice(0, end - 1) + target.slice(end) : target;
}

/** Holds path and query of a URL, and its scheme. */
export interface SiteUrl {
  readonly target: string;
  readonly isHttps: boolean;
}

/** Splits a normalized http or https URL as rules see it; returns null for other schemes. */
export function splitUrl(url: string): (SiteUrl & { readonly site: string }) | null {
  const isHttps = url.startsWith("https://");
  if (!isHttps && !url.startsWith("http://")) return null;
  const start = isHttps ? 8 : 7;
  const slash = url.indexOf("/", start);
  const authority = url.slice(start, slash);
  const hash = url.indexOf("#", slash);
  return {
    site: authority.slice(authority.indexOf("@") + 1),
    target: url.slice(slash, hash < 0 ? url.length : hash),
    isHttps,
  };
}

/** Orders URLs of one site by the bytes of path and query, then by scheme. */
export function compareUrls(a: SiteUrl, b: SiteUrl): number {
  if (a.target !== b.target) return a.target < b.target ? -1 : 1;
  return Number(a.isHttps) - Number(b.isHttps);
}

/** Returns the shortest of some texts, the first by its bytes of several. */
export function shortestOf(texts: readonly string[]): string {
  return texts.reduce((a, b) => (b.length < a.length || (b.length === a.length && b < a) ? b : a));
}
