/*
 * Finds what an alias writes for path and query of a URL.
 *
 * Memory: reads the ruled URL (ruled-url.ts) and, in the plan region, the table of sites with aliases. The value of a
 * site is its table of URLs (url-table.ts), whose entries are two texts, the URL and what it becomes, then the first and
 * the last number of a range. Writes the next target: the URL with a mark in place of its last number, or its path and
 * a parameter with a mark in place of the others.
 */
import { address, hasAnyParams, pageAliases } from "../plan";
import { findHost, targetOf, textEnd, textStart } from "../tables";
import { AMPERSAND, isDigit, QUESTION, ZERO } from "../url/chars";
import { writeBytes } from "../url/component";
import { beginParams, findSeparator } from "./params";
import {
  nextTarget,
  pathEnd,
  setTarget,
  siteEnd,
  siteStart,
  targetEnd,
  targetStart,
} from "./ruled-url";
import { findRange, findText, findUrl, longestShape } from "./url-table";

const ENTRY: usize = 16;
/** Stands for a range: no normalized URL has this byte, `<`. */
const MARK: u8 = 0x3c;
/** Stands for other parameters: no normalized URL has this byte, `>`. */
const ANY_MARK: u8 = 0x3e;
/** The most digits of a number in a range. */
const MOST_DIGITS: usize = 9;

/** Writes what its alias names for path and query of the ruled URL. Returns false if it is not an alias. */
export function takeAlias(): bool {
  const site = findHost(pageAliases, siteStart, siteEnd);
  if (site === 0) return false;
  const table = targetOf(site);
  let entry = findUrl(table, ENTRY, targetStart, targetEnd);
  if (entry === 0) entry = findNumber(table);
  if (entry === 0 && hasAnyParams) entry = findAny(table);
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

/**
 * Returns the entry for any other parameters that the target has: that of one of its parameters, if all such entries have
 * one target, else that of its path. Returns 0 if there is none.
 */
function findAny(table: usize): usize {
  const longest = longestShape(table);
  if (pathEnd + 2 - targetStart > longest) return 0;
  const text = nextTarget();
  const query = writeBytes(targetStart, pathEnd, text) + 1;
  store<u8>(query - 1, QUESTION);
  let found: usize = 0;
  for (let start = pathEnd + 1; start <= targetEnd; ) {
    const end = findSeparator(start);
    if (query - text + (end - start) + 2 <= longest) {
      const mark = writeBytes(start, end, query);
      store<u8>(mark, AMPERSAND);
      store<u8>(mark + 1, ANY_MARK);
      const entry = findText(table, ENTRY, text, mark + 2);
      if (entry !== 0 && found !== 0 && load<u32>(entry, 4) !== load<u32>(found, 4)) return 0;
      if (entry !== 0) found = entry;
    }
    start = end + 1;
  }
  if (found !== 0) return found;
  store<u8>(query, ANY_MARK);
  return findText(table, ENTRY, text, query + 1);
}
