/*
 * Keeps one of the parameters that have the same name, or the same name and value.
 * Memory: the pieces region (param-slices.ts), sorted by what is compared and then by address again, in O(n log n). Meanwhile
 * the low word of a key is the number of a group, of equal pieces, and the bits TAKEN and KEPT.
 */
import { note, UNTOLD } from "../reasons";
import {
  areEqual,
  compareBy,
  movePiece,
  pieceAt,
  pieceCount,
  pieceEnd,
  pieceStart,
  restoreKeys,
  setPieceCount,
} from "./param-slices";
import { sortPieces } from "./sort-pieces";

/** Is in the piece that has the number of a group: one of the group stays. */
const TAKEN: u32 = 1 << 31;
/** Is in a piece that stays. */
const KEPT: u32 = 1 << 30;
/** The bits of the number of a group. */
const GROUP: u32 = KEPT - 1;

/**
 * Keeps the first or the last piece of each name, or of each name and value; the pieces stay in the order of their addresses.
 * An empty piece has no name. Several pieces with one end are one: it begins at the first of them whose name no other piece
 * has. Returns whether a piece goes, or begins later. Later comparisons are those that beginPieces was told.
 */
export function dropRepeated(keepsLast: bool, ignoresCase: bool, withValues: bool): bool {
  if (pieceCount < 2) return false;
  compareBy(ignoresCase, withValues);
  sortPieces();
  numberGroups();
  // The address is in the upper word of the key, so this sorts by it.
  sortPieces();
  let isChanged = false;
  if (keepsLast) {
    for (let stop = pieceCount; stop > 0; ) {
      let at = stop - 1;
      while (at > 0 && pieceEnd(at - 1) === pieceEnd(at)) at--;
      if (!keepOne(at, stop)) isChanged = true;
      stop = at;
    }
  } else {
    for (let at = 0; at < pieceCount; ) {
      let stop = at + 1;
      while (stop < pieceCount && pieceEnd(stop) === pieceEnd(at)) stop++;
      if (!keepOne(at, stop)) isChanged = true;
      at = stop;
    }
  }
  let kept = 0;
  for (let i = 0; i < pieceCount; i++) {
    if ((load<u32>(pieceAt(i)) & KEPT) !== 0) movePiece(i, kept++);
  }
  setPieceCount(kept);
  restoreKeys();
  return isChanged;
}

/** Gives each piece the address and the number of its group as its key: the place of the first that is equal. */
function numberGroups(): void {
  let group = 0;
  for (let i = 0; i < pieceCount; i++) {
    const isLast = i + 1 === pieceCount || !areEqual(i, i + 1);
    store<u64>(pieceAt(i), ((<u64>pieceStart(i)) << 32) | <u64>group);
    if (isLast) group = i + 1;
  }
}

/**
 * Keeps the first of the pieces from `at` to `stop`, which have one end, of a name that is not taken. Returns whether that is
 * `at`.
 */
function keepOne(at: i32, stop: i32): bool {
  for (let i = at; i < stop; i++) {
    const piece = pieceAt(i);
    if (pieceStart(i) < pieceEnd(i)) {
      const group = pieceAt(<i32>(load<u32>(piece) & GROUP));
      if ((load<u32>(group) & TAKEN) !== 0) continue;
      store<u32>(group, load<u32>(group) | TAKEN);
    }
    store<u32>(piece, load<u32>(piece) | KEPT);
    if (i > at) note(UNTOLD);
    return i === at;
  }
  return false;
}
