/*
 * Memory: reads a query between the pointers it is given, and writes it at `out`. Works in `normal`, and in the pieces
 * region.
 */

import { normalStart } from "../memory";
import {
  addPiece,
  beginPieces,
  isSorted,
  pieceCount,
  pieceEnd,
  pieceStart,
} from "../options/param-slices";
import { sortPieces } from "../options/sort-pieces";
import { AMPERSAND, EQUALS, isAlpha, isDigit } from "../url/chars";
import { find, writeBytes } from "../url/component";
import { splat } from "../url/sets";
import { hasPercent, unescapeRepeatedly, writeEscaped } from "./escapes";

/** Digits and letters of a session id. */
const ID: usize = 32;
/** Letters of ASP's session id, and of the name that it has after `aspsessionid`. */
const ASP_ID: usize = 24;
const ASP_NAME: usize = 8;
const LOWER_I: u8 = 0x69;
const LOWER_D: u8 = 0x64;

/** Writes the query of a key, without the `?`. It may be empty. */
export function writeQuery(p: usize, end: usize, out: usize): usize {
  if (hasPercent(p, end)) {
    end = unescapeRepeatedly(p, end, normalStart);
    p = normalStart;
  }
  let stop = writeEscaped(p, end, out);
  // Every name of a session id has these letters.
  if (hasLettersId(out, stop)) stop = removeSessions(out, stop);
  return find(out, stop, AMPERSAND) === stop ? stop : sort(out, stop);
}

function hasLettersId(p: usize, end: usize): bool {
  const i = splat(LOWER_I);
  const d = splat(LOWER_D);
  for (; p < end; p += 16) {
    const pairs = v128.and(i8x16.eq(v128.load(p), i), i8x16.eq(v128.load(p, 1), d));
    const lanes: u32 = i8x16.bitmask(pairs);
    if (lanes !== 0) return p + <usize>ctz(lanes) < end;
  }
  return false;
}

/** Removes, in place, the last session id of each kind, and the `&` after it. */
function removeSessions(start: usize, end: usize): usize {
  end = removeSession(start, end, "jsessionid=");
  end = removeSession(start, end, "phpsessid=");
  end = removeSession(start, end, "sid=");
  return removeColdFusion(start, removeAspSession(start, end));
}

/** Removes the last session id that ends a parameter. Its name may be the end of another one. */
function removeSession(start: usize, end: usize, name: string): usize {
  const length = <usize>name.length + ID;
  for (let stop = end; stop - start >= length; stop = paramStart(start, stop) - 1) {
    const from = stop - length;
    if (isText(from, name) && isId(stop - ID, stop, true)) return cut(from, stop, end);
    if (paramStart(start, stop) === start) break;
  }
  return end;
}

/** Does the same for `aspsessionid`, eight letters of the name, `=` and the id. */
function removeAspSession(start: usize, end: usize): usize {
  const name = "aspsessionid";
  const length = <usize>name.length + ASP_NAME + 1 + ASP_ID;
  for (let stop = end; stop - start >= length; stop = paramStart(start, stop) - 1) {
    const from = stop - length;
    const equals = stop - ASP_ID - 1;
    const isNamed = isText(from, name) && load<u8>(equals) === EQUALS;
    if (isNamed && isId(equals - ASP_NAME, equals, false) && isId(equals + 1, stop, false)) {
      return cut(from, stop, end);
    }
    if (paramStart(start, stop) === start) break;
  }
  return end;
}

/** Removes the last `cfid=…&cftoken=…`. */
function removeColdFusion(start: usize, end: usize): usize {
  const name = "cfid=";
  const other = "cftoken=";
  let next = paramStart(start, end);
  let nextEnd = end;
  while (next > start) {
    const stop = next - 1;
    const param = paramStart(start, stop);
    if (nextEnd - next > <usize>other.length && isText(next, other)) {
      // A value of one byte at least comes after the name.
      for (let at = stop - min<usize>(<usize>name.length + 1, stop - param); at >= param; at--) {
        if (stop - at > <usize>name.length && isText(at, name)) return cut(at, nextEnd, end);
      }
    }
    next = param;
    nextEnd = stop;
  }
  return end;
}

/** Returns where the parameter that ends at `stop` begins. */
function paramStart(start: usize, stop: usize): usize {
  while (stop > start && load<u8>(stop - 1) !== AMPERSAND) stop--;
  return stop;
}

/** Removes `[from, stop)` from a query that ends at `end`, with the `&` after it. Returns the new end. */
function cut(from: usize, stop: usize, end: usize): usize {
  const next = min(stop + 1, end);
  memory.copy(from, next, end - next);
  return from + (end - next);
}

function isText(p: usize, text: string): bool {
  for (let i = 0; i < text.length; i++) {
    if (load<u8>(p + <usize>i) !== <u8>text.charCodeAt(i)) return false;
  }
  return true;
}

/** Returns whether all bytes are letters, or digits if they may be. */
function isId(p: usize, end: usize, digits: bool): bool {
  for (; p < end; p++) if (!isAlpha(load<u8>(p)) && !(digits && isDigit(load<u8>(p)))) return false;
  return true;
}

/** Sorts parameters by name and value, in place; one without `=` comes before one with an empty value. */
function sort(start: usize, end: usize): usize {
  addParams(start, end);
  if (isSorted()) return end;
  addParams(normalStart, writeBytes(start, end, normalStart));
  sortPieces();
  let out = start;
  for (let i = 0; i < pieceCount; i++) {
    if (i > 0) store<u8>(out++, AMPERSAND);
    out = writeBytes(pieceStart(i), pieceEnd(i), out);
  }
  return out;
}

function addParams(p: usize, end: usize): void {
  beginPieces(true, false);
  while (true) {
    const stop = find(p, end, AMPERSAND);
    addPiece(p, find(p, stop, EQUALS), stop);
    if (stop === end) return;
    p = stop + 1;
  }
}
