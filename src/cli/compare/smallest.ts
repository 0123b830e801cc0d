/** Holds the keys of the two URLs that are compared. A text that is not a URL has none. */
export type Keys = readonly [string | null, string | null];

/** Returns whether both URLs have one key. */
export function isOne([first, second]: Keys): boolean {
  return first !== null && first === second;
}

/**
 * Returns the fewest candidates, at most `most`, that together give both URLs one key; null if no candidates do. Candidates
 * come smallest first, and the first that do are returned. `keysWith` returns the keys with some of them added, or null if
 * they do not go together. Only candidates that change a key alone are tried together.
 */
export function smallest<T>(
  candidates: readonly T[],
  most: number,
  keysWith: (added: readonly T[]) => Keys | null,
): readonly T[] | null {
  const before = keysWith([])?.join();
  const changing: T[] = [];
  for (const candidate of candidates) {
    const keys = keysWith([candidate]);
    if (keys === null) continue;
    if (isOne(keys)) return [candidate];
    if (keys.join() !== before) changing.push(candidate);
  }
  let chosen = changing.map((candidate) => [candidate]);
  for (let size = 2; size <= most; size++) {
    // The last of each group is the largest, so groups come in the order of what is largest in them.
    chosen = changing.flatMap((larger, at) =>
      chosen
        .filter((group) => changing.indexOf(group.at(-1) as T) < at)
        .map((group) => [...group, larger]),
    );
    const found = chosen.find((group) => {
      const keys = keysWith(group);
      return keys !== null && isOne(keys);
    });
    if (found !== undefined) return found;
  }
  return null;
}
