/*
 * Sorts the parameters of one query (param-slices.ts).
 * Memory: the pieces region. Pieces that compare equal keep the order of their addresses. Up to MANY pieces
 * are sorted into another part of the region, after the pieces and 576 bytes of counts.
 */

import { isBefore, isSorted, movePieces, pieceAt, pieceCount } from "./param-slices";

/**
 * Up to FEW pieces, insertion alone is fastest. Up to MANY, insertion after ranking is. Beyond, a heap is.
 */
const FEW: i32 = 2;
const MANY: i32 = 64;
/** Four bytes that sort after the head of any name. */
const NO_HEAD: i32 = i32.MAX_VALUE;
/** Bytes of MANY heads with their padding. */
const RANKS: usize = ((<usize>MANY) << 2) + 32;

/** Sorts the pieces with O(n log n) comparisons. */
export function sortPieces(): void {
  if (pieceCount > MANY) {
    if (!isSorted()) heapSort();
  } else if (pieceCount <= FEW || rank()) insertionSort();
}

/**
 * Ranks up to MANY pieces by their heads, the first four bytes of their names. For eight pieces at a time it
 * counts the heads below each, without a branch that depends on them. Pieces with equal heads keep their
 * order. Returns whether there are equal heads.
 *
 *   lanes   0   1   2   3
 *   heads   b   a   d   b    of four pieces
 *   head    a   a   a   a    of one piece after the other
 *   ranks   1   0   1   1    one more where a head is above it
 */
function rank(): bool {
  const pieces = pieceAt(0);
  const count = <usize>pieceCount;
  const heads = pieces + (count << 4);
  const headsEnd = heads + (count << 2);
  const ranks = heads + RANKS;
  const lowest = i32x4.splat(i32.MIN_VALUE);
  v128.store(headsEnd, lowest);
  v128.store(headsEnd, lowest, 16);
  store<i32>(headsEnd, NO_HEAD);
  for (let i: usize = 0; i < count; i++) {
    // Signed numbers in the same order as the unsigned ones.
    store<i32>(heads + (i << 2), load<i32>(pieces + (i << 4), 4) ^ i32.MIN_VALUE);
  }
  const none = i32x4.splat(0);
  let sums = none;
  for (let at = heads; at < headsEnd; at += 32) {
    const first = v128.load(at);
    const second = v128.load(at, 16);
    let firstRanks = none;
    let secondRanks = none;
    // Compares two heads in each turn; the second may be NO_HEAD.
    for (let other = heads; other < headsEnd; other += 8) {
      const head = v128.load32_splat(other);
      const next = v128.load32_splat(other, 4);
      firstRanks = i32x4.sub(firstRanks, i32x4.gt_s(first, head));
      secondRanks = i32x4.sub(secondRanks, i32x4.gt_s(second, head));
      firstRanks = i32x4.sub(firstRanks, i32x4.gt_s(first, next));
      secondRanks = i32x4.sub(secondRanks, i32x4.gt_s(second, next));
    }
    v128.store(at, firstRanks, RANKS);
    v128.store(at, secondRanks, RANKS + 16);
    sums = i32x4.add(sums, i32x4.add(firstRanks, secondRanks));
  }
  // If all heads differ, each rank occurs once. NO_HEAD has a rank of its own if it is among the last eight.
  const pairs = i64x2.add(i64x2.extend_low_i32x4_u(sums), i64x2.extend_high_i32x4_u(sums));
  const sum = <usize>(i64x2.extract_lane(pairs, 0) + i64x2.extract_lane(pairs, 1));
  const isSame = sum !== ((count * (count - 1)) >> 1) + ((count & 7) === 0 ? 0 : count);
  if (isSame) separateRanks(ranks, count);
  const ranked = ranks + RANKS;
  for (let i: usize = 0; i < count; i++) {
    const place = ranked + ((<usize>load<u32>(ranks + (i << 2))) << 4);
    v128.store(place, v128.load(pieces + (i << 4)));
  }
  movePieces(ranked);
  return isSame;
}

/** Gives equal ranks different values: a later piece gets a higher rank. */
function separateRanks(ranks: usize, count: usize): void {
  const taken = ranks + RANKS;
  for (let at = taken; at < taken + MANY; at += 16) v128.store(at, i32x4.splat(0));
  for (let i: usize = 0; i < count; i++) {
    const rank = load<u32>(ranks + (i << 2));
    const before: u32 = load<u8>(taken + <usize>rank);
    store<u8>(taken + <usize>rank, <u8>(before + 1));
    store<u32>(ranks + (i << 2), rank + before);
  }
}

function insertionSort(): void {
  const first = pieceAt(0);
  const end = pieceAt(pieceCount);
  const piece = end;
  for (let next = first + 16; next < end; next += 16) {
    if (load<u64>(next) > load<u64>(next - 16) || !isBefore(next, next - 16)) continue;
    v128.store(piece, v128.load(next));
    let at = next;
    do {
      v128.store(at, v128.load(at - 16));
      at -= 16;
    } while (at > first && isBefore(piece, at - 16));
    v128.store(at, v128.load(piece));
  }
}

function heapSort(): void {
  for (let i = (pieceCount >> 1) - 1; i >= 0; i--) sift(i, pieceCount);
  for (let last = pieceCount - 1; last > 0; last--) {
    const largest = v128.load(pieceAt(0));
    v128.store(pieceAt(0), v128.load(pieceAt(last)));
    v128.store(pieceAt(last), largest);
    sift(0, last);
  }
}

function sift(root: i32, count: i32): void {
  const piece = pieceAt(pieceCount);
  v128.store(piece, v128.load(pieceAt(root)));
  while (true) {
    let child = 2 * root + 1;
    if (child >= count) break;
    if (child + 1 < count && isBefore(pieceAt(child), pieceAt(child + 1))) child++;
    if (!isBefore(piece, pieceAt(child))) break;
    v128.store(pieceAt(root), v128.load(pieceAt(child)));
    root = child;
  }
  v128.store(pieceAt(root), v128.load(piece));
}
