import { HEADER, URLS } from "./layout.ts";
import type { PlanReader } from "./plan-reader.ts";

/** Holds, for each site, the URLs that are aliases, as path and query, and what they become. */
export type LoadedAliases = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads the aliases of a plan; returns null if it has none. */
export function readPageAliases(reader: PlanReader): LoadedAliases | null {
  return reader.optional(reader.word(4 * HEADER.PAGE_ALIASES), (table) => {
    const sites = reader.entries(table);
    return new Map(sites.map(({ name, value }) => [name, readUrls(reader, value)]));
  });
}

function readUrls(reader: PlanReader, table: number): Map<string, string> {
  const slots = reader.word(table + 4 * URLS.MASK) + 1;
  const first = table + 4 * (URLS.WORDS + slots + 1);
  const count = reader.word(first - 4);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const entry = first + 8 * index;
      return [reader.textAt(entry), reader.textAt(entry + 4)];
    }),
  );
}
