/** Returns rules, or aliases, by site, in their order. */
export function bySite<T extends { readonly site: string }>(items: Iterable<T>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const own = groups.get(item.site);
    if (own === undefined) groups.set(item.site, [item]);
    else own.push(item);
  }
  return groups;
}
