/*
 * The parameters in the query of a ruled URL, between `?`, `&` and `;`.
 *
 * Memory: reads the target of ruled-url.ts, up to 15 bytes after it, and the plan region. The pieces region
 * holds 16 bytes for each parameter: its start (4), the end of its name (4), its end (4) and the hash of its
 * name (4). The last seven bits of the hash are HAS_VALUE and the number of the bit of its value, or 0.
 * Parameters are taken away only there. The target is written without them before an action other than these
 * changes it. Sorting uses the same region, so parameters must be read again after it.
 */
import { ACTION, KIND, NAME, NAMES, TEXT, WHOLE } from "../catalog.generated";
import { piecesStart } from "../memory";
import { address } from "../plan";
import { textStart } from "../tables";
import { AMPERSAND, EQUALS, QUESTION, SEMICOLON } from "../url/chars";
import { sameBytes, writeBytes } from "../url/component";
import { splat } from "../url/sets";
import { matchPath } from "./match";
import { nextTarget, pathEnd, setTarget, targetEnd, targetStart } from "./ruled-url";

const MULTIPLIER: u64 = 0x9e3779b97f4a7c15;
const NAME_BITS: u64 = 59;
const HAS_VALUE: u64 = 64;
const LAST_BITS: u64 = 127;

// What the last readParams read, less the parameters that takeParams has taken since.

/** The number of parameters. */
export let paramCount: i32 = 0;
/** The bits of all names (src/plan/rule-layout.ts). */
export let nameBits: u64 = 0;
/** The bits of all names with their values. */
export let valueBits: u64 = 0;
/** Whether parameters have been taken that are still in the target. */
export let isReduced: bool = false;
/** Whether any query read since beginParams has a `;`. */
export let hasSemicolon: bool = false;

export function paramAt(i: i32): usize {
  return piecesStart + ((<usize>i) << 4);
}

export function paramStart(param: usize): usize {
  return <usize>load<u32>(param);
}

export function nameEnd(param: usize): usize {
  return <usize>load<u32>(param, 4);
}

export function paramEnd(param: usize): usize {
  return <usize>load<u32>(param, 8);
}

/** Reads the parameters of the current query. */
export function readParams(): void {
  paramCount = 0;
  nameBits = 0;
  valueBits = 0;
  isReduced = false;
  if (pathEnd === targetEnd) return;
  const ampersand = splat(AMPERSAND);
  const semicolon = splat(SEMICOLON);
  const equals = splat(EQUALS);
  let start = pathEnd + 1;
  let name: usize = 0;
  for (let p = start; p < targetEnd; p += 16) {
    const block = v128.load(p);
    const ends = v128.or(i8x16.eq(block, ampersand), i8x16.eq(block, semicolon));
    let stops: u32 = i8x16.bitmask(v128.or(ends, i8x16.eq(block, equals)));
    for (; stops !== 0; stops &= stops - 1) {
      const at = p + <usize>ctz(stops);
      if (at >= targetEnd) break;
      if (load<u8>(at) === EQUALS) {
        if (name === 0) name = at;
        continue;
      }
      if (load<u8>(at) === SEMICOLON) hasSemicolon = true;
      addParam(start, name === 0 ? at : name, at);
      start = at + 1;
      name = 0;
    }
  }
  addParam(start, name === 0 ? targetEnd : name, targetEnd);
}

function addParam(start: usize, name: usize, end: usize): void {
  let hash = hashOf(start, name, 0) & ~LAST_BITS;
  if (name < end) hash |= HAS_VALUE | (hashOf(name + 1, end, hash) >> 26);
  addBits(hash);
  const low = <i64>(<u64>start | ((<u64>name) << 32));
  const high = <i64>(<u64>end | (hash << 32));
  v128.store(paramAt(paramCount++), i64x2.replace_lane(i64x2.splat(low), 1, high));
}

/** Begins a URL whose parameters have not been read or taken yet. */
export function beginParams(): void {
  isReduced = false;
  hasSemicolon = false;
  paramCount = 0;
}

/**
 * Takes parameters away; returns whether there were any. `value` points to the text that DROPIF compares, or to a pattern
 * if the action has a mark for that. If it has the mark WHOLE and the query a `;`, no parameter may have been taken since
 * the target was written.
 */
export function takeParams(action: u32, list: usize, value: usize): bool {
  const whole = (action & WHOLE) !== 0;
  action &= ~WHOLE;
  let kept = 0;
  nameBits = 0;
  valueBits = 0;
  for (let i = 0; i < paramCount; i++) {
    const param = paramAt(i);
    if ((!whole || isWhole(param)) && isTaken(param, action, list, value)) continue;
    addBits(<u64>load<u32>(param, 12));
    if (kept < i) v128.store(paramAt(kept), v128.load(param));
    kept++;
  }
  if (kept === paramCount) return false;
  paramCount = kept;
  isReduced = true;
  return true;
}

/** Returns whether no `;` is next to a parameter in the target. */
export function isWhole(param: usize): bool {
  if (!hasSemicolon) return true;
  const end = paramEnd(param);
  const isEnded = end < targetEnd && load<u8>(end) === SEMICOLON;
  return !isEnded && load<u8>(paramStart(param) - 1) !== SEMICOLON;
}

function isTaken(param: usize, action: u32, names: usize, value: usize): bool {
  const isListed = isListedName(param, names);
  if (action === ACTION.KEEP) return !isListed;
  if (!isListed || action === ACTION.DROP) return isListed;
  return action === ACTION.DROPIF ? hasValue(param, value) : hasMatch(param, address(value));
}

