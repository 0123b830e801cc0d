import { addMember } from "../base/tallies.ts";

/** Returns rules, or aliases, by site, in their order. */
export function bySite<T extends { readonly site: string }>(items: Iterable<T>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) addMember(groups, item.site, item);
  return groups;
}
