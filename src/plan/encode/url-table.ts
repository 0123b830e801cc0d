import { hashForward, longest, URLS } from "../layout.ts";
import { byName, type PlanWriter } from "./plan-writer.ts";

/**
 * Holds a URL of a site, as path and query, and the texts and numbers that belong to it: as many for each URL of a
 * table. A URL with a range has `<` in place of it, and its first number comes after its target. One with any other
 * parameters ends with `>`.
 */
export type UrlEntry = readonly [url: string, target?: string, first?: number, last?: number];

/**
 * Writes a table of URLs and returns its address. Those of one slot are sorted, so that no choice of URLs makes a
 * look-up slow.
 */
export function writeUrlTable(writer: PlanWriter, entries: readonly UrlEntry[]): number {
  const urls = [...new Set(entries.map(([url]) => url))];
  const slots = 2 ** Math.ceil(Math.log2(urls.length + 1));
  const placed = entries
    .map((entry) => ({ entry, slot: hashForward(entry[0]) & (slots - 1) }))
    .toSorted((a, b) => a.slot - b.slot || compareEntries(a.entry, b.entry));
  const words = placed.flatMap(({ entry }) =>
    entry.map((part) => (typeof part === "string" ? writer.sharedText(part) : (part as number))),
  );
  const at = writer.reserve(URLS.WORDS + slots + 1 + words.length);
  const set = (word: number, value: number) => writer.set(at + 4 * word, value);
  set(URLS.MASK, slots - 1);
  set(URLS.LONGEST, longest(urls.filter((url) => !/[<>]/.test(url))));
  set(URLS.LONGEST_SHAPE, longest(urls.filter((url) => /[<>]/.test(url))));
  let first = 0;
  for (let slot = 0; slot <= slots; slot++) {
    while (first < placed.length && (placed[first] as { slot: number }).slot < slot) first++;
    set(URLS.WORDS + slot, first);
  }
  for (const [index, word] of words.entries()) set(URLS.WORDS + slots + 1 + index, word);
  return at;
}

function compareEntries([a, , first = 0, last = 0]: UrlEntry, [b, , next = 0, end = 0]: UrlEntry) {
  return byName([a, a], [b, b]) || first - next || last - end;
}
