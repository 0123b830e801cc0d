import { HEADER } from "../layout.ts";
import { readUrlTable } from "../url-table.ts";
import type { PlanReader } from "./plan-reader.ts";

/** Holds, for each site, the URLs that are aliases, as path and query, and what they become. */
export type LoadedAliases = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads the aliases of a plan; returns null if it has none. */
export function readPageAliases(reader: PlanReader): LoadedAliases | null {
  const table = reader.word(4 * HEADER.PAGE_ALIASES);
  if (table === 0) return null;
  const urlsAt = (address: number) =>
    reader.once("aliases", address, () => {
      return new Map(readUrlTable(reader, address, 2) as [string, string][]);
    });
  return new Map(reader.entries(table).map(({ name, value }) => [name, urlsAt(value)]));
}
