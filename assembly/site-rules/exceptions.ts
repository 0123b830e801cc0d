/*
 * The exceptions of a rule: what it must not make, as path and query.
 *
 * Memory: reads the text between the pointers it is given and the plan region. Exceptions are the number of
 * buckets less 1 (4); for each bucket, and the end of the last, how many texts are before it (4); then the
 * addresses of the texts (4), by bucket and in it by their bytes. Many texts in one bucket, as somebody can
 * make them, are searched by halves, so a look-up takes few steps whatever the texts are.
 */
import { address } from "../plan";
import { hashName, textEnd, textStart } from "../tables";

/** Returns whether the path and query `[p, end)` are among the exceptions. */
export function isException(exceptions: usize, p: usize, end: usize): bool {
  const mask = load<u32>(exceptions);
  const bucket = exceptions + 4 + ((<usize>(hashName(p, end) & mask)) << 2);
  const texts = exceptions + 12 + ((<usize>mask) << 2);
  let low = load<u32>(bucket);
  let high = load<u32>(bucket, 4);
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareText(address(texts + ((<usize>middle) << 2)), p, end);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** Compares a text of the plan with `[p, end)`: below 0, 0 or above 0. */
function compareText(text: usize, p: usize, end: usize): i32 {
  const length = textEnd(text) - textStart(text);
  const order = memory.compare(textStart(text), p, min(length, end - p));
  return order !== 0 ? order : <i32>length - <i32>(end - p);
}
