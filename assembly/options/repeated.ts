/*
 * Keeps one of the parameters that have the same name.
 * Memory: the pieces region (param-slices.ts), sorted by name and then by address again, in O(n log n).
 */
import {
  keyByName,
  movePiece,
  pieceCount,
  pieceEnd,
  pieceStart,
  sameNames,
  setPieceCount,
} from "./param-slices";
import { sortByAddress, sortPieces } from "./sort-pieces";

/**
 * Keeps the first or the last piece of each name; the pieces stay in the order of their addresses. An empty
 * piece has no name. Later comparisons are those that beginPieces was told.
 */
export function dropRepeated(keepsLast: bool, ignoresCase: bool): void {
  if (pieceCount < 2) return;
  keyByName(ignoresCase);
  sortPieces();
  let kept = 0;
  let last = -1;
  for (let i = 0; i < pieceCount; i++) {
    const isEmpty = pieceStart(i) === pieceEnd(i);
    if (!isEmpty && last >= 0 && sameNames(i, last)) {
      if (keepsLast) movePiece(i, last);
      continue;
    }
    if (!isEmpty) last = kept;
    movePiece(i, kept++);
  }
  setPieceCount(kept);
  sortByAddress();
}
