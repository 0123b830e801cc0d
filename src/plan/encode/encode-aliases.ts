import type { PageAlias } from "../../site-rules/aliases/alias-file.ts";
import { baseOfAny, markedBase } from "../../site-rules/aliases/any-params.ts";
import { rangeIn } from "../../site-rules/aliases/number-range.ts";
import { ANY_PARAMS_PLAN_VERSION, hashBackward, KIND } from "../layout.ts";
import { byName, type PlanWriter } from "./plan-writer.ts";
import { type UrlEntry, writeUrlTable } from "./url-table.ts";

/**
 * Writes aliases by site and returns the address of the table of sites, or 0. The value of a site is its table of
 * URLs.
 */
export function writePageAliases(
  writer: PlanWriter,
  aliases: ReadonlyMap<string, readonly PageAlias[]>,
): number {
  if ([...aliases.values()].some((own) => own.some(({ from }) => baseOfAny(from) !== null))) {
    writer.needVersion(ANY_PARAMS_PLAN_VERSION);
  }
  const sites = [...aliases].toSorted(byName).map(([name, own]) => {
    return { name, kind: KIND.EXACT, value: writeUrlTable(writer, own.map(entryOf)) };
  });
  return writer.optionalTable(sites, hashBackward);
}

function entryOf({ from, to }: PageAlias): UrlEntry {
  const [range, base] = [rangeIn(from), baseOfAny(from)];
  if (range !== null) return [range.shape, to, range.first, range.last];
  return [base === null ? from : markedBase(base), to, 0, 0];
}
