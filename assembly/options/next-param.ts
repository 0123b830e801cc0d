/*
 * The parameter after a `;` in a piece of a query or a fragment.
 * Memory: reads between the pointers it is given, in normal form.
 */
import { EQUALS, SEMICOLON } from "../url/chars";
import { find, findEither } from "../url/component";

/**
 * Finds the first `;` of `[p, end)` that a name and `=` follow. Returns the position after it, or 0 if there is no such `;`.
 */
export function nextParam(p: usize, end: usize): usize {
  for (let at = find(p, end, SEMICOLON); at < end; ) {
    const start = at + 1;
    at = findEither(start, end, SEMICOLON, EQUALS);
    if (at > start && at < end && load<u8>(at) === EQUALS) return start;
    if (at < end && load<u8>(at) === EQUALS) at = find(at, end, SEMICOLON);
  }
  return 0;
}
