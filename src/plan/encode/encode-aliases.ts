import { rangeIn } from "../../site-rules/aliases/number-range.ts";
import type { PageAlias } from "../../site-rules/aliases/page-alias.ts";
import { hashBackward, KIND } from "../layout.ts";
import { type UrlEntry, writeUrlTable } from "../url-table.ts";
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
    return { name, kind: KIND.EXACT, value: writeUrlTable(writer, own.map(entryOf)) };
  });
  return writer.optionalTable(sites, hashBackward);
}

function entryOf({ from, to }: PageAlias): UrlEntry {
  const range = rangeIn(from);
  return range === null ? [from, to, 0, 0] : [range.shape, to, range.first, range.last];
}
