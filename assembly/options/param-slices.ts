/*
 * The parameters of one query, and how they compare; sort-pieces.ts sorts them.
 * Memory: the pieces region, 16 bytes for each parameter: key (8), start (4), end (4). The key is the first
 * eight bytes of the name as a number that sorts as these bytes do, but while repeated.ts numbers names.
 */

import { piecesStart } from "../memory";
import { EQUALS, toLower } from "../url/chars";
import { find, lowered } from "../url/component";

/** Bytes of a name in its key. */
const KEY: usize = 8;

export let pieceCount: i32 = 0;
/**
 * The address of the first piece: the start of the pieces region, or another place in it after pieces were
 * ranked.
 */
let firstPiece: usize = 0;

/** How pieces are sorted: whether by value too, and whether a piece without `=` counts as having one. */
let sortsByValue: bool = false;
let equalsAdded: bool = false;
/**
 * How pieces are compared now: whether by value too, and whether without the ASCII case of names. repeated.ts compares them
 * in its own way.
 */
let byValue: bool = false;
let foldsCase: bool = false;

/** Returns the address of a piece. */
export function pieceAt(i: i32): usize {
  return firstPiece + ((<usize>i) << 4);
}

export function pieceStart(i: i32): usize {
  return <usize>load<u32>(pieceAt(i), 8);
}

export function pieceEnd(i: i32): usize {
  return <usize>load<u32>(pieceAt(i), 12);
}

/** Begins with no pieces. They will be compared by the bytes of their names, or by name and value. */
export function beginPieces(withValues: bool, addEquals: bool): void {
  firstPiece = piecesStart;
  pieceCount = 0;
  sortsByValue = withValues;
  byValue = withValues;
  equalsAdded = addEquals;
}

export function addPiece(start: usize, nameEnd: usize, end: usize): void {
  storePiece(pieceAt(pieceCount++), nameKey(start, nameEnd), start, end);
}

/**
 * Stores the piece `[start, end)` at an address that nextPiece returned; `key` is the nameKey of its name.
 */
export function storePiece(at: usize, key: u64, start: usize, end: usize): void {
  // One store: a load of both fields could not take its value from two stores before it.
  const place = <i64>(<u64>start | ((<u64>end) << 32));
  v128.store(at, i64x2.replace_lane(i64x2.splat(<i64>key), 1, place));
}

/** Returns where to store the next piece; each takes 16 bytes. */
export function nextPiece(): usize {
  return pieceAt(pieceCount);
}

/** Adds the pieces that have been stored up to `end`. */
export function addStoredPieces(end: usize): void {
  pieceCount = <i32>((end - pieceAt(0)) >> 4);
}

/** Masks that keep the first 0 to BLOCK bytes of a big-endian word of KEY bytes. */
const FIRST_BYTES: usize = memory.data(136, 16);
/** The lanes of a word's bytes in reverse order. */
const BACKWARDS: usize = memory.data(16, 16);
/** Bytes of a name that keyOf is given, at most. */
const BLOCK: usize = 16;

for (let bytes: usize = 1; bytes <= BLOCK; bytes++) {
  const others = KEY - min<usize>(bytes, KEY);
  store<u64>(FIRST_BYTES + (bytes << 3), u64.MAX_VALUE << ((<u64>others) << 3));
}
store<u64>(BACKWARDS, 0x0001020304050607);

/** Returns the first eight bytes of a name, big-endian, with zeros after a shorter name. */
export function nameKey(p: usize, end: usize): u64 {
  return keyOf(v128.load(p), min<usize>(end - p, BLOCK));
}

/**
 * Returns the nameKey of a name of `length` bytes, up to BLOCK, which begins at the first byte of the block.
 */
export function keyOf(block: v128, length: usize): u64 {
  const swapped = i8x16.swizzle(block, v128.load(BACKWARDS));
  return <u64>i64x2.extract_lane(swapped, 0) & load<u64>(FIRST_BYTES + (length << 3));
}

/** Returns the key of the piece added last; 0 if there are no pieces. */
export function lastKey(): u64 {
  return pieceCount === 0 ? 0 : load<u64>(pieceAt(pieceCount - 1));
}

/** Removes the pieces that a predicate picks. */
export function removePieces(picks: (start: usize, end: usize) => bool): void {
  let kept = 0;
  for (let i = 0; i < pieceCount; i++) {
    if (!picks(pieceStart(i), pieceEnd(i))) v128.store(pieceAt(kept++), v128.load(pieceAt(i)));
  }
  pieceCount = kept;
}

/** Puts one piece in the place of another. */
export function movePiece(from: i32, to: i32): void {
  v128.store(pieceAt(to), v128.load(pieceAt(from)));
}

/** Sets where in the pieces region the pieces are now. */
export function movePieces(to: usize): void {
  firstPiece = to;
}

