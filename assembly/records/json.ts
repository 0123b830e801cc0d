/*
 * JSON lines and CDXJ: each row is validated whole (RFC 8259, in UTF-8). A row that is not certain to be an object
 * with the URL as a plain string, or without it, is UNCLEAR.
 *
 * A path leads through objects and arrays. A value is on the path if all steps up to it match. Its `step` is then the
 * number of these steps, else OFF.
 */

import { BACKSLASH, BRACE, CR, LF, lineFeed, QUOTE, SPACE, sameBytes, TAB } from "./bytes";
import { endInput, inputStart, namesStart } from "./memory";
import { addRow, areFull, beginRows, endRows, MISSING, UNCLEAR, URL } from "./rows";

/** The step of a value that is not on the path. */
const OFF: i32 = -1;
/** Limits the depth of a row that is read here. */
const MAX_DEPTH: i32 = 100;
/** What a function returns if the host must read the row. No address is 0. */
const FAILED: usize = 0;

/** The number of steps of the path. */
let steps: i32 = 0;
/** The URL of the row, or 0 if it was not found. */
let urlFrom: usize = 0;
let urlTo: usize = 0;
/** Says whether the last string has an escape. */
let hasEscape: bool = false;

/** Reads the path: `count` steps, each its length and its bytes, from `names` on. */
export function setPath(count: i32): void {
  steps = count;
}

/**
 * Scans the rows in the first `length` bytes of the input, from `begin` on. `isCapture`: whether a SURT and a
 * timestamp come before each object (CDXJ). Returns the number of rows.
 */
export function scanJson(begin: i32, length: i32, isCapture: bool): i32 {
  const end = inputStart + <usize>length;
  let p = inputStart + <usize>begin;
  endInput(end);
  beginRows();
  while (p < end && !areFull()) {
    urlFrom = 0;
    const open = isCapture ? captureObject(p) : p;
    const after = open === FAILED ? FAILED : afterRow(open);
    const isClear = after !== FAILED && after < end;
    const next = min<usize>(end, (isClear ? after : lineFeed(p)) + 1);
    if (!isClear) addRow(p, UNCLEAR, p, p);
    else if (urlFrom === 0) addRow(p, MISSING, p, p);
    else addRow(p, URL, urlFrom, urlTo);
    p = next;
  }
  return endRows(p);
}

/** Returns where the object of a capture begins: after two or three spaces, and before a brace. */
function captureObject(start: usize): usize {
  const first = load<u8>(start);
  if (first === SPACE || first === 0x21 || first === 0x40) return FAILED; // ! and @ begin a header
  let spaces = 0;
  let p = start;
  while (true) {
    const byte = load<u8>(p++);
    if (byte === LF) return FAILED;
    if (byte !== SPACE) continue;
    spaces++;
    if (load<u8>(p) !== BRACE) continue;
    return spaces === 2 || spaces === 3 ? p : FAILED;
  }
}

/** Returns the LF after a row that has an object and white space. */
function afterRow(start: usize): usize {
  const open = afterSpace(start);
  if (load<u8>(open) !== BRACE) return FAILED;
  const close = afterObject(open, steps === 0 ? OFF : 0, 0);
  if (close === FAILED) return FAILED;
  const p = afterSpace(close);
  return load<u8>(p) === LF ? p : FAILED;
}

/** Passes white space, but not LF, which ends the row. */
function afterSpace(p: usize): usize {
  while (true) {
    const byte = load<u8>(p);
    if (byte !== SPACE && byte !== TAB && byte !== CR) return p;
    p++;
  }
}

/** Passes a value. */
function afterValue(p: usize, step: i32, depth: i32): usize {
  const byte = load<u8>(p);
  if (step === steps) return byte === QUOTE ? afterUrl(p) : FAILED;
  if (byte === QUOTE) return step > 0 ? FAILED : afterString(p + 1);
  if (depth === MAX_DEPTH) return FAILED;
  if (byte === BRACE) return afterObject(p, step, depth);
  if (byte === 0x5b) return afterArray(p, step, depth);
  if (step > 0) return FAILED; // a path that leads through a text or number: the record lacks its URL
  if (byte === 0x74) return afterWord(p, 0x65757274); // true
  if (byte === 0x6e) return afterWord(p, 0x6c6c756e); // null
  if (byte === 0x66) return afterWord(p + 1, 0x65736c61); // false
  return afterNumber(p);
}

function afterWord(p: usize, word: u32): usize {
  return load<u32>(p) === word ? p + 4 : FAILED;
}

/** Passes the string of the URL. */
function afterUrl(p: usize): usize {
  const after = afterString(p + 1);
  if (after === FAILED || hasEscape) return FAILED;
  urlFrom = p + 1;
  urlTo = after - 1;
  return after;
}

function afterObject(open: usize, step: i32, depth: i32): usize {
  let p = afterSpace(open + 1);
  if (load<u8>(p) === 0x7d) return p + 1;
  let isMet = false;
  while (true) {
    if (load<u8>(p) !== QUOTE) return FAILED;
    const name = p + 1;
    p = afterString(name);
    if (p === FAILED) return FAILED;
    let next = OFF;
    if (step >= 0) {
      next = stepAfter(name, p - 1, step);
      if (next === UNSURE || (next !== OFF && isMet)) return FAILED;
      if (next !== OFF) isMet = true;
    }
    p = afterSpace(p);
    if (load<u8>(p) !== 0x3a) return FAILED;
    p = afterValue(afterSpace(p + 1), next, depth + 1);
    if (p === FAILED) return FAILED;
    p = afterSpace(p);
    const byte = load<u8>(p);
    if (byte === 0x7d) return p + 1;
    if (byte !== 0x2c) return FAILED;
    p = afterSpace(p + 1);
  }
}