/** Returns whether a parameter has a value that a pattern matches from end to end. */
function hasMatch(param: usize, pattern: usize): bool {
  const end = nameEnd(param);
  return end < paramEnd(param) && matchPath(pattern, end + 1, paramEnd(param));
}

/** Writes the target without the parameters that were taken. They must be read again after it. */
export function writeReduced(): void {
  const next = nextTarget();
  const end = writeTarget(next);
  isReduced = false;
  setTarget(next, end);
}

/** Returns whether one parameter is left and it is empty. */
export function isEmptyQuery(): bool {
  return paramCount === 1 && paramStart(piecesStart) === paramEnd(piecesStart);
}

/** Writes path and query. A parameter keeps the separator before it. */
export function writeTarget(out: usize): usize {
  if (!isReduced) return writeBytes(targetStart, targetEnd, out);
  out = writeBytes(targetStart, pathEnd, out);
  for (let i = 0; i < paramCount; i++) {
    const param = paramAt(i);
    if (i === 0) store<u8>(out++, QUESTION);
    out = writeBytes(paramStart(param) - <usize>(i > 0), paramEnd(param), out);
  }
  return out;
}

/** Returns a 32-bit hash of a text, from its length and first eight bytes, and of another hash. */
function hashOf(p: usize, end: usize, other: u64): u64 {
  const length = <u64>(end - p);
  const bytes = load<u64>(p);
  const key = length >= 8 ? bytes : bytes & ~(u64.MAX_VALUE << (length << 3));
  return ((key + length + (other << 32)) * MULTIPLIER) >> 32;
}

/** Adds the bits of a parameter with this hash of its name and value. */
function addBits(hash: u64): void {
  nameBits |= nameBit(hash);
  valueBits |= ((hash & HAS_VALUE) >> 6) << (hash & (HAS_VALUE - 1));
}

function nameBit(hash: u64): u64 {
  return (<u64>1) << (((hash & ~LAST_BITS) * NAME_BITS) >> 32);
}

/** Returns whether a parameter has a name; `name` is the address of its hash and text in the plan. */
export function isNamed(param: usize, name: usize): bool {
  return (
    (load<u32>(param, 12) ^ load<u32>(name, NAME.HASH)) <= <u32>LAST_BITS &&
    isText(paramStart(param), nameEnd(param), name + NAME.TEXT)
  );
}

/** Returns the address of the first name of a list, after their number and their bits. */
export function firstName(names: usize): usize {
  return names + NAMES.BYTES;
}

/** Returns whether a parameter has one of the names in a list. */
export function isListedName(param: usize, names: usize): bool {
  const hash = load<u32>(param, 12);
  if ((load<u64>(names, NAMES.BITS) & nameBit(<u64>hash)) === 0) return false;
  let name = firstName(names);
  const end = name + <usize>load<u32>(names, NAMES.COUNT) * NAME.BYTES;
  // Of four names at a time the hashes, of which the last bits are of the value. What is below these is a kind, not a hash.
  const wanted = i32x4.splat(hash);
  const last = i32x4.splat(<i32>LAST_BITS);
  for (; name + 32 <= end; name += 32) {
    const hashes = v128.shuffle<i32>(v128.load(name), v128.load(name, 16), 0, 2, 4, 6);
    const isNear = i32x4.le_u(v128.xor(hashes, wanted), last);
    if (!v128.any_true(v128.or(isNear, i32x4.le_u(hashes, last)))) continue;
    if (isOneOf(param, name, name + 32)) return true;
  }
  return isOneOf(param, name, end);
}

/** Returns whether a parameter has one of the names from `name` to `end`. */
function isOneOf(param: usize, name: usize, end: usize): bool {
  for (; name < end; name += NAME.BYTES) {
    const kind = load<u32>(name, NAME.HASH);
    const isOther = kind === KIND.PREFIX || kind === KIND.SUFFIX;
    if (isOther ? isNamedLike(param, kind, address(name + NAME.TEXT)) : isNamed(param, name))
      return true;
  }
  return false;
}

/** Returns whether the name of a parameter begins or ends with a text. */
function isNamedLike(param: usize, kind: u32, text: usize): bool {
  const start = paramStart(param);
  const end = nameEnd(param);
  const length = <usize>load<u32>(text, TEXT.LENGTH);
  if (end - start < length) return false;
  return sameBytes(kind === KIND.PREFIX ? start : end - length, textStart(text), length);
}

/** Returns whether a parameter has a value equal to the text that the word at `text` points to. */
export function hasValue(param: usize, text: usize): bool {
  const end = nameEnd(param);
  return end < paramEnd(param) && isText(end + 1, paramEnd(param), text);
}

function isText(p: usize, end: usize, pointer: usize): bool {
  const text = address(pointer);
  const length = end - p;
  return length === <usize>load<u32>(text, TEXT.LENGTH) && sameBytes(p, textStart(text), length);
}

/** Returns whether some parameter comes after one with a larger name, compared by bytes. */
export function isUnsorted(): bool {
  for (let i = 1; i < paramCount; i++) {
    const param = paramAt(i);
    const before = paramAt(i - 1);
    const length = nameEnd(param) - paramStart(param);
    const lengthBefore = nameEnd(before) - paramStart(before);
    const shared = min(length, lengthBefore);
    const order = memory.compare(paramStart(before), paramStart(param), shared);
    if (order > 0 || (order === 0 && lengthBefore > length)) return true;
  }
  return false;
}

/** Returns the `&` or `;` from `p` on, or the end of the query. */
export function findSeparator(p: usize): usize {
  while (p < targetEnd && load<u8>(p) !== AMPERSAND && load<u8>(p) !== SEMICOLON) p++;
  return p;
}
