/*
 * Finds what an alias writes for path and query of a URL.
 *
 * Memory: reads the ruled URL (ruled-url.ts) and, in the plan region, the table of sites with aliases. The
 * value of a site is a table of URLs, path and query, whose values are texts. Hashes only choose a slot: the
 * text of an entry is compared byte by byte (tables.ts).
 */
import { pageAliases } from "../plan";
import { findHost, findName, targetOf, textEnd, textStart } from "../tables";
import { beginParams } from "./params";
import { setTarget, siteEnd, siteStart, targetEnd, targetStart } from "./ruled-url";

/** Writes what its alias names for path and query of the ruled URL. Returns false if it is not an alias. */
export function takeAlias(): bool {
  const site = findHost(pageAliases, siteStart, siteEnd);
  if (site === 0) return false;
  const entry = findName(targetOf(site), targetStart, targetEnd);
  if (entry === 0) return false;
  const text = targetOf(entry);
  beginParams();
  return setTarget(textStart(text), textEnd(text));
}
