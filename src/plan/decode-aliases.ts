import { HEADER } from "./layout.ts";
import type { PlanReader } from "./plan-reader.ts";
import { readUrlTable } from "./url-table.ts";

/** Holds, for each site, the URLs that are aliases, as path and query, and what they become. */
export type LoadedAliases = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads the aliases of a plan; returns null if it has none. */
export function readPageAliases(reader: PlanReader): LoadedAliases | null {
  return reader.optional(reader.word(4 * HEADER.PAGE_ALIASES), (table) => {
    const sites = reader.entries(table);
    return new Map(
      sites.map(({ name, value }) => {
        const entries = readUrlTable(reader, value, 2) as [string, string][];
        return [name, new Map(entries)];
      }),
    );
  });
}
