/*
 * The fast path through a query. It tells whether the query is in normal form, and what the options leave of
 * it. Nothing is written before the end of the row is known to be normal too.
 *
 * Memory: reads 16 bytes at a time from the row, up to 15 after it, or only the bytes at `stops`. Gathers the
 * parameters that stay in `pieces`.
 */

import {
  BY_EMPTY_QUERY,
  BY_SESSION_IDS,
  BY_SORT_QUERY,
  choiceOf,
  EMPTY_PARAMS_CHOICE,
  EMPTY_QUERY_CHOICE,
  SESSION_IDS_CHOICE,
  SORT_QUERY_CHOICE,
} from "../catalog.generated";
import { isListed, mayBeListed, prepareListed } from "../options/listed-names";
import {
  addPiece,
  addStoredPieces,
  beginPieces,
  isLastInOrder,
  isOnlyEmpty,
  isSorted,
  keyOf,
  lastKey,
  nextPiece,
  pieceCount,
  removePieces,
  storePiece,
} from "../options/param-slices";
import {
  BOTH,
  isOfPair,
  noteDrop,
  noteNothingLeft,
  notePair,
  pairBit,
  writePieces,
} from "../options/query";
import { valueEndWithoutSession } from "../options/session";
import { sortPieces } from "../options/sort-pieces";
import { defaultProfile } from "../plan";
import { asksReasons, beginReasons, note } from "../reasons";
import {
  AMPERSAND,
  DOT,
  EQUALS,
  isNormalTriplet,
  LEFT_PAREN,
  LF,
  PERCENT,
  QUESTION,
  SEMICOLON,
} from "../url/chars";
import { find } from "../url/component";
import { highRow, outside, splat } from "../url/sets";
import { byteBefore, stopBefore, stopsEnd } from "./stops";

/** Result of the last scan of a query: whether the options leave it as it is. */
export let isQuerySettled: bool = false;
/** Whether only the exact path can tell what the options leave of it: a parameter goes, and a `;` may begin another. */
export let isQueryInDoubt: bool = false;
/** Whether its parameters are in order already, or need not be. */
let isInOrder: bool = false;
/** The place of its last `;`, or 0. */
let lastSemicolon: usize = 0;
/** The bits that pairBit returned for its names. */
let pair: i32 = 0;

let dropsSessions: bool = false;
let dropsEmpty: bool = false;
let dropsEmptyQuery: bool = false;
let sorts: bool = false;

/** Reads what scanning needs from a new plan. */
export function prepareQueryScan(): void {
  prepareListed();
  dropsSessions = choiceOf(defaultProfile, SESSION_IDS_CHOICE) !== 0;
  dropsEmpty = choiceOf(defaultProfile, EMPTY_PARAMS_CHOICE) !== 0;
  dropsEmptyQuery = choiceOf(defaultProfile, EMPTY_QUERY_CHOICE) !== 0;
  sorts = choiceOf(defaultProfile, SORT_QUERY_CHOICE) !== 0;
}

/**
 * Returns where the query in normal form that begins at `p` ends: at `end`, or at the first byte that is not
 * part of it. `set`: PARAM, or WRITTEN_PARAM if the whole URL is known to be in normal form (url/sets.ts).
 */
export function scanQuery(p: usize, end: usize, set: usize): usize {
  beginQuery();
  const stop = scanPieces(p, end, set);
  settleQuery(p, stop);
  return stop;
}

/**
 * Returns whether the options leave the query `[p, end)` as it is; it is in normal form and has no `&` or
 * `;`. Returns false also if a closer look must tell.
 */
export function isOnePlainParam(p: usize, end: usize): bool {
  return !mayBeListed(pieceKey(p, end));
}

/** Returns the nameKey of the piece `[p, end)`. */
function pieceKey(p: usize, end: usize): u64 {
  const block = v128.load(p);
  const equals: u32 = i8x16.bitmask(i8x16.eq(block, splat(EQUALS))) | 0x10000;
  return keyOf(block, min<usize>(<usize>ctz(equals), end - p));
}

/**
 * Does the same as scanQuery for the query whose `?` is at the stop `stopAt`, by the stops of the set PIECE
 * (stops.ts). `end` is the end of the row in a column, or of the input of lines. Returns the first stop that is
 * not part of the query. Returns stopsEnd if the block of a line ends first; then nothing is known of the query.
 */
