import type { PlanReader } from "./decode/plan-reader.ts";
import { byName, type PlanWriter } from "./encode/plan-writer.ts";
import { hashForward, longest, URLS } from "./layout.ts";

/** Holds a URL of a site, as path and query, and the texts that belong to it: as many for each URL of a table. */
export type UrlEntry = readonly [url: string, ...texts: string[]];

/**
 * Writes a table of URLs and returns its address. Those of one slot are sorted, so that no choice of URLs makes a
 * look-up slow.
 */
export function writeUrlTable(writer: PlanWriter, entries: readonly UrlEntry[]): number {
  const slots = 2 ** Math.ceil(Math.log2(entries.length + 1));
  const placed = entries
    .map((entry) => ({ entry, slot: hashForward(entry[0]) & (slots - 1) }))
    .toSorted((a, b) => a.slot - b.slot || byName([a.entry[0], a], [b.entry[0], b]));
  const texts = placed.flatMap(({ entry }) => entry.map((text) => writer.sharedText(text)));
  const at = writer.reserve(URLS.WORDS + slots + 1 + texts.length);
  const set = (word: number, value: number) => writer.set(at + 4 * word, value);
  set(URLS.MASK, slots - 1);
  set(URLS.LONGEST, longest(entries.map(([url]) => url)));
  let first = 0;
  for (let slot = 0; slot <= slots; slot++) {
    while (first < placed.length && (placed[first] as { slot: number }).slot < slot) first++;
    set(URLS.WORDS + slot, first);
  }
  for (const [index, text] of texts.entries()) set(URLS.WORDS + slots + 1 + index, text);
  return at;
}

/** Reads a table of URLs. Each of its entries is `words` texts. */
export function readUrlTable(reader: PlanReader, table: number, words: number): string[][] {
  const slots = reader.word(table + 4 * URLS.MASK) + 1;
  const first = table + 4 * (URLS.WORDS + slots + 1);
  return Array.from({ length: reader.word(first - 4) }, (_, index) =>
    Array.from({ length: words }, (_, word) => reader.textAt(first + 4 * (words * index + word))),
  );
}
