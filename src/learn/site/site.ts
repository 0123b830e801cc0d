import type { Known } from "./known.ts";
import type { Nodes } from "./nodes.ts";

/** A site's URLs and what is known of their pages. */
export interface Site {
  readonly name: string;
  readonly nodes: Nodes;
  readonly known: Known;
  /** What it declares, by the site declared. */
  readonly hosts: readonly HostPair[];
}

/** What one site declares of another's pages, or of its own. */
export interface HostPair {
  readonly from: string;
  readonly to: string;
  /** Declarations of the same path and query, and of another. */
  same: number;
  other: number;
}

/** A normalized http or https URL as rules see it; null for others. */
export function splitUrl(url: string): { site: string; target: string; isHttps: boolean } | null {
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