export function setPieceCount(count: i32): void {
  pieceCount = count;
}

/**
 * Restores the keys of pieces that were sorted by something else. Pieces are again compared as beginPieces
 * was told.
 */
export function restoreKeys(): void {
  for (let at = pieceAt(0); at < pieceAt(pieceCount); at += 16) {
    const start = <usize>load<u32>(at, 8);
    store<u64>(at, nameKey(start, find(start, <usize>load<u32>(at, 12), EQUALS)));
  }
  byValue = sortsByValue;
  foldsCase = false;
}

/** Makes later comparisons use the name, and the value if asked to. */
export function compareBy(ignoresCase: bool, withValues: bool): void {
  byValue = withValues;
  foldsCase = ignoresCase;
  if (!ignoresCase) return;
  for (let at = pieceAt(0); at < pieceAt(pieceCount); at += 16) {
    store<u64>(at, <u64>i64x2.extract_lane(lowered(v128.load64_zero(at)), 0));
  }
}

/** Returns whether two pieces are equal, under the current comparison. */
export function areEqual(i: i32, j: i32): bool {
  return comparePieces(pieceAt(i), pieceAt(j)) === 0;
}

/** Returns whether the piece added last is in order. */
export function isLastInOrder(): bool {
  return pieceCount < 2 || !isBefore(pieceAt(pieceCount - 1), pieceAt(pieceCount - 2));
}

/** Returns whether the only piece is an empty one. */
export function isOnlyEmpty(): bool {
  return pieceCount === 1 && pieceStart(0) === pieceEnd(0);
}

/** Returns whether the pieces are in order already. */
export function isSorted(): bool {
  for (let i = 1; i < pieceCount; i++) if (isBefore(pieceAt(i), pieceAt(i - 1))) return false;
  return true;
}

/** Returns whether the piece at address `a` sorts before the piece at `b`. */
export function isBefore(a: usize, b: usize): bool {
  const keyA = load<u64>(a);
  const keyB = load<u64>(b);
  return keyA === keyB ? isBeforeOfSameKey(a, b) : keyA < keyB;
}

function isBeforeOfSameKey(a: usize, b: usize): bool {
  // The key of a name of fewer than eight bytes holds the whole name.
  const isSame = !byValue && <u8>load<u64>(a) === 0;
  const order = isSame ? 0 : comparePieces(a, b);
  return order === 0 ? load<u32>(a, 8) < load<u32>(b, 8) : order < 0;
}

function comparePieces(a: usize, b: usize): i32 {
  const startA = <usize>load<u32>(a, 8);
  const startB = <usize>load<u32>(b, 8);
  return compare(startA, <usize>load<u32>(a, 12), startB, <usize>load<u32>(b, 12));
}

/**
 * Compares names first. If asked to, then compares values, where a piece without `=` comes before an empty
 * value.
 */
function compare(a: usize, aEnd: usize, b: usize, bEnd: usize): i32 {
  const aName = find(a, aEnd, EQUALS);
  const bName = find(b, bEnd, EQUALS);
  const order = foldsCase ? compareFolded(a, aName, b, bName) : compareBytes(a, aName, b, bName);
  if (order !== 0 || !byValue) return order;
  const aValue = min(aName + 1, aEnd);
  const bValue = min(bName + 1, bEnd);
  const values = compareBytes(aValue, aEnd, bValue, bEnd);
  // An empty piece gets no `=`, so it does not equal the piece `=`.
  if (values !== 0 || (equalsAdded && aName > a)) return values;
  return <i32>(aName < aEnd) - <i32>(bName < bEnd);
}

/**
 * Compares bytes. Returns a number below, equal to or above 0 if the first sorts before, with or after the
 * second.
 */
function compareBytes(a: usize, aEnd: usize, b: usize, bEnd: usize): i32 {
  const aLength = aEnd - a;
  const bLength = bEnd - b;
  const length = min(aLength, bLength);
  for (let at: usize = 0; at < length; at += 16) {
    const lanes: u32 = i8x16.bitmask(i8x16.ne(v128.load(a + at), v128.load(b + at)));
    if (lanes === 0) continue;
    const other = at + <usize>ctz(lanes);
    if (other < length) return <i32>load<u8>(a + other) - <i32>load<u8>(b + other);
    break;
  }
  return <i32>aLength - <i32>bLength;
}

/** Compares bytes as compareBytes does, with ASCII letters in lower case. */
function compareFolded(a: usize, aEnd: usize, b: usize, bEnd: usize): i32 {
  const length = min(aEnd - a, bEnd - b);
  for (let at: usize = 0; at < length; at++) {
    const order = <i32>toLower(load<u8>(a + at)) - <i32>toLower(load<u8>(b + at));
    if (order !== 0) return order;
  }
  return <i32>(aEnd - a) - <i32>(bEnd - b);
}
