import { type Html, html } from "./html.ts";
import { code } from "./parts.ts";

/**
 * Shows two texts and marks their difference: everything between their common beginning and common end. A word that
 * differs is marked as a whole.
 */
export function markedPair(a: string, b: string): [Html, Html] {
  const [first, second] = [[...a], [...b]];
  const start = sharedStart(first, second);
  const end = sharedStart(first.slice(start).toReversed(), second.slice(start).toReversed());
  return [marked(first, start, end), marked(second, start, end)];
}

function marked(text: readonly string[], start: number, end: number): Html {
  const to = text.length - end;
  const piece = (from: number, till: number) => text.slice(from, till).join("");
  const middle = to > start ? html`<mark>${piece(start, to)}</mark>` : html``;
  return code(html`${piece(0, start)}${middle}${piece(to, text.length)}`);
}

/** Returns the length of the common beginning of two texts, without a partial word. */
function sharedStart(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  const goesOn = isWord(a[length]) || isWord(b[length]);
  while (goesOn && isWord(a[length - 1])) length--;
  return length;
}

function isWord(character = ""): boolean {
  return /^[0-9a-z%]$/i.test(character);
}
