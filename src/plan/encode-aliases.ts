import type { PageAlias } from "../site-rules/aliases/page-alias.ts";
import { hashBackward, KIND } from "./layout.ts";
import { byName, type PlanWriter } from "./plan-writer.ts";

/**
 * Writes aliases by site and returns the address of the table of sites, or 0. The value of a site is its table
 * of URLs, whose values are the texts to write instead.
 */
export function writePageAliases(
  writer: PlanWriter,
  aliases: ReadonlyMap<string, readonly PageAlias[]>,
): number {
  const sites = [...aliases].toSorted(byName).map(([name, own]) => {
    const sorted = own.toSorted((a, b) => byName([a.from, a], [b.from, b]));
    const urls = sorted.map(({ from, to }) => ({
      name: from,
      kind: KIND.EXACT,
      value: writer.sharedText(to),
    }));
    return { name, kind: KIND.EXACT, value: writer.table(urls) };
  });
  return writer.optionalTable(sites, hashBackward);
}
