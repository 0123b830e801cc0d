/*
 * Finds what an alias writes for path and query of a URL.
 *
 * Memory: reads the ruled URL (ruled-url.ts) and, in the plan region, the table of sites with aliases. The
 * value of a site is its table of URLs (url-table.ts), whose entries are two texts: the URL and what it becomes.
 */
import { address, pageAliases } from "../plan";
import { findHost, targetOf, textEnd, textStart } from "../tables";
import { beginParams } from "./params";
import { setTarget, siteEnd, siteStart, targetEnd, targetStart } from "./ruled-url";
import { findUrl } from "./url-table";

const ENTRY: usize = 8;

/** Writes what its alias names for path and query of the ruled URL. Returns false if it is not an alias. */
export function takeAlias(): bool {
  const site = findHost(pageAliases, siteStart, siteEnd);
  if (site === 0) return false;
  const entry = findUrl(targetOf(site), ENTRY, targetStart, targetEnd);
  if (entry === 0) return false;
  const text = address(entry + 4);
  beginParams();
  return setTarget(textStart(text), textEnd(text));
}