function afterArray(open: usize, step: i32, depth: i32): usize {
  let p = afterSpace(open + 1);
  if (load<u8>(p) === 0x5d) return p + 1;
  const wanted = step >= 0 ? elementOf(step) : OFF;
  let element = 0;
  while (true) {
    p = afterValue(p, element === wanted ? step + 1 : OFF, depth + 1);
    if (p === FAILED) return FAILED;
    p = afterSpace(p);
    const byte = load<u8>(p);
    if (byte === 0x5d) return p + 1;
    if (byte !== 0x2c) return FAILED;
    p = afterSpace(p + 1);
    element++;
  }
}

/** The answer for a name that may match several steps, or is written with escapes. */
const UNSURE: i32 = -2;

/** Returns the step of a member's value, from its name in an object on the path. */
function stepAfter(name: usize, nameEnd: usize, step: i32): i32 {
  if (hasEscape) return UNSURE;
  const at = nameAt(step);
  const length = <usize>load<i32>(at);
  const written = nameEnd - name;
  if (written < length || !sameBytes(name, at + 4, length)) return OFF;
  if (written === length) return step + 1;
  // A name with dots can be several steps.
  return step + 1 < steps && load<u8>(name + length) === 0x2e ? UNSURE : OFF;
}

/** Returns the address of a step. */
function nameAt(step: i32): usize {
  let at = namesStart;
  for (let before = 0; before < step; before++) at += 4 + <usize>load<i32>(at);
  return at;
}

/** Returns the number of the element that a step names, or OFF. */
function elementOf(step: i32): i32 {
  const at = nameAt(step);
  const length = load<i32>(at);
  const isZero = length === 1 && load<u8>(at, 4) === 0x30;
  if (length < 1 || length > 9 || (load<u8>(at, 4) === 0x30 && !isZero)) return OFF;
  let number = 0;
  for (let digit = 0; digit < length; digit++) {
    const value = <i32>load<u8>(at + 4 + <usize>digit) - 0x30;
    if (value < 0 || value > 9) return OFF;
    number = 10 * number + value;
  }
  return number;
}

/** Passes a string from its first byte to after its quote. Checks its escapes and its UTF-8. */
function afterString(p: usize): usize {
  const quote = i8x16.splat(QUOTE);
  const backslash = i8x16.splat(BACKSLASH);
  const space = i8x16.splat(SPACE);
  hasEscape = false;
  while (true) {
    const block = v128.load(p);
    // As signed numbers, bytes of 0x80 and above are below a space, too.
    const special = v128.or(
      v128.or(i8x16.eq(block, quote), i8x16.eq(block, backslash)),
      i8x16.lt_s(block, space),
    );
    const lanes: u32 = i8x16.bitmask(special);
    if (lanes === 0) {
      p += 16;
      continue;
    }
    p += <usize>ctz(lanes);
    let byte = load<u8>(p);
    if (byte === QUOTE) return p + 1;
    if (byte < SPACE) return FAILED;
    if (byte === BACKSLASH) {
      hasEscape = true;
      p = afterEscape(p + 1);
      if (p === FAILED) return FAILED;
      continue;
    }
    do {
      p = afterCharacter(p, byte);
      if (p === FAILED) return FAILED;
      byte = load<u8>(p);
    } while (byte >= 0x80);
  }
}

/** Passes what comes after the backslash of an escape. */
function afterEscape(p: usize): usize {
  const byte = load<u8>(p);
  switch (byte) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return p + 1;
    case 0x75: // u
      for (let digit = 1; digit <= 4; digit++) {
        if (!isHex(load<u8>(p + <usize>digit))) return FAILED;
      }
      return p + 5;
    default:
      return FAILED;
  }
}

function isHex(byte: u8): bool {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}

/** Passes a character of two to four bytes (Unicode, table 3-7). */
function afterCharacter(p: usize, first: u8): usize {
  const second = load<u8>(p, 1);
  if (first < 0xc2 || first > 0xf4) return FAILED;
  if (first < 0xe0) return isNext(second) ? p + 2 : FAILED;
  if (first < 0xf0) {
    const isShortest = first !== 0xe0 || second >= 0xa0;
    const isScalar = first !== 0xed || second < 0xa0;
    return isNext(second) && isShortest && isScalar && isNext(load<u8>(p, 2)) ? p + 3 : FAILED;
  }
  const isShortest = first !== 0xf0 || second >= 0x90;
  const isUnicode = first !== 0xf4 || second < 0x90;
  const isWhole = isNext(second) && isNext(load<u8>(p, 2)) && isNext(load<u8>(p, 3));
  return isWhole && isShortest && isUnicode ? p + 4 : FAILED;
}

function isNext(byte: u8): bool {
  return (byte & 0xc0) === 0x80;
}

function isDigit(byte: u8): bool {
  return byte >= 0x30 && byte <= 0x39;
}

function afterNumber(p: usize): usize {
  if (load<u8>(p) === 0x2d) p++;
  const first = load<u8>(p);
  if (!isDigit(first)) return FAILED;
  p = first === 0x30 ? p + 1 : afterDigits(p);
  if (load<u8>(p) === 0x2e) {
    p++;
    if (!isDigit(load<u8>(p))) return FAILED;
    p = afterDigits(p);
  }
  if ((load<u8>(p) | 0x20) === 0x65) {
    p++;
    const sign = load<u8>(p);
    if (sign === 0x2b || sign === 0x2d) p++;
    if (!isDigit(load<u8>(p))) return FAILED;
    p = afterDigits(p);
  }
  return p;
}

function afterDigits(p: usize): usize {
  while (isDigit(load<u8>(p))) p++;
  return p;
}
