/** The most edits of a mistyped name. With more edits, it is another word. */
const MAX_EDITS = 2;
/** The longest name, in UTF-16 units, that may be mistyped. A longer one comes from a stranger, and comparing it takes long. */
const LONGEST_NAME = 100;

/**
 * Returns the name that a mistyped one most likely means, or null. The name must be within two edits, and the edits
 * must be fewer than half of its characters.
 */
export function nearest(typed: string, names: Iterable<string>): string | null {
  if (typed.length > LONGEST_NAME) return null;
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

/** Words of a name in camelCase, snake_case or kebab-case. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
/** From this length on, a word is taken for a longer one that begins with it. */
const STEM = 4;

/**
 * Returns the option that an unknown name most likely means, or null: one whose letters are nearest, or else the one that
 * shares most words, such as `trackingParams` for `stripTracking`. Two that share as many are no answer.
 */
export function nearestOption(typed: string, names: readonly string[]): string | null {
  if (typed.length > LONGEST_NAME) return null;
  const letters = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase();
  const near = nearest(letters(typed), names.map(letters));
  if (near !== null) return names.find((name) => letters(name) === near) as string;
  const words = wordsOf(typed);
  const scored = names.map((name) => ({ name, score: shareOf(words, wordsOf(name)) }));
  const most = Math.max(...scored.map(({ score }) => score));
  const [best, another] = scored.filter(({ score }) => score === most);
  return most > 0 && another === undefined ? (best as { name: string }).name : null;
}

/** Returns `; did you mean X?`, or an empty text if no option is near. */
export function optionSuggestion(typed: string, names: readonly string[], prefix = ""): string {
  const name = nearestOption(typed, names);
  return name === null ? "" : `; did you mean ${prefix}${name}?`;
}

function wordsOf(name: string): string[] {
  return Array.from(name.matchAll(WORD), ([word]) => word.toLowerCase());
}

/** Counts the words of an option that a name shares, and then how much of the option they are. */
function shareOf(typed: readonly string[], option: readonly string[]): number {
  const shared = option.filter((word) => typed.some((other) => areAlike(word, other))).length;
  return shared + shared / (option.length + 1);
}

function areAlike(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short === long || (short.length >= STEM && long.startsWith(short));
}
