/*
 * Finds a URL of a site, as path and query, in a table of the plan.
 *
 * Memory: reads the text between the pointers it is given and the plan region. A table is the mask (4), bytes of
 * the longest URL (4), then for each of mask + 1 slots the number of its first entry (4), and the number of entries
 * (4). Then come the entries, sorted by slot and bytes: the address of the URL, and of what belongs to it. A hash
 * only chooses the slot: the URL is compared byte by byte.
 */
import { address } from "../plan";
import { hashName, textEnd, textStart } from "../tables";

/** Returns the entry of the URL `[p, end)` in a table whose entries have `size` bytes; 0 if it has none. */
export function findUrl(table: usize, size: usize, p: usize, end: usize): usize {
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
    const entry = entries + <usize>middle * size;
    const order = compareText(address(entry), p, end);
    if (order === 0) return entry;
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
