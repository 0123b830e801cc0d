/*
 * The parameter after a `;` in a piece of a query or a fragment.
 * Memory: reads between the pointers it is given, in normal form.
 */
import { EQUALS, SEMICOLON } from "../url/chars";
import { find, findEither } from "../url/component";

/** Returns where the parameter begins after the first `;` of `[p, end)` that a name and `=` follow; 0 if there is none. */
export function nextParam(p: usize, end: usize): usize {
  for (let at = find(p, end, SEMICOLON); at < end; ) {
    const start = at + 1;
    at = findEither(start, end, SEMICOLON, EQUALS);
    if (at > start && at < end && load<u8>(at) === EQUALS) return start;
    if (at < end && load<u8>(at) === EQUALS) at = find(at, end, SEMICOLON);
  }
  return 0;
}
