import type { PageAlias } from "../../site-rules/aliases/page-alias.ts";
import { hashBackward, KIND } from "../layout.ts";
import { writeUrlTable } from "../url-table.ts";
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
    const urls = own.map(({ from, to }) => [from, to] as const);
    return { name, kind: KIND.EXACT, value: writeUrlTable(writer, urls) };
  });
  return writer.optionalTable(sites, hashBackward);
}