export function scanQueryStops<E>(stopAt: usize, end: usize): usize {
  const start = <usize>load<u32>(stopAt) + 1;
  let piece = start;
  beginQuery();
  let next = nextPiece();
  // Pieces that need no closer look are compared by their keys, without a branch for each.
  let before: u64 = 0;
  let isRising: u32 = 1;
  while (true) {
    stopAt += 4;
    const at = stopBefore<E>(stopAt, end);
    const byte = byteBefore<E>(at, end);
    if (byte !== AMPERSAND && byte !== LF) {
      if (stopAt === stopsEnd) return stopAt;
      if (byte === SEMICOLON) {
        lastSemicolon = at;
        continue;
      }
      if (byte === PERCENT && isNormalTriplet(at, end)) continue;
      if (byte === DOT || byte === LEFT_PAREN || byte === QUESTION) continue;
    }
    const key = pieceKey(piece, at);
    const isSpecial = <u32>mayBeListed(key) | <u32>(lastSemicolon >= piece);
    if (isSpecial === 0) {
      storePiece(next, key, piece, at);
      next += 16;
      isRising &= <u32>(key > before);
      before = key;
    } else {
      addStoredPieces(next);
      takePiece(piece, at);
      next = nextPiece();
      before = lastKey();
    }
    if (byte !== AMPERSAND) {
      addStoredPieces(next);
      if (isRising === 0 && sorts && !isSorted()) takeDisorder();
      settleQuery(start, at);
      return stopAt;
    }
    piece = at + 1;
  }
}

/** Begins a query without pieces. */
function beginQuery(): void {
  beginReasons();
  beginPieces(false, false);
  isQuerySettled = true;
  isQueryInDoubt = false;
  isInOrder = true;
  pair = 0;
  lastSemicolon = 0;
}

/** Applies the options that work on a query as a whole, after its pieces. */
function settleQuery(start: usize, stop: usize): void {
  if (start === stop) {
    // An empty query has no parameter that a step could drop.
    beginReasons();
    isQuerySettled = !dropsEmptyQuery;
    if (dropsEmptyQuery) note(BY_EMPTY_QUERY);
  } else if (dropsSessions && pair === BOTH) {
    removePieces(isOfPair);
    isQuerySettled = false;
    if (lastSemicolon !== 0) isQueryInDoubt = true;
    notePair();
  }
  const isAsked = asksReasons && !isQuerySettled;
  if (isAsked && (pieceCount === 0 || isOnlyEmpty())) noteNothingLeft(start, stop);
}

function scanPieces(p: usize, end: usize, set: usize): usize {
  const row = v128.load(set);
  const high = highRow();
  const nibble = splat(15);
  let piece = p;
  for (; p < end; p += 16) {
    let stops: u32 = i8x16.bitmask(outside(v128.load(p), row, high, nibble));
    for (; stops !== 0; stops &= stops - 1) {
      const at = p + <usize>ctz(stops);
      if (at >= end) break;
      const byte = load<u8>(at);
      if (byte === SEMICOLON) {
        lastSemicolon = at;
        continue;
      }
      if (byte === PERCENT && isNormalTriplet(at, end)) continue;
      takePiece(piece, at);
      if (byte !== AMPERSAND) return at;
      piece = at + 1;
    }
  }
  takePiece(piece, end);
  return end;
}

/** Returns where a piece ends without session ids at the end of its value; its name ends at `nameEnd`. */
function withoutSession(nameEnd: usize, end: usize): usize {
  if (nameEnd === end) return end;
  const stop = valueEndWithoutSession(nameEnd + 1, end);
  if (stop !== end) {
    isQuerySettled = false;
    note(BY_SESSION_IDS);
  }
  return stop;
}

function takePiece(p: usize, end: usize): void {
  const nameEnd = find(p, end, EQUALS);
  // A name counts for the pair even if another step drops it.
  if (dropsSessions) pair |= pairBit(p, nameEnd);
  if ((p === end && dropsEmpty) || isListed(defaultProfile, p, nameEnd)) {
    isQuerySettled = false;
    if (lastSemicolon >= p) isQueryInDoubt = true;
    else if (asksReasons) noteDrop(p, nameEnd, end, defaultProfile);
    return;
  }
  if (dropsSessions && lastSemicolon >= p) end = withoutSession(nameEnd, end);
  addPiece(p, nameEnd, end);
  if (isInOrder && sorts && !isLastInOrder()) takeDisorder();
}

/** Notes that the parameters must be sorted. */
function takeDisorder(): void {
  isInOrder = false;
  isQuerySettled = false;
  note(BY_SORT_QUERY);
}

/** Writes what the options leave of the query that was scanned last, with its `?`. */
export function writeScannedQuery(out: usize): usize {
  if (!isInOrder) sortPieces();
  return writePieces(out, false);
}
