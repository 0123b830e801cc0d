/*
 * The actions of rules on the URL of ruled-url.ts, each as src/site-rules/rule.ts describes it.
 *
 * Memory: reads the target, from which no parameter has been taken, its parameters (params.ts) and the plan
 * region. Writes the next target, and pieces if it sorts.
 */
import { ACTION } from "../catalog.generated";
import { LONGEST_RULED } from "../memory";
import { addPiece, beginPieces, pieceEnd, pieceStart } from "../options/param-slices";
import { addTrailingSlash } from "../options/path";
import { sortPieces } from "../options/sort-pieces";
import { address } from "../plan";
import { textEnd, textStart } from "../tables";
import { EQUALS, PERCENT, QUESTION, SLASH, toLower } from "../url/chars";
import { find, sameBytes, writeBytes } from "../url/component";
import { findText, firstText, matchAt, matchPath, writeTemplate } from "./match";
import {
  findSeparator,
  firstName,
  isNamed,
  nameEnd,
  paramAt,
  paramCount,
  paramEnd,
  paramStart,
} from "./params";
import {
  nextTarget,
  pathEnd,
  ruledLength,
  setHttps,
  setPath,
  setSite,
  setTarget,
  targetEnd,
  targetStart,
} from "./ruled-url";
import { unwrap } from "./unwrap";

/** Whether the last action would have made the URL longer than allowed, and so did nothing. */
export let isTooLong: bool = false;

/**
 * Does an action with a number of SET or above. `subject` and `object` are the addresses of the words after
 * the action. Returns whether that changed the URL, which may have up to `longest` bytes.
 */
export function act(action: u32, subject: usize, object: usize, longest: usize): bool {
  isTooLong = false;
  switch (action) {
    case ACTION.SET:
      return setValue(address(subject), object, longest);
    case ACTION.SORT:
      return sortParams();
    case ACTION.SUB:
      return substitute(address(subject), address(object));
    case ACTION.PATH:
      return replacePath(address(subject), address(object));
    case ACTION.CUT:
      return cutSegment(address(subject));
    case ACTION.LOWER:
      return lowerPath();
    case ACTION.HOST:
      setSite(textStart(address(subject)), textEnd(address(subject)));
      return true;
    case ACTION.SCHEME:
      setHttps();
      return true;
    case ACTION.SINK:
      return sink(address(subject));
    case ACTION.UNWRAP:
      return unwrap(address(subject), longest);
    default:
      return addSlash(longest);
  }
}

/** Writes what comes before the parameters: the path and `?`. */
function beginQuery(out: usize): usize {
  out = writeBytes(targetStart, pathEnd, out);
  store<u8>(out, QUESTION);
  return out + 1;
}

function setValue(names: usize, pointer: usize, longest: usize): bool {
  const name = firstName(names);
  const value = textStart(address(pointer));
  const length = textEnd(address(pointer)) - value;
  const room = longest - (ruledLength() - (targetEnd - targetStart));
  const next = nextTarget();
  let out = beginQuery(next);
  for (let i = 0; i < paramCount; i++) {
    const param = paramAt(i);
    const start = paramStart(param) - <usize>(i > 0);
    const isSet = isNamed(param, name);
    const end = isSet ? nameEnd(param) : paramEnd(param);
    isTooLong = out - next + (end - start) + (isSet ? 1 + length : 0) > room;
    if (isTooLong) return false;
    out = writeBytes(start, end, out);
    if (!isSet) continue;
    store<u8>(out++, EQUALS);
    out = writeBytes(value, value + length, out);
  }
  return setTarget(next, out);
}

/** Sorts parameters by name; equal names keep their order, and separators keep their places. */
function sortParams(): bool {
  const count = paramCount;
  beginPieces(false, false);
  for (let i = 0; i < count; i++) {
    // The piece goes to the place of this parameter.
    const param = paramAt(i);
    addPiece(paramStart(param), nameEnd(param), paramEnd(param));
  }
  sortPieces();
  const next = nextTarget();
  let out = beginQuery(next);
  let separator = pathEnd;
  for (let i = 0; i < count; i++) {
    if (i > 0) {
      separator = findSeparator(separator + 1);
      store<u8>(out++, load<u8>(separator));
    }
    out = writeBytes(pieceStart(i), pieceEnd(i), out);
  }
  return setTarget(next, out);
}

function substitute(pattern: usize, template: usize): bool {
  const text = firstText(pattern);
  let at = findText(text, targetStart, targetEnd);
  if (at === 0) return false;
  const next = nextTarget();
  let out = next;
  let kept = targetStart;
  while (at !== 0) {
    const stop = matchAt(pattern, at, targetStart, targetEnd);
    if (stop !== 0) {
      out = writeTemplate(template, writeBytes(kept, at, out));
      kept = stop;
    }
    at = findText(text, stop === 0 ? at + 1 : stop, targetEnd);
  }
  return kept !== targetStart && setTarget(next, writeBytes(kept, targetEnd, out));
}

function replacePath(pattern: usize, template: usize): bool {
  if (!matchPath(pattern, targetStart, pathEnd)) return false;
  const next = nextTarget();
  return setPath(next, writeTemplate(template, next));
}

/** Removes the segments equal to the text, each with the `/` before it. The path stays at least `/`. */
function cutSegment(text: usize): bool {
  const length = textEnd(text) - textStart(text);
  const next = nextTarget();
  let out = next;
  for (let p = targetStart; p < pathEnd; ) {
    const end = find(p + 1, pathEnd, SLASH);
    const isCut = end - p - 1 === length && sameBytes(p + 1, textStart(text), length);
    if (!isCut) out = writeBytes(p, end, out);
    p = end;
  }
  if (out === next) store<u8>(out++, SLASH);
  return setPath(next, out);
}

/** Writes the path in lower case, but not its triplets. */
function lowerPath(): bool {
  const next = nextTarget();
  let out = next;
  for (let p = targetStart; p < pathEnd; ) {
    const byte = load<u8>(p);
    if (byte === PERCENT) {
      const end = min(p + 3, pathEnd);
      out = writeBytes(p, end, out);
      p = end;
    } else {
      store<u8>(out++, toLower(byte));
      p++;
    }
  }
  return setPath(next, out);
}

/** Adds a slash at the end of the path unless the last segment holds a dot. */
function addSlash(longest: usize): bool {
  const next = nextTarget();
  const end = next + (pathEnd - targetStart);
  // Both targets have room for one byte more than the longest URL.
  const out = addTrailingSlash(next, writeBytes(targetStart, pathEnd, next));
  isTooLong = out !== end && ruledLength() === longest;
  return !isTooLong && out !== end && setPath(next, out);
}

function sink(text: usize): bool {
  isTooLong = textEnd(text) - textStart(text) > LONGEST_RULED;
  return !isTooLong && setTarget(textStart(text), textEnd(text));
}
