import type { PageAlias } from "../site-rules/aliases/page-alias.ts";
import { hashBackward, hashForward, KIND, longest, URLS } from "./layout.ts";
import { byName, type PlanWriter } from "./plan-writer.ts";

/**
 * Writes aliases by site and returns the address of the table of sites, or 0. The value of a site is its table of
 * URLs.
 */
export function writePageAliases(
  writer: PlanWriter,
  aliases: ReadonlyMap<string, readonly PageAlias[]>,
): number {
  const sites = [...aliases].toSorted(byName).map(([name, own]) => {
    return { name, kind: KIND.EXACT, value: writeUrls(writer, own) };
  });
  return writer.optionalTable(sites, hashBackward);
}

/** Writes a table of URLs. Those of one slot are sorted, so that no choice of URLs makes a look-up slow. */
function writeUrls(writer: PlanWriter, aliases: readonly PageAlias[]): number {
  const slots = 2 ** Math.ceil(Math.log2(aliases.length + 1));
  const placed = aliases
    .map((alias) => ({ ...alias, slot: hashForward(alias.from) & (slots - 1) }))
    .toSorted((a, b) => a.slot - b.slot || byName([a.from, a], [b.from, b]));
  const texts = placed.map(({ from, to }) => [writer.text(from), writer.sharedText(to)] as const);
  const at = writer.reserve(URLS.WORDS + slots + 1 + 2 * placed.length);
  const set = (word: number, value: number) => writer.set(at + 4 * word, value);
  set(URLS.MASK, slots - 1);
  set(URLS.LONGEST, longest(aliases.map(({ from }) => from)));
  let entry = 0;
  for (let slot = 0; slot <= slots; slot++) {
    while (entry < placed.length && (placed[entry] as { slot: number }).slot < slot) entry++;
    set(URLS.WORDS + slot, entry);
  }
  for (const [index, [from, to]] of texts.entries()) {
    const word = URLS.WORDS + slots + 1 + 2 * index;
    set(word, from);
    set(word + 1, to);
  }
  return at;
}
