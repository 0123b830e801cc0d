/*
 * Finds what an alias writes for path and query of a URL.
 *
 * Memory: reads the ruled URL (ruled-url.ts) and, in the plan region, the table of sites with aliases. The
 * value of a site is its table of URLs: mask, bytes of the longest URL, then for each of mask + 1 slots the number
 * of its first entry, and the number of entries. Then come the entries, sorted by slot and bytes: addresses of two
 * texts, the URL and what it becomes. A hash only chooses the slot: the URL is compared byte by byte.
 */
import { address, pageAliases } from "../plan";
import { findHost, hashName, targetOf, textEnd, textStart } from "../tables";
import { beginParams } from "./params";
import { setTarget, siteEnd, siteStart, targetEnd, targetStart } from "./ruled-url";

/** Writes what its alias names for path and query of the ruled URL. Returns false if it is not an alias. */
export function takeAlias(): bool {
  const site = findHost(pageAliases, siteStart, siteEnd);
  if (site === 0) return false;
  const text = findUrl(targetOf(site), targetStart, targetEnd);
  if (text === 0) return false;
  beginParams();
  return setTarget(textStart(text), textEnd(text));
}

/** Returns the text that the URL `[p, end)` becomes, or 0. */
function findUrl(table: usize, p: usize, end: usize): usize {
  if (end - p > <usize>load<u32>(table, 4)) return 0;
  const mask = load<u32>(table);
  const slots = table + 8;
  const slot = slots + ((<usize>(hashName(p, end) & mask)) << 2);
  const entries = slots + ((<usize>mask + 2) << 2);
  let low = load<u32>(slot);
  let high = load<u32>(slot, 4);
  // A slot has one entry or two, unless somebody chose URLs of equal hashes.
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries + ((<usize>middle) << 3);
    const order = compareText(address(entry), p, end);
    if (order === 0) return address(entry + 4);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return 0;
}

/** Returns a number below 0, 0 or above 0 if a text comes before `[p, end)`, is equal, or comes after it. */
function compareText(text: usize, p: usize, end: usize): i32 {
  const length = textEnd(text) - textStart(text);
  const order = memory.compare(textStart(text), p, min(length, end - p));
  return order !== 0 ? order : <i32>length - <i32>(end - p);
}
