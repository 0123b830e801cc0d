// Memory: reads a path in normal form and the plan region, writes at `out`; `merged` holds a path
// without its session ids.
import { DOT, SLASH } from "./chars";
import { find, writeBytes } from "./component";
import { mergedStart } from "./memory";
import { isDrivePath, writeSegments } from "./path";
import { choiceOf, DUPLICATE_SLASHES, indexTable, SESSION_IDS, TRAILING_SLASH } from "./plan";
import { FILE } from "./scheme";
import { findName } from "./tables";

const SEMICOLON: u8 = 0x3b;
const ADD: u32 = 1;
const REMOVE: u32 = 2;

/** Writes the path `[p, end)`, which begins with `/`, by the rules of a profile. */
export function writePath(p: usize, end: usize, out: usize, profile: usize, scheme: i32): usize {
  const start = out;
  // A file has no session, and taking one away could make a Windows drive letter.
  const isSession = choiceOf(profile, SESSION_IDS) !== 0 && scheme !== FILE && hasSession(p, end);
  out = isSession ? writeWithoutSession(p, end, out, scheme) : writeBytes(p, end, out);
  if (choiceOf(profile, DUPLICATE_SLASHES) !== 0) out = collapseSlashes(start, out);
  const index = indexTable(profile);
  const slash = choiceOf(profile, TRAILING_SLASH);
  while (true) {
    const before = out;
    if (index !== 0) out = dropIndex(start, out, index);
    if (slash === REMOVE) out = dropTrailingSlashes(start, out, scheme);
    else if (slash === ADD) out = addTrailingSlash(start, out);
    if (out === before) return out;
  }
}

/** `;jsessionid=` in any case at `p`. */
function isSessionAt(p: usize, end: usize): bool {
  if (end - p < 12 || load<u8>(p) !== SEMICOLON || load<u8>(p, 11) !== 0x3d) return false;
  // "jsession" and "id", letters made lower-case.
  if ((load<u64>(p, 1) | 0x2020202020202020) !== 0x6e6f69737365736a) return false;
  return (load<u16>(p, 9) | 0x2020) === 0x6469;
}

function hasSession(p: usize, end: usize): bool {
  for (p = find(p, end, SEMICOLON); p < end; p = find(p + 1, end, SEMICOLON)) {
    if (isSessionAt(p, end)) return true;
  }
  return false;
}

/** Without `;jsessionid=…` up to the next `;` or the end of its segment, nor dot segments it leaves. */
function writeWithoutSession(p: usize, end: usize, out: usize, scheme: i32): usize {
  let kept = mergedStart;
  while (p < end) {
    if (!isSessionAt(p, end)) {
      store<u8>(kept++, load<u8>(p++));
      continue;
    }
    p++;
    while (p < end && load<u8>(p) !== SEMICOLON && load<u8>(p) !== SLASH) p++;
  }
  return writeSegments(mergedStart + 1, kept, out, out, scheme, false);
}

/** In place. */
function collapseSlashes(start: usize, end: usize): usize {
  let out = start + 1;
  for (let p = start + 1; p < end; p++) {
    const byte = load<u8>(p);
    if (byte !== SLASH || load<u8>(p - 1) !== SLASH) store<u8>(out++, byte);
  }
  return out;
}

/** The last segment goes when it is on the list, its `/` stays. */
function dropIndex(start: usize, end: usize, index: usize): usize {
  const segment = lastSegment(start, end);
  return segment < end && findName(index, segment, end) !== 0 ? segment : end;
}

/** Never the root's, nor that of a Windows drive. */
function dropTrailingSlashes(start: usize, end: usize, scheme: i32): usize {
  let kept = end;
  while (kept - start > 1 && load<u8>(kept - 1) === SLASH) kept--;
  return scheme === FILE && kept < end && isDrivePath(start, kept) ? kept + 1 : kept;
}

/** Unless the last segment holds a dot. */
function addTrailingSlash(start: usize, end: usize): usize {
  for (let p = lastSegment(start, end); p < end; p++) if (load<u8>(p) === DOT) return end;
  if (load<u8>(end - 1) === SLASH) return end;
  store<u8>(end, SLASH);
  return end + 1;
}

/** Behind the last `/`. */
function lastSegment(start: usize, end: usize): usize {
  while (end > start && load<u8>(end - 1) !== SLASH) end--;
  return end;
}
