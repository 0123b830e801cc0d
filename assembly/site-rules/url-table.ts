/*
 * Finds a URL of a site, as path and query, in a table of the plan.
 *
 * Memory: reads the text between the pointers it is given and the plan region. A table is the mask (4), bytes of
 * the longest URL (4), of the longest with a mark (4), then for each of mask + 1 slots the number of its first entry
 * (4), and the number of entries (4). Then come the entries, sorted by slot and bytes: the address of the URL, and what
 * belongs to it. A hash only chooses the slot: the URL is compared byte by byte.
 */
import { URLS } from "../catalog.generated";
import { address } from "../plan";
import { hashName, textEnd, textStart } from "../tables";

/** Bytes of an entry with a range: addresses of the URL and its target, the first number and the last one. */
const RANGE: usize = 16;

/** Returns the entry of the URL `[p, end)` in a table whose entries have `size` bytes; 0 if it has none. */
export function findUrl(table: usize, size: usize, p: usize, end: usize): usize {
  return end - p > <usize>load<u32>(table, URLS.LONGEST) ? 0 : findText(table, size, p, end);
}

/** Returns the entry of the URL `[p, end)`, which may have a mark in place of other parameters. */
export function findText(table: usize, size: usize, p: usize, end: usize): usize {
  const slot = slotOf(table, p, end);
  const entries = entriesOf(table);
  let low = load<u32>(slot);
  let high = load<u32>(slot, 4);
  // A slot has one entry or two, unless somebody chose URLs of equal hashes.
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries + <usize>middle * size;
    const order = compareText(address(entry), p, end);
    if (order === 0) return entry;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return 0;
}

/** Returns the bytes of the longest URL with a mark for a range or other parameters; 0 if there is none. */
export function longestShape(table: usize): usize {
  return <usize>load<u32>(table, URLS.LONGEST_SHAPE);
}

/** Returns the entry whose range has the number in the URL `[p, end)`, which has a mark in place of it; or 0. */
export function findRange(table: usize, p: usize, end: usize, number: u32): usize {
  const slot = slotOf(table, p, end);
  const entries = entriesOf(table);
  let low = load<u32>(slot);
  let high = load<u32>(slot, 4);
  let found: usize = 0;
  // Equal texts have one address, so that one is compared once.
  let text: usize = 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries + <usize>middle * RANGE;
    const own = address(entry);
    const order = own === text ? 0 : compareText(own, p, end);
    if (order === 0) text = own;
    if (order < 0 || (order === 0 && load<u32>(entry, 8) <= number)) {
      low = middle + 1;
      found = order === 0 ? entry : found;
    } else {
      high = middle;
    }
  }
  return found !== 0 && number <= load<u32>(found, 12) ? found : 0;
}

/** Returns where the number of the first entry is that may be the URL `[p, end)`. */
function slotOf(table: usize, p: usize, end: usize): usize {
  return table + URLS.BYTES + ((<usize>(hashName(p, end) & load<u32>(table, URLS.MASK))) << 2);
}

function entriesOf(table: usize): usize {
  return table + URLS.BYTES + ((<usize>load<u32>(table, URLS.MASK) + 2) << 2);
}

/** Returns a number below 0, 0 or above 0 if a text comes before `[p, end)`, is equal, or comes after it. */
function compareText(text: usize, p: usize, end: usize): i32 {
  const length = textEnd(text) - textStart(text);
  const order = memory.compare(textStart(text), p, min(length, end - p));
  return order !== 0 ? order : <i32>length - <i32>(end - p);
}
