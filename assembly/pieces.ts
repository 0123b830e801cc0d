/*
 * Memory: the pieces region, two addresses a piece: the start and the end of a parameter. Sorting is
 * in place; pieces that compare equal keep the order of their addresses.
 */
import { find } from "./component";
import { piecesStart } from "./memory";

export const AMPERSAND: u8 = 0x26;
export const EQUALS: u8 = 0x3d;

/** Below this, insertion beats a heap. */
const FEW: i32 = 16;

export let pieceCount: i32 = 0;

/** How the pieces are compared: also by value, and whether one without `=` counts as having one. */
let byValue: bool = false;
let equalsAdded: bool = false;

export function pieceStart(i: i32): usize {
  return load<usize>(piecesStart + ((<usize>i) << 3));
}

export function pieceEnd(i: i32): usize {
  return load<usize>(piecesStart + ((<usize>i) << 3), 4);
}

function setPiece(i: i32, piece: u64): void {
  store<u64>(piecesStart + ((<usize>i) << 3), piece);
}

function getPiece(i: i32): u64 {
  return load<u64>(piecesStart + ((<usize>i) << 3));
}

export function beginPieces(): void {
  pieceCount = 0;
}

export function addPiece(start: usize, end: usize): void {
  setPiece(pieceCount++, ((<u64>end) << 32) | <u64>start);
}

/** Removes the pieces a predicate picks. */
export function removePieces(picks: (start: usize, end: usize) => bool): void {
  let kept = 0;
  for (let i = 0; i < pieceCount; i++) {
    if (!picks(pieceStart(i), pieceEnd(i))) setPiece(kept++, getPiece(i));
  }
  pieceCount = kept;
}

/** Sorts by name, bytewise, or by name and value; O(n log n) comparisons. */
export function sortPieces(withValues: bool, addEquals: bool): void {
  byValue = withValues;
  equalsAdded = addEquals;
  if (isSorted()) return;
  if (pieceCount <= FEW) insertionSort();
  else heapSort();
}

function isSorted(): bool {
  for (let i = 1; i < pieceCount; i++) if (isBefore(getPiece(i), getPiece(i - 1))) return false;
  return true;
}

function insertionSort(): void {
  for (let i = 1; i < pieceCount; i++) {
    const piece = getPiece(i);
    let at = i;
    for (; at > 0 && isBefore(piece, getPiece(at - 1)); at--) setPiece(at, getPiece(at - 1));
    setPiece(at, piece);
  }
}

function heapSort(): void {
  for (let i = (pieceCount >> 1) - 1; i >= 0; i--) sift(i, pieceCount);
  for (let last = pieceCount - 1; last > 0; last--) {
    const largest = getPiece(0);
    setPiece(0, getPiece(last));
    setPiece(last, largest);
    sift(0, last);
  }
}

function sift(root: i32, count: i32): void {
  const piece = getPiece(root);
  while (true) {
    let child = 2 * root + 1;
    if (child >= count) break;
    if (child + 1 < count && isBefore(getPiece(child), getPiece(child + 1))) child++;
    if (!isBefore(piece, getPiece(child))) break;
    setPiece(root, getPiece(child));
    root = child;
  }
  setPiece(root, piece);
}

function isBefore(a: u64, b: u64): bool {
  const order = compare(
    <usize>(a & 0xffffffff),
    <usize>(a >> 32),
    <usize>(b & 0xffffffff),
    <usize>(b >> 32),
  );
  return order === 0 ? <u32>a < <u32>b : order < 0;
}

/** Names first; then, where asked to, what follows them: no `=`, then values. */
function compare(a: usize, aEnd: usize, b: usize, bEnd: usize): i32 {
  const aName = find(a, aEnd, EQUALS);
  const bName = find(b, bEnd, EQUALS);
  const order = compareBytes(a, aName, b, bName);
  if (order !== 0 || !byValue) return order;
  const aValue = min(aName + 1, aEnd);
  const bValue = min(bName + 1, bEnd);
  const values = compareBytes(aValue, aEnd, bValue, bEnd);
  // An empty piece gets no `=`, so it stays apart from `=`.
  if (values !== 0 || (equalsAdded && aName > a)) return values;
  return <i32>(aName < aEnd) - <i32>(bName < bEnd);
}

function compareBytes(a: usize, aEnd: usize, b: usize, bEnd: usize): i32 {
  const aLength = aEnd - a;
  const bLength = bEnd - b;
  const order = memory.compare(a, b, min(aLength, bLength));
  return order !== 0 ? order : <i32>aLength - <i32>bLength;
}
