/*
 * Finds what an alias writes for path and query of a URL.
 *
 * Memory: reads the ruled URL (ruled-url.ts) and, in the plan region, the table of sites with aliases. The value of a
 * site is its table of URLs (url-table.ts), whose entries are two texts, the URL and what it becomes, then the first and
 * the last number of a range. Writes the next target: the URL with a mark in place of its last number.
 */
import { address, pageAliases } from "../plan";
import { findHost, targetOf, textEnd, textStart } from "../tables";
import { isDigit, ZERO } from "../url/chars";
import { writeBytes } from "../url/component";
import { beginParams } from "./params";
import { nextTarget, setTarget, siteEnd, siteStart, targetEnd, targetStart } from "./ruled-url";
import { findRange, findUrl, longestShape } from "./url-table";

const ENTRY: usize = 16;
/** Stands for a range: no normalized URL has this byte, `<`. */
const MARK: u8 = 0x3c;
/** The most digits of a number in a range. */
const MOST_DIGITS: usize = 9;

/** Writes what its alias names for path and query of the ruled URL. Returns false if it is not an alias. */
export function takeAlias(): bool {
  const site = findHost(pageAliases, siteStart, siteEnd);
  if (site === 0) return false;
  const table = targetOf(site);
  let entry = findUrl(table, ENTRY, targetStart, targetEnd);
  if (entry === 0) entry = findNumber(table);
  if (entry === 0) return false;
  const text = address(entry + 4);
  beginParams();
  return setTarget(textStart(text), textEnd(text));
}

/** Returns the entry of a range that has the last number of the target; 0 if there is none. */
function findNumber(table: usize): usize {
  const longest = longestShape(table);
  if (longest === 0) return 0;
  let end = targetEnd;
  while (end > targetStart && !isDigit(load<u8>(end - 1))) end--;
  let start = end;
  while (start > targetStart && isDigit(load<u8>(start - 1))) start--;
  const digits = end - start;
  if (targetEnd - targetStart + 1 > longest + digits) return 0;
  // A number of a range is written without zeros before it.
  if (digits - 1 >= MOST_DIGITS || (digits > 1 && load<u8>(start) === ZERO)) return 0;
  let number: u32 = 0;
  for (let at = start; at < end; at++) number = 10 * number + <u32>(load<u8>(at) - ZERO);
  const shape = nextTarget();
  const mark = writeBytes(targetStart, start, shape);
  store<u8>(mark, MARK);
  return findRange(table, shape, writeBytes(end, targetEnd, mark + 1), number);
}
