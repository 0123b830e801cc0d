/** The most edits of a mistyped name. With more edits, it is another word. */
const MAX_EDITS = 2;

/**
 * Returns the name that a mistyped one most likely means, or null. The name must be within two edits, and the edits
 * must be fewer than half of its characters.
 */
export function nearest(typed: string, names: Iterable<string>): string | null {
  let found: string | null = null;
  let least = Math.min(MAX_EDITS + 1, typed.length / 2);
  for (const name of names) {
    const edits = editsBetween(typed, name);
    if (edits < least) [found, least] = [name, edits];
  }
  return found;
}

/** Returns the number of characters to insert, delete, replace or swap with the next (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line[column] = Math.min(
        (above[column] as number) + 1,
        (line[column - 1] as number) + 1,
        (above[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = above;
    above = line;
  }
  return above[b.length] as number;
}

/** Returns `; did you mean X?`, or an empty text if no name is near. */
export function suggestion(typed: string, names: Iterable<string>, prefix = ""): string {
  const name = nearest(typed, names);
  return name === null ? "" : `; did you mean ${prefix}${name}?`;
}
