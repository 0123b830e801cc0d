import { addMember } from "../../base/tallies.ts";
import { MARK, withAny } from "../../site-rules/aliases/any-params.ts";
import type { NumberRange } from "../../site-rules/aliases/number-range.ts";
import { HEADER, URLS } from "../layout.ts";
import type { PlanReader } from "./plan-reader.ts";
import { urlEntries } from "./url-entries.ts";

/** Holds the aliases of a site; URLs are path and query. */
export interface SiteAliases {
  /** Maps URLs to what they become. */
  readonly urls: ReadonlyMap<string, string>;
  /** Holds the ranges of each shape, in their order. */
  readonly ranges: ReadonlyMap<string, readonly LoadedRange[]>;
  /** Holds those for any other parameters, by what the plan writes. */
  readonly any: ReadonlyMap<string, LoadedAlias>;
  /** Limits the characters of these. */
  readonly longestAny: number;
}

/** Holds an alias as its file writes it. */
export interface LoadedAlias {
  readonly from: string;
  readonly to: string;
}

/** Holds a range of numbers, and what its URLs become. */
export interface LoadedRange extends NumberRange {
  readonly to: string;
}

export type LoadedAliases = ReadonlyMap<string, SiteAliases>;

/** Reads the aliases of a plan; returns null if it has none. */
export function readPageAliases(reader: PlanReader): LoadedAliases | null {
  const table = reader.word(4 * HEADER.PAGE_ALIASES);
  if (table === 0) return null;
  const aliasesAt = (address: number) =>
    reader.once("aliases", address, () => readAliases(reader, address));
  return new Map(reader.entries(table).map(({ name, value }) => [name, aliasesAt(value)]));
}

function readAliases(reader: PlanReader, table: number): SiteAliases {
  const urls = new Map<string, string>();
  const ranges = new Map<string, LoadedRange[]>();
  const any = new Map<string, LoadedAlias>();
  for (const at of urlEntries(reader, table, 4)) {
    const [url, to] = [reader.textAt(at), reader.textAt(at + 4)];
    const [first, last] = [reader.word(at + 8), reader.word(at + 12)];
    if (url.includes("<")) addMember(ranges, url, { shape: url, first, last, to });
    else if (reader.hasAnyParams && url.endsWith(MARK))
      any.set(url, { from: withAny(url.slice(0, -2)), to });
    else urls.set(url, to);
  }
  return { urls, ranges, any, longestAny: reader.word(table + 4 * URLS.LONGEST_SHAPE) };
}
