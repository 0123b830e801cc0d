import { URLS } from "../layout.ts";
import type { PlanReader } from "./plan-reader.ts";

/** Returns the addresses of the entries of a table of URLs, each of which has so many words. */
export function urlEntries(reader: PlanReader, table: number, words: number): number[] {
  const slots = reader.word(table + 4 * URLS.MASK) + 1;
  const first = table + 4 * (URLS.WORDS + slots + 1);
  return Array.from({ length: reader.word(first - 4) }, (_, index) => first + 4 * words * index);
}
