/*
 * Notes why a host of a special scheme changed.
 * Memory: reads the host before and after, up to 15 bytes after each.
 */

import { BY_HOST, BY_HOST_CASE } from "../catalog.generated";
import { note } from "../reasons";
import { PERCENT, tripletValue } from "./chars";
import { find, lowered } from "./component";

/** Notes why the host `[p, end)` became `[out, stop)`. */
export function noteHost(p: usize, end: usize, out: usize, stop: usize): void {
  if (find(p, end, PERCENT) < end) noteEncodedHost(p, end);
  else notePlainHost(p, end, out, stop);
}

/** Does the same for a host without `%`. */
export function notePlainHost(p: usize, end: usize, out: usize, stop: usize): void {
  const length = end - p;
  if (length !== stop - out) note(BY_HOST);
  for (let at: usize = 0; at < length; at += 16) {
    const block = v128.load(p + at);
    const lower = lowered(block);
    const inside = at + 16 <= length ? 0xffff : ((<u32>1) << (<u32>(length - at))) - 1;
    if ((i8x16.bitmask(i8x16.ne(block, lower)) & inside) !== 0) note(BY_HOST_CASE);
    if ((i8x16.bitmask(i8x16.ne(v128.load(out + at), lower)) & inside) !== 0) note(BY_HOST);
  }
}

/** Notes the reasons for a host with `%`. The digits of triplets are not letters of the host. */
function noteEncodedHost(p: usize, end: usize): void {
  note(BY_HOST);
  while (p < end) {
    if (tripletValue(p, end) >= 0) p += 3;
    else if (<u8>(load<u8>(p++) - 0x41) < 26) note(BY_HOST_CASE);
  }
}
