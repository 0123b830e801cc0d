// Memory: reads the row (or `merged`) between the pointers it is given, writes at `out`.
import { BACKSLASH, COLON, DOT, isAlpha, PATH, PERCENT, PIPE, SLASH, tripletValue } from "./chars";
import { writeComponent } from "./component";
import { FILE, OTHER } from "./scheme";

export function isSlash(byte: u8, scheme: i32): bool {
  return byte === SLASH || (byte === BACKSLASH && scheme !== OTHER);
}

/** URL Standard, "Windows drive letter": one letter and `:` or `|`. */
export function isDriveLetter(p: usize, end: usize): bool {
  return (
    end - p === 2 && isAlpha(load<u8>(p)) && (load<u8>(p, 1) === COLON || load<u8>(p, 1) === PIPE)
  );
}

/** Whether the path in the output is just a drive letter, `/C:`, which no dot segment removes. */
export function isDrivePath(pathStart: usize, out: usize): bool {
  return (
    out - pathStart === 3 && isAlpha(load<u8>(pathStart, 1)) && load<u8>(pathStart, 2) === COLON
  );
}

/**
 * Writes the segments in `[p, end)`, which stand behind a `/`, after the path so far in
 * `[pathStart, out)`, removing dot segments (RFC 3986 5.2.4) after triplets are decoded.
 * `drive`: the path so far begins with a Windows drive letter (`file` only).
 */
export function writeSegments(
  p: usize,
  end: usize,
  out: usize,
  pathStart: usize,
  scheme: i32,
  drive: bool,
): usize {
  if (scheme !== FILE && !mayHaveDots(p, end)) {
    store<u8>(out, SLASH);
    return writeComponent(p, end, out + 1, PATH);
  }
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
 * Whether a segment in `[p, end)` may be a dot segment, once decoded, or a `\\` end one: false where no
 * dot, plain or as a triplet, follows a slash.
 */
function mayHaveDots(p: usize, end: usize): bool {
  if (beginsWithDot(p, end)) return true;
  const dot = i8x16.splat(DOT);
  const slash = i8x16.splat(SLASH);
  const backslash = i8x16.splat(BACKSLASH);
  const percent = i8x16.splat(PERCENT);
  for (; p < end; p += 16) {
    const block = v128.load(p);
    const first = v128.or(i8x16.eq(block, dot), i8x16.eq(block, percent));
    const opens = v128.and(first, i8x16.eq(v128.load(p - 1), slash));
    let stops: u32 = i8x16.bitmask(v128.or(opens, i8x16.eq(block, backslash)));
    for (; stops !== 0; stops &= stops - 1) {
      const at = p + <usize>ctz(stops);
      if (at >= end) return false;
      if (load<u8>(at) === BACKSLASH || beginsWithDot(at, end)) return true;
    }
  }
  return false;
}

function beginsWithDot(p: usize, end: usize): bool {
  return p < end && (load<u8>(p) === DOT || tripletValue(p, end) === <i32>DOT);
}

/** 1 for `.`, 2 for `..`, else 0. */
function dotSegment(p: usize, end: usize): i32 {
  const length = end - p;
  if (length === 0 || length > 2 || load<u8>(p) !== DOT || load<u8>(end - 1) !== DOT) return 0;
  return <i32>length;
}

/** Drops the last segment and the `/` before it. */
function pop(pathStart: usize, out: usize): usize {
  while (out > pathStart) if (load<u8>(--out) === SLASH) break;
  return out;
}

/**
 * Writes a path that does not begin with `/`, removing dot segments by the letter of RFC 3986 5.2.4:
 * what a relative reference makes of a base such as `urn:a`.
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
