// Memory: reads the row (or `merged`) between the pointers it is given, writes at `out`.

import { BY_DOT_SEGMENTS, BY_SLASHES } from "../catalog.generated";
import { note } from "../reasons";
import { BACKSLASH, COLON, DOT, isAlpha, PATH, PIPE, SLASH } from "./chars";
import { find, writeComponent } from "./component";
import { FILE, OTHER } from "./scheme";
import { splat } from "./sets";

export function isSlash(byte: u8, scheme: i32): bool {
  return byte === SLASH || (byte === BACKSLASH && scheme !== OTHER);
}

/** Returns whether a segment is a Windows drive letter (URL Standard): one letter and `:` or `|`. */
export function isDriveLetter(p: usize, end: usize): bool {
  return (
    end - p === 2 && isAlpha(load<u8>(p)) && (load<u8>(p, 1) === COLON || load<u8>(p, 1) === PIPE)
  );
}

/** Returns whether the path in the output is only a drive letter, `/C:`, which no dot segment removes. */
export function isDrivePath(pathStart: usize, out: usize): bool {
  return (
    out - pathStart === 3 && isAlpha(load<u8>(pathStart, 1)) && load<u8>(pathStart, 2) === COLON
  );
}

/**
 * Writes the segments in `[p, end)`, which follow a `/`, after the path so far in `[pathStart, out)`. Removes
 * dot segments (RFC 3986 5.2.4) after triplets are decoded. `drive`: the path so far begins with a Windows
 * drive letter (`file` only).
 */
export function writeSegments(
  p: usize,
  end: usize,
  out: usize,
  pathStart: usize,
  scheme: i32,
  drive: bool,
): usize {
  if (scheme !== FILE && (scheme === OTHER || find(p, end, BACKSLASH) === end)) {
    store<u8>(out, SLASH);
    return removeDotSegments(pathStart, out, writeComponent(p, end, out + 1, PATH));
  }
  // The reasons of a file URL are UNTOLD, so this bit then means nothing.
  note(BY_SLASHES);
  while (true) {
    let stop = p;
    while (stop < end && !isSlash(load<u8>(stop), scheme)) stop++;
    const last = stop === end;
    store<u8>(out, SLASH);
    if (scheme === FILE && out === pathStart && isDriveLetter(p, stop)) {
      store<u8>(out, load<u8>(p), 1);
      store<u8>(out, COLON, 2);
      out += 3;
      drive = true;
    } else {
      const after = writeComponent(p, stop, out + 1, PATH);
      const dots = dotSegment(out + 1, after);
      if (dots !== 0) note(BY_DOT_SEGMENTS);
      if (dots === 2 && !(drive && out - pathStart === 3)) out = pop(pathStart, out);
      if (dots === 0) {
        out = after;
      } else if (last) {
        store<u8>(out++, SLASH);
      }
    }
    if (last) return out;
    p = stop + 1;
  }
}

/**
 * Removes dot segments from `[p, end)` in place (RFC 3986 5.2.4). The text begins with `/` and follows the
 * path in `[pathStart, p)`. Returns the end.
 */
function removeDotSegments(pathStart: usize, p: usize, end: usize): usize {
  let out = p;
  while (true) {
    const slash = findSlashDot(p, end);
    const segmentEnd = slash === end ? end : find(slash + 1, end, SLASH);
    const dots = slash === end ? 0 : dotSegment(slash + 1, segmentEnd);
    const kept = dots === 0 ? segmentEnd : slash;
    if (dots !== 0) note(BY_DOT_SEGMENTS);
    if (out < p) memory.copy(out, p, kept - p);
    out += kept - p;
    if (dots === 2) out = pop(pathStart, out);
    if (segmentEnd === end) {
      if (dots !== 0) store<u8>(out++, SLASH);
      return out;
    }
    p = segmentEnd;
  }
}

/** Returns the first `/` before a `.`, or `end`. */
function findSlashDot(p: usize, end: usize): usize {
  const slash = splat(SLASH);
  const dot = splat(DOT);
  for (; p < end; p += 16) {
    const slashes = i8x16.eq(v128.load(p), slash);
    const lanes: u32 = i8x16.bitmask(v128.and(slashes, i8x16.eq(v128.load(p, 1), dot)));
    if (lanes !== 0) return min(p + <usize>ctz(lanes), end);
  }
  return end;
}

/** Returns 1 for `.`, 2 for `..`, else 0. */
function dotSegment(p: usize, end: usize): i32 {
  const length = end - p;
  if (length === 0 || length > 2 || load<u8>(p) !== DOT || load<u8>(end - 1) !== DOT) return 0;
  return <i32>length;
}

/** Removes the last segment and the `/` before it. */
function pop(pathStart: usize, out: usize): usize {
  while (out > pathStart) if (load<u8>(--out) === SLASH) break;
  return out;
}

/**
 * Writes a path that does not begin with `/`, and removes dot segments by the letter of RFC 3986 5.2.4. A
 * relative reference to a base such as `urn:a` has such a path.
 */
export function writeRootless(p: usize, end: usize, out: usize): usize {
  const pathStart = out;
  while (true) {
    let stop = p;
    while (stop < end && load<u8>(stop) !== SLASH) stop++;
    const after = writeComponent(p, stop, out, PATH);
    const dots = dotSegment(out, after);
    if (dots === 0) out = after;
    if (stop === end) return out;
    if (dots === 0) return writeSegments(stop + 1, end, out, pathStart, OTHER, false);
    p = stop + 1;
    if (p < end && load<u8>(p) === SLASH) {
      return writeSegments(p + 1, end, out, pathStart, OTHER, false);
    }
  }
}
